const { projects } = require('../../jest.config.js');

const [{ transform, transformIgnorePatterns }] = projects;

/** The properties of `npm run fuzz`, which takes its time. */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/fuzz/*.test.ts'],
	transform,
	transformIgnorePatterns,
	// The arguments of the command limit the time.
	testTimeout: 86_400_000,
};
