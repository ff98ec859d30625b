import { systemClock } from '../../../nodes/shared/pacing/clock';

/**
 * Makes the nodes' time pass faster in this process. Waits are shorter and the clock runs faster by the same factor, so
 * retries, pauses, and time limits keep their proportions.
 *
 * @returns what ends it
 */
export function runFaster(factor: number): () => void {
	const original = { ...systemClock };
	const startedAt = { now: original.now(), date: original.date() };
	systemClock.now = () => startedAt.now + (original.now() - startedAt.now) * factor;
	systemClock.date = () => startedAt.date + (original.date() - startedAt.date) * factor;
	systemClock.sleep = async (milliseconds, signal) => await original.sleep(milliseconds / factor, signal);
	return () => void Object.assign(systemClock, original);
}

/** The same for the tests of a file. */
export function useFastClock(factor: number): void {
	let stop = () => {};
	beforeAll(() => (stop = runFaster(factor)));
	afterAll(() => stop());
}

/** The date by a clock that nobody sets back, in milliseconds. */
export function steadyTime(): number {
	return performance.timeOrigin + performance.now();
}
