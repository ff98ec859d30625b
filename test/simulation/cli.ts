import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { runJest } from '../runJest';
import { runInWorkers, type Seeds } from './workers';

/** How often the progress is printed, in milliseconds. */
const PRINTED_EVERY_MS = 20_000;

const HELP = `npm run simulate -- [--seeds 10000] [--from 1] [--processes 2] | --faults [--only words]

Lets simulated worlds run, and prints those that break a promise, each with the smallest one that breaks it too.
They run in as many processes as the machine has cores, or as you say.
--faults plants faults in the layers, one after the other, and prints the seed that finds each of them.`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: {
			seeds: { type: 'string', default: '10000' },
			from: { type: 'string', default: '1' },
			processes: { type: 'string', default: String(availableParallelism()) },
			faults: { type: 'boolean', default: false },
			only: { type: 'string', default: '' },
		},
	});
	const { seeds, from, processes, faults, only } = values;
	for (const number of [seeds, from, processes]) {
		if (!/^[1-9]\d{0,8}$/.test(number))
			throw new Problem(`${number} is not a number of at most 9 digits.`, HELP);
	}
	if (faults) {
		// Some of the faults leave something running.
		const parameters = ['planted.test.ts', '--forceExit'];
		const settings = { SIMULATION_SEEDS: seeds, SIMULATION_FAULT: only };
		process.exitCode = await runJest(join(__dirname, 'jest.config.js'), parameters, settings);
		return;
	}
	const numbers = { from: Number(from), count: Number(seeds), processes: Number(processes) };
	process.exitCode = (await keepsPromises(numbers)) ? 0 : 1;
});

/** Prints how far the worlds are, and those that break a promise. @returns whether there is none */
async function keepsPromises(seeds: Seeds): Promise<boolean> {
	const startedAt = performance.now();
	let [ended, broken] = [0, 0];
	const print = () => {
		const seconds = (performance.now() - startedAt) / 1_000;
		console.log(
			`${ended} of ${seeds.count} worlds, ${(ended / seconds).toFixed(1)} a second, ${broken} broken`,
		);
	};
	const printing = setInterval(print, PRINTED_EVERY_MS);
	const haveEnded = await runInWorkers(seeds, (progress) => {
		ended += progress.worlds;
		if (!progress.broken) return;
		broken += 1;
		console.log(progress.broken);
	});
	clearInterval(printing);
	print();
	return broken === 0 && haveEnded;
}
