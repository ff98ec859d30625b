import { systemClock } from '../../../nodes/shared/pacing/clock';

/**
 * Makes the nodes' time pass faster in the tests of a file. Waits are shorter and the clock runs faster by the same
 * factor, so retries, pauses, and time limits keep their proportions.
 */
export function useFastClock(factor: number): void {
	const { now, sleep } = systemClock;
	beforeAll(() => {
		const startedAt = now();
		jest.spyOn(systemClock, 'now').mockImplementation(() => startedAt + (now() - startedAt) * factor);
		jest
			.spyOn(systemClock, 'sleep')
			.mockImplementation(async (milliseconds, signal) => await sleep(milliseconds / factor, signal));
	});
	afterAll(() => jest.restoreAllMocks());
}
