const { availableParallelism } = require('node:os');

const shared = {
	setupFilesAfterEnv: ['<rootDir>/test/everyTest.js'],
	testEnvironment: '<rootDir>/test/sharedRealm/environment.js',
	setupFiles: ['<rootDir>/test/sharedRealm/packages.js'],
	transform: {
		'^.+\\.ts$': '@swc/jest',
		// They are ES modules only: the build bundles `marked`, and Fastify's `inject` needs `cookie`.
		'/(marked|cookie)/.+\\.js$': ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
	},
	transformIgnorePatterns: ['/node_modules/(?!(marked|cookie)/)'],
	// Nothing else is searched for modules: not n8n in `demo/`, which has 100,000 files.
	roots: ['nodes', 'credentials', 'emulator', 'test', 'tools'].map((folder) => `<rootDir>/${folder}`),
	modulePathIgnorePatterns: ['<rootDir>/test/verify/scan', '<rootDir>/test/cores'],
};

/** Unit and engine tests, and the simulation. `test/server` has its own configuration, because it needs a real n8n. */
module.exports = {
	projects: [
		{
			...shared,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
			setupFilesAfterEnv: [...shared.setupFilesAfterEnv, '<rootDir>/test/unit/timeLimit.js'],
			moduleNameMapper: { '^fast-check$': '<rootDir>/test/unit/seededFastCheck.js' },
		},
		{
			...shared,
			displayName: 'integration',
			testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
		},
		{
			...shared,
			displayName: 'simulation',
			testMatch: ['<rootDir>/test/simulation/{simulation,ownFaults,oddAnswers}.test.ts'],
		},
	],
	// A quarter of the time, the tests wait for something else than a core.
	maxWorkers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
	// Some of the memory of each file stays.
	workerIdleMemoryLimit: '1.5GB',
	// Freeing the memory of a worker takes longer than the default of half a second, even more so on a busy machine.
	workerGracefulExitTimeout: 10_000,
	testSequencer: '<rootDir>/test/slowestFirst.js',
	// A guard, far away: no test depends on how fast the machine is.
	testTimeout: 300_000,
};
