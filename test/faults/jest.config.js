const { join } = require('node:path');
const config = require('../../jest.config');

const rootDir = join(__dirname, '../..');

const [typescript] = Object.keys(config.projects[0].transform);

module.exports = {
	...config,
	rootDir,
	projects: config.projects.map(({ transform, ...project }) => ({
		...project,
		rootDir,
		transform: { ...transform, [typescript]: '<rootDir>/test/faults/plant.js' },
	})),
	testSequencer: '<rootDir>/test/faults/nearestFirst.js',
	// One failed test is enough to find a fault.
	bail: 1,
};
