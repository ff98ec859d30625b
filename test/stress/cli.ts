import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { folders } from '../../tools/host/folders';

const HELP = `npm run stress -- [--times 5] [--load 8]

Runs "npm test" again and again while other processes keep all cores busy, each time with other random values.
RANDOM_SEED=… npm test repeats them.
--load is how many other processes want to run all the time.`;

/** A program that keeps a core busy until its parent has ended, which it checks ten times a second. */
const BUSY = `
process.stdin.on('end', () => process.exit()).resume();
(function work() { for (const end = Date.now() + 100; Date.now() < end;); setImmediate(work); })();`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: { times: { type: 'string', default: '5' }, load: { type: 'string', default: '8' } },
	});
	const [times, load] = [Number(values.times), Number(values.load)];
	const others = Array.from({ length: load }, () =>
		spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'inherit'] }),
	);
	let green = 0;
	for (let run = 1; run <= times; run++) {
		const seed = String(randomInt(1_000_000_000));
		const env = { ...process.env, RANDOM_SEED: seed };
		const test = spawn('npm', ['test', '--silent'], { cwd: folders.project, stdio: 'inherit', env });
		const [code] = (await once(test, 'exit')) as [number | null];
		if (code === 0) green += 1;
		console.log(`Run ${run} of ${times}, seed ${seed}: ${code === 0 ? 'green' : 'failed'}\n`);
	}
	for (const other of others) other.kill();
	console.log(`${green} of ${times} runs were green with ${load} other processes.`);
	process.exit(green === times ? 0 : 1);
});
