const { projects } = require('../../jest.config.js');

const [{ transform, transformIgnorePatterns }] = projects;

/** What `npm run simulate` runs, which takes its time. */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/simulation/*.test.ts'],
	transform,
	transformIgnorePatterns,
	// The arguments of the command limit the time.
	testTimeout: 86_400_000,
};
