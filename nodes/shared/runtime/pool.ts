import { nextTurn } from './eventLoop';

/** How many are started in one turn of the event loop: fewer spread requests out better, but a turn takes time too. */
const STARTS_A_TURN = 4;

/**
 * Runs `worker` for each index from 0 to `count - 1`, at most `concurrency` at a time; the next one starts
 * as soon as one has ended, or has called `leave` because the rest of its work needs no place.
 *
 * Only a few are started in one turn of the event loop: answers that arrive together would otherwise have all
 * next requests prepared before the first of them is on its way, and so arrive together again and again.
 *
 * @param worker must not reject
 * @param mayStart asked before each start; once it says no, nothing more is started
 * @returns when everything that was started has ended
 */
export async function runPool(
	count: number,
	concurrency: number,
	worker: (index: number, leave: () => void) => Promise<void>,
	mayStart: () => boolean = () => true,
): Promise<void> {
	let next = 0;
	const started: Array<Promise<void>> = [];
	const start = async () =>
		await new Promise<void>((resolve, reject) => {
			const work = worker(next++, resolve);
			started.push(work);
			work.then(resolve, reject);
		});
	const lanes = Math.min(count, Math.max(1, Math.floor(concurrency) || 1));
	const goesOn = () => next < count && mayStart();
	let turn = Promise.resolve();
	let asked = 0;
	const itsTurn = async () => {
		if (asked++ % STARTS_A_TURN === 0) turn = turn.then(nextTurn);
		await turn;
	};
	const lane = async () => {
		while (goesOn()) {
			if (lanes > 1) await itsTurn();
			// The others may have started the last one meanwhile, or have stopped the run.
			if (goesOn()) await start();
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	await Promise.all(started);
}

/**
 * The places of a run: so many requests may be under way at once, whichever items they belong to. An item
 * that makes several takes those that the others leave free.
 */
export class Places {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	/** Does some work as soon as there is a place for it, in the order of asking. */
	async use<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.free += 1;
		}
	}
}

/**
 * What all of these give, in order. Unlike with `Promise.all`, a failure does not leave the others running behind the
 * caller's back.
 *
 * @throws the first failure, after all have ended
 */
export async function allEnded<T>(work: Array<Promise<T>>): Promise<T[]> {
	await Promise.allSettled(work);
	return await Promise.all(work);
}
