import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { plantedFaults } from './planted';
import { runInWorkers } from './workers';

/** After so many worlds, the progress is printed. */
const PRINTED_EVERY = 1_000;

const HELP = `npm run simulate -- [--seeds 10000] [--from 1] | --faults [--only words]

Lets simulated worlds run, and prints those that break a promise, each with the smallest one that breaks it too.
They run in as many processes as the machine has cores.
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
		if (!/^[1-9]\d{0,8}$/.test(number))
			throw new Problem(`${number} is not a number of at most 9 digits.`, HELP);
	}
	const numbers = { from: Number(from), count: Number(seeds), processes: availableParallelism() };
	if (faults) {
		for (const fault of plantedFaults.filter(({ name }) => name.includes(only))) {
			let found: string | undefined;
			await runInWorkers(numbers, ({ broken }) => (found ??= broken), fault);
			if (!found) process.exitCode = 1;
			console.log(`It ${fault.name}: ${found ?? 'NOT FOUND'}`);
		}
		return;
	}
	let [ended, broken] = [0, 0];
	const print = () => console.log(`${ended} of ${seeds} worlds, ${broken} broken`);
	const haveEnded = await runInWorkers(numbers, (progress) => {
		if (progress.broken) console.log(progress.broken);
		broken += progress.broken ? 1 : 0;
		ended += progress.worlds;
		if (ended % PRINTED_EVERY < progress.worlds) print();
	});
	print();
	process.exitCode = broken === 0 && haveEnded ? 0 : 1;
});
