/** Configures the tests of `npm run mutation`, which adds the files of each folder (`testMatch`). */
module.exports = {
	rootDir: '../..',
	runner: '<rootDir>/test/mutation/runner.js',
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': '@swc/jest' },
	// Each mutant loads its tests anew, and most of them need little of this package, which takes a third of a second.
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/unit/lazyWorkflowPackage.js' },
	// For a mutant that never ends, the time limit of Stryker applies. This one is for the first run on a busy machine.
	testTimeout: 120_000,
};
