const path = require('node:path');

const { projects, ...shared } = require('../../jest.config.js');

const rootDir = path.join(__dirname, '../..');
const modules = path.join(__dirname, process.env.ENGINE_TEST_CORE, 'node_modules');
const integration = projects.find(({ displayName }) => displayName === 'integration');

/** Packages that exist only as ES modules. The last two belong to older engines. */
const ES_MODULES = ['marked', 'p-retry', 'is-network-error'];

/** Runs the engine tests with an older engine of n8n instead of the one that the project uses. */
module.exports = {
	...shared,
	...integration,
	rootDir,
	// The shared realm of a worker contains the engine that the project uses.
	testEnvironment: '<rootDir>/test/nodeEnvironment.js',
	setupFiles: [],
	modulePathIgnorePatterns: integration.modulePathIgnorePatterns.filter(
		(folder) => folder !== '<rootDir>/test/cores',
	),
	moduleNameMapper: {
		'^(n8n-core|n8n-workflow|@n8n/(?:backend-common|config|constants|di|errors))(/package\\.json)?$': `${modules}/$1$2`,
	},
	transform: {
		...integration.transform,
		'/node_modules/.+\\.js$': ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
	},
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
	// The emulator and other parts of this project do not depend on the engine.
	testPathIgnorePatterns: ['/test/integration/(emulator|hostile)/'],
};
