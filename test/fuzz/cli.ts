import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { runJest } from '../runJest';

const HELP = `npm run fuzz -- [--minutes 10] [--seed 123] [--only words]

Tries what the package promises with random answers, streams, headers, and error bodies.
--only runs the properties whose names contain the words.`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: {
			minutes: { type: 'string', default: '10' },
			seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
			only: { type: 'string', default: '' },
		},
	});
	const { minutes, seed, only } = values;
	if (!(Number(minutes) > 0)) throw new Problem(`--minutes ${minutes} is not a number of minutes.`, HELP);
	if (!/^\d{1,9}$/.test(seed)) throw new Problem(`--seed ${seed} is not a number of at most 9 digits.`, HELP);
	console.log(`Seed ${seed}, ${minutes} minutes`);
	const settings = { FUZZ_SEED: seed, FUZZ_MINUTES: minutes, FUZZ_ONLY: only };
	process.exitCode = await runJest(join(__dirname, 'jest.config.js'), ['--verbose'], settings);
});
