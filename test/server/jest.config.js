/**
 * The suite against a whole n8n. This folder is the root: a root further up would have jest read through the installed
 * n8n, which has some 100,000 files.
 */
module.exports = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': '@swc/jest' },
	// The first run installs n8n.
	testTimeout: 900_000,
	maxWorkers: 1,
	// What only queue mode has.
	testPathIgnorePatterns: process.env.SERVER_TEST_WORKERS ? [] : ['queue\\.test\\.ts$'],
};
