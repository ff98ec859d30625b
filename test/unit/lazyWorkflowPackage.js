/** `n8n-workflow`, loaded as soon as a test uses something of it. */
const load = () => require('../../node_modules/n8n-workflow');

module.exports = new Proxy(
	{},
	{
		// Whether it is an ES module is asked by each import, before anything is used.
		get: (_, name) => name === '__esModule' || load()[name],
		has: (_, name) => name in load(),
		ownKeys: () => Reflect.ownKeys(load()),
		getOwnPropertyDescriptor: (_, name) => ({
			...Reflect.getOwnPropertyDescriptor(load(), name),
			configurable: true,
		}),
	},
);
