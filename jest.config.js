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
	maxWorkers: '100%',
	// n8n's engine is loaded anew for each file, and some of its memory stays.
	workerIdleMemoryLimit: '1GB',
	reporters: ['<rootDir>/test/shortReporter.js'],
	// A guard, far away: no test depends on how fast the machine is.
	testTimeout: 300_000,
};
