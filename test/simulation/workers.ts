import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Progress } from './worker';

const PROJECT = join(__dirname, '../..');
/** The file of the bundle. It is in a place from which packages are found; several commands may run at once. */
const BUNDLE = join(PROJECT, `node_modules/.cache/simulation-${process.pid}.cjs`);
/** Each world leaves much behind: collecting it rarely, and beside no other work, takes a seventh off the whole. */
const GARBAGE = ['--max-semi-space-size=64', '--single-threaded-gc'];
/** The number of broken worlds that are enough to stop. */
const MOST_BROKEN = 10;

/** The seeds of the worlds to run: a range, and others. */
interface Seeds {
	from: number;
	count: number;
	others?: number[];
	/** The largest number of rows. Larger worlds are skipped, except for the other seeds. */
	mostRows?: number;
	processes: number;
}

/** Replaces the file that has a planted fault (`test/faults`). */
const plant: Plugin = {
	name: 'plant',
	setup({ onLoad }) {
		const { PLANTED_FILE, PLANTED_SOURCE: contents } = process.env;
		onLoad({ filter: /\.ts$/ }, ({ path }) =>
			path === PLANTED_FILE ? { contents, loader: 'ts' } : undefined,
		);
	},
};

/** Lets worlds run in processes of their own until some have broken a promise. @returns whether each came to its end */
export async function runInWorkers(
	{ from, count, processes, others = [], mostRows = Infinity }: Seeds,
	hear: (progress: Progress) => void,
): Promise<boolean> {
	// As one JavaScript file, the simulation starts immediately.
	await build({
		entryPoints: [join(__dirname, 'worker.ts')],
		outfile: BUNDLE,
		bundle: true,
		platform: 'node',
		target: 'node20',
		packages: 'external',
		plugins: [plant],
		alias: { '@n8n/ai-node-sdk': join(PROJECT, 'test/integration/engine/fakeSdk.ts') },
		sourcemap: 'inline',
		logLevel: 'warning',
	});
	let broken = 0;
	const heard = (progress: Progress) => {
		hear(progress);
		if (progress.broken && ++broken >= MOST_BROKEN) for (const worker of workers) worker.kill();
	};
	const workers = Array.from({ length: Math.min(processes, count) }, (_, index) => {
		const more = index === 0 ? others : [];
		const parameters = [mostRows, from + index, from + count - 1, processes, ...more].map(String);
		return fork(BUNDLE, parameters, { execArgv: GARBAGE }).on('message', heard);
	});
	const exits = await Promise.all(workers.map(async (worker) => await once(worker, 'exit')));
	await rm(BUNDLE);
	return exits.every(([code]) => code === 0);
}
