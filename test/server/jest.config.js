/**
 * Configures the tests against a real n8n. The root is this folder, because with the project as the root, Jest would
 * scan the installed n8n, which has about 100,000 files.
 */
module.exports = {
	testEnvironment: 'node',
	setupFilesAfterEnv: ['<rootDir>/../everyTest.js'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	// The first run includes the installation of n8n.
	testTimeout: 900_000,
	maxWorkers: 1,
	testPathIgnorePatterns: process.env.SERVER_TEST_PRODUCTION ? [] : ['production\\.test\\.ts$'],
};
