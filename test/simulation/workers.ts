import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Progress } from './worker';

const PROJECT = join(__dirname, '../..');
/** Where packages are found from; several may run at once. */
const BUNDLE = join(PROJECT, `node_modules/.cache/simulation-${process.pid}.cjs`);
/** Each world leaves much behind: collecting it rarely, and beside no other work, takes a seventh off the whole. */
const GARBAGE = ['--max-semi-space-size=64', '--single-threaded-gc'];
/** How many broken worlds are enough to stop. */
const MOST_BROKEN = 10;

/** Lets worlds run in processes of their own until some have broken a promise. @returns whether each came to its end */
export async function runInWorkers(
	{ from, count, processes }: { from: number; count: number; processes: number },
	hear: (progress: Progress) => void,
): Promise<boolean> {
	// As one file of JavaScript, the simulation starts at once.
	await build({
		entryPoints: [join(__dirname, 'worker.ts')],
		outfile: BUNDLE,
		bundle: true,
		platform: 'node',
		target: 'node20',
		packages: 'external',
		alias: { '@n8n/ai-node-sdk': join(__dirname, 'agentSdk.ts') },
		sourcemap: 'inline',
		logLevel: 'warning',
	});
	let broken = 0;
	const heard = (progress: Progress) => {
		hear(progress);
		if (progress.broken && ++broken >= MOST_BROKEN) for (const worker of workers) worker.kill();
	};
	const workers = Array.from({ length: Math.min(processes, count) }, (_, index) => {
		const parameters = [from + index, from + count - 1, processes].map(String);
		return fork(BUNDLE, parameters, { execArgv: GARBAGE }).on('message', heard);
	});
	const exits = await Promise.all(workers.map(async (worker) => await once(worker, 'exit')));
	await rm(BUNDLE);
	return exits.every(([code]) => code === 0);
}
