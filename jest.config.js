/** Unit and engine tests. `test/server` has its own configuration, because it needs a real n8n. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/{unit,integration}/**/*.test.ts'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	modulePathIgnorePatterns: [
		'<rootDir>/coverage',
		'<rootDir>/dist',
		'<rootDir>/demo/node_modules',
		'<rootDir>/demo/.state',
		'<rootDir>/test/verify/scan',
	],
	// A guard: no test depends on how fast the machine is.
	testTimeout: 120_000,
};
