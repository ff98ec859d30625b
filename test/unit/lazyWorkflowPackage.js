/** `n8n-workflow`, loaded as soon as a test uses something of it. */
const load = () => require('../../node_modules/n8n-workflow');

module.exports = new Proxy(
	{},
	{
		get: (_, name) => load()[name],
		has: (_, name) => name in load(),
		ownKeys: () => Reflect.ownKeys(load()),
		getOwnPropertyDescriptor: (_, name) => ({
			...Reflect.getOwnPropertyDescriptor(load(), name),
			configurable: true,
		}),
	},
);
