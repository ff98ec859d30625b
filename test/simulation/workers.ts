import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Progress } from './worker';

const PROJECT = join(__dirname, '../..');
/** Where packages are found from; several may run at once. */
const BUNDLE = join(PROJECT, `node_modules/.cache/simulation-${process.pid}.cjs`);
/** How often the progress is printed, in milliseconds. */
const PRINTED_EVERY_MS = 20_000;
/** How many broken worlds are enough to stop. */
const MOST_BROKEN = 10;

/** Seeds, and in how many processes their worlds run. */
export interface Seeds {
	from: number;
	count: number;
	processes: number;
}

/** Lets worlds run in processes of their own, and prints those that break a promise. @returns whether there is none */
export async function runInWorkers({ from, count, processes }: Seeds): Promise<boolean> {
	await bundle();
	const startedAt = performance.now();
	let [ended, broken] = [0, 0];
	const print = () => {
		const seconds = (performance.now() - startedAt) / 1_000;
		console.log(`${ended} of ${count} worlds, ${(ended / seconds).toFixed(1)} a second, ${broken} broken`);
	};
	const hear = (progress: Progress) => {
		ended += progress.worlds;
		if (!progress.broken) return;
		broken += 1;
		console.log(progress.broken);
		if (broken >= MOST_BROKEN) for (const worker of workers) worker.kill();
	};
	const workers = Array.from({ length: Math.min(processes, count) }, (_, index) => {
		const seeds = [from + index, from + count - 1, processes].map(String);
		return fork(BUNDLE, seeds).on('message', hear);
	});
	const printing = setInterval(print, PRINTED_EVERY_MS);
	const codes = await Promise.all(workers.map(exitCodeOf));
	clearInterval(printing);
	print();
	await rm(BUNDLE);
	return broken === 0 && codes.every((code) => code === 0);
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
