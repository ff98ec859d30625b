import { systemClock } from '../../../nodes/shared/limiter/clock';

/** How often the fast clock looks at the real one, and how much of the time between two looks counts. */
const LOOK_EVERY_MS = 4;
const LONGEST_LOOK_MS = 25;

/**
 * Makes the nodes' time pass faster in this process. Waits are shorter and the clock runs faster by the same factor, so
 * retries, pauses, and time limits keep their proportions.
 *
 * While the machine is busy with other things, the clock nearly stands still, so data that has arrived is always read
 * before a time limit passes.
 *
 * @returns a function that restores the normal clock
 */
export function runFaster(factor: number): () => void {
	const original = { ...systemClock };
	const startedAt = { now: original.now(), date: original.date() };
	let passed = 0;
	let isOver = false;
	let lookedAt = original.now();
	const look = () => {
		const now = original.now();
		passed += Math.min(now - lookedAt, LONGEST_LOOK_MS) * factor;
		lookedAt = now;
	};
	const looking = setInterval(look, LOOK_EVERY_MS).unref();
	systemClock.now = () => startedAt.now + passed;
	systemClock.date = () => startedAt.date + passed;
	systemClock.sleep = async (milliseconds, signal) => {
		const until = passed + milliseconds;
		do await original.sleep(Math.max(0, until - passed) / factor, signal);
		while (passed < until && !signal?.aborted && !isOver);
	};
	return () => {
		isOver = true;
		clearInterval(looking);
		Object.assign(systemClock, original);
	};
}

/** Makes time pass faster in the tests of a file; see {@link runFaster}. */
export function useFastClock(factor: number): void {
	let stop = () => {};
	beforeAll(() => (stop = runFaster(factor)));
	afterAll(() => stop());
}
