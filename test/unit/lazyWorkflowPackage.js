/** Loads `n8n-workflow` when a test uses it for the first time. */
const load = () => require('../../node_modules/n8n-workflow');

module.exports = new Proxy(
	{},
	{
		// Each import asks whether it is an ES module, before anything of the package is used.
		get: (_, name) => name === '__esModule' || load()[name],
		has: (_, name) => name in load(),
		ownKeys: () => Reflect.ownKeys(load()),
		getOwnPropertyDescriptor: (_, name) => ({
			...Reflect.getOwnPropertyDescriptor(load(), name),
			configurable: true,
		}),
	},
);
