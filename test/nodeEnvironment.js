require('./quickExit');

// Stryker must know which tests reach a mutant, but it adds its own environment only to tests that choose none.
module.exports = process.env.STRYKER_MUTATOR_WORKER
	? require('@stryker-mutator/jest-runner/jest-env/node')
	: require('jest-environment-node').TestEnvironment;
