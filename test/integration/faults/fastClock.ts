import { systemClock } from '../../../nodes/shared/pacing/clock';

/**
 * Makes the nodes' time pass faster in the tests of a file. Waits are shorter and the clock runs faster by the same
 * factor, so retries, pauses, and time limits keep their proportions.
 */
export function useFastClock(factor: number): void {
	const { sleep } = systemClock;
	beforeAll(() => {
		runFaster('now', factor);
		runFaster('date', factor);
		jest
			.spyOn(systemClock, 'sleep')
			.mockImplementation(async (milliseconds, signal) => await sleep(milliseconds / factor, signal));
	});
	afterAll(() => jest.restoreAllMocks());
}

function runFaster(hand: 'now' | 'date', factor: number): void {
	const original = systemClock[hand];
	const startedAt = original();
	jest.spyOn(systemClock, hand).mockImplementation(() => startedAt + (original() - startedAt) * factor);
}
