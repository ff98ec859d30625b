/** Unit and engine tests. `test/server` has its own configuration, because it needs a real n8n. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/{unit,integration}/**/*.test.ts'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	modulePathIgnorePatterns: [
		'<rootDir>/dist',
		'<rootDir>/demo/node_modules',
		'<rootDir>/demo/.state',
		'<rootDir>/test/verify/scan',
	],
	testTimeout: 20_000,
};
