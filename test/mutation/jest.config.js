/** The tests of `npm run mutation`, which adds the files of each folder (`testMatch`) itself. */
module.exports = {
	rootDir: '../..',
	runner: '<rootDir>/test/mutation/runner.js',
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': '@swc/jest' },
	// Each mutant loads its tests anew, and most of them need little of this package, which takes a third of a second.
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/mutation/lazyWorkflowPackage.js' },
	// A mutant that waits for ever. Without one, no test comes near it, even on a busy machine.
	testTimeout: 15_000,
};
