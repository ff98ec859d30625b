import { type Concurrency, type Rest, Semaphore } from '../limiter/semaphore';
import { nextTurn } from '../plain/turns';

/**
 * How many entries start in one turn of the event loop. Fewer would spread the requests out better, but each turn
 * takes time as well.
 */
const STARTS_PER_TURN = 4;

/** While so many entries wait without a slot, no other one starts, because each of them stays in memory. */
const MAX_RESTING = 100;

/** How a pool runs. */
export interface PoolSettings<Result> {
	/** How many entries may be in progress at once. */
	concurrency: Concurrency;
	/** Once a result satisfies this, nothing more starts. */
	stopsAt?: (result: Result) => boolean;
	/** Once it is aborted, nothing more starts. */
	signal?: AbortSignal;
}

/**
 * Runs `worker` for each entry. The next entry starts as soon as one has ended, or has called `release` because the
 * rest of its work needs no slot. An entry that only waits can `rest` without its slot.
 *
 * Only a few entries start in one turn of the event loop. Otherwise, when many responses arrive together, all of the
 * next requests would be prepared before the first one is sent, and they would arrive together again.
 *
 * @param worker must not reject
 * @returns the results in the order of the entries, when everything that started has ended; undefined for entries that
 *   did not start
 */
export async function runPool<Entry, Result>(
	entries: readonly Entry[],
	worker: (entry: Entry, index: number, release: () => void, rest: Rest) => Promise<Result>,
	{ concurrency, stopsAt, signal }: PoolSettings<Result>,
): Promise<Array<Result | undefined>> {
	const results = new Array<Result | undefined>(entries.length).fill(undefined);
	const slots = new Semaphore(concurrency);
	const started: Array<Promise<void>> = [];
	let stopped = false;
	let resting = 0;
	const waiting: Array<() => void> = [];
	const isOver = () => stopped || signal?.aborted === true;
	const run = async (entry: Entry, index: number, giveBack: () => void) => {
		let release = giveBack;
		let isResting = false;
		const rest: Rest = async (wait) => {
			if (isResting) return await wait();
			isResting = true;
			resting += 1;
			release();
			try {
				await wait();
			} finally {
				release = await slots.acquire();
				resting -= 1;
				isResting = false;
				for (const wake of waiting.splice(0)) wake();
			}
		};
		try {
			const result = await worker(entry, index, () => release(), rest);
			results[index] = result;
			stopped ||= stopsAt?.(result) ?? false;
		} finally {
			release();
		}
	};
	for (const [index, entry] of entries.entries()) {
		while (resting >= MAX_RESTING) await new Promise<void>((resolve) => waiting.push(resolve));
		const release = await slots.acquire();
		if (entries.length > 1 && slots.size > 1 && index % STARTS_PER_TURN === 0 && !isOver()) await nextTurn();
		if (isOver()) {
			// Those that rest need it.
			release();
			break;
		}
		started.push(run(entry, index, release));
	}
	await Promise.all(started);
	return results;
}

/**
 * The results of all promises, in order. Unlike `Promise.all`, it leaves nothing running in the background when one
 * of them rejects.
 *
 * @throws the first failure, after all promises have settled
 */
export async function allSettledOrThrow<T>(work: Array<Promise<T>>): Promise<T[]> {
	await Promise.allSettled(work);
	return await Promise.all(work);
}
