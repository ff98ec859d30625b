import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { runJest } from '../runJest';

const HELP = `npm run simulate -- [--seeds 10000] [--from 1] | --faults [--only words]

Lets simulated worlds run, and prints those that break a promise, each with the smallest one that breaks it too.
--faults plants faults in the layers, one after the other, and prints the seed that finds each of them.`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: {
			seeds: { type: 'string', default: '10000' },
			from: { type: 'string', default: '1' },
			faults: { type: 'boolean', default: false },
			only: { type: 'string', default: '' },
		},
	});
	const { seeds, from, faults, only } = values;
	for (const number of [seeds, from]) {
		if (!/^\d{1,9}$/.test(number)) throw new Problem(`${number} is not a number of at most 9 digits.`, HELP);
	}
	const file = faults ? 'planted.test.ts' : 'simulation.test.ts';
	// Some of the faults leave something running.
	const flags = faults ? ['--forceExit'] : [];
	const settings = { SIMULATION_SEEDS: seeds, SIMULATION_FROM: from, SIMULATION_FAULT: only };
	process.exitCode = await runJest(join(__dirname, 'jest.config.js'), [file, ...flags], settings);
});
