import { type ChildProcess, fork } from 'node:child_process';
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

/** Seeds, and in how many processes their worlds run. */
export interface Seeds {
	from: number;
	count: number;
	processes: number;
}

/** Lets worlds run in processes of their own until some have broken a promise. @returns whether each came to its end */
export async function runInWorkers(seeds: Seeds, hear: (progress: Progress) => void): Promise<boolean> {
	const { from, count, processes } = seeds;
	await bundle();
	let broken = 0;
	const heard = (progress: Progress) => {
		hear(progress);
		if (progress.broken && ++broken >= MOST_BROKEN) for (const worker of workers) worker.kill();
	};
	const workers = Array.from({ length: Math.min(processes, count) }, (_, index) => {
		const parameters = [from + index, from + count - 1, processes].map(String);
		return fork(BUNDLE, parameters, { execArgv: GARBAGE }).on('message', heard);
	});
	const codes = await Promise.all(workers.map(exitCodeOf));
	await rm(BUNDLE);
	return codes.every((code) => code === 0);
}

async function exitCodeOf(worker: ChildProcess): Promise<unknown> {
	const [code] = (await once(worker, 'exit')) as [number | null];
	return code;
}

/** As one file of JavaScript, the simulation starts at once. */
async function bundle(): Promise<void> {
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
}
