import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { runInWorkers } from './workers';

/** The number of worlds after which the progress is printed again. */
const PRINTED_EVERY = 1_000;

const HELP = `npm run simulate -- [--seeds 10000] [--from 1]

Lets simulated worlds run, and prints those that break a promise, each with the smallest one that breaks it too.
They run in as many processes as the machine has cores.`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: {
			seeds: { type: 'string', default: '10000' },
			from: { type: 'string', default: '1' },
		},
	});
	const { seeds, from } = values;
	for (const number of [seeds, from]) {
		if (!/^[1-9]\d{0,8}$/.test(number))
			throw new Problem(`${number} is not a number of at most 9 digits.`, HELP);
	}
	const numbers = { from: Number(from), count: Number(seeds), processes: availableParallelism() };
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
