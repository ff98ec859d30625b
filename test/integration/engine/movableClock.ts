import { systemClock } from '../../../nodes/shared/limiter/clock';

/** The nodes' clock in the tests of a file: it runs as usual, and a test can move it ahead to exceed a time limit. */
export function useMovableClock(): { pass(milliseconds: number): void } {
	let ahead = 0;
	beforeAll(() => {
		const { now } = systemClock;
		jest.spyOn(systemClock, 'now').mockImplementation(() => now() + ahead);
	});
	afterAll(() => jest.restoreAllMocks());
	return { pass: (milliseconds) => void (ahead += milliseconds) };
}
