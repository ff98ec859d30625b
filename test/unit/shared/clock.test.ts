import { systemClock } from '../../../nodes/shared/limiter/clock';

const TEN_MINUTES = 10 * 60_000;

describe('The clock of a running n8n', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it.each([-TEN_MINUTES, TEN_MINUTES])('measures time as before when the date changes by %i ms', (change) => {
		const startedAt = systemClock.now();
		jest.setSystemTime(Date.now() + change);
		expect(systemClock.now() - startedAt).toBe(0);
		jest.advanceTimersByTime(1_000);
		expect(systemClock.now() - startedAt).toBe(1_000);
	});

	it('ends a sleep when it is aborted', async () => {
		const abort = new AbortController();
		let isAwake = false;
		void systemClock.sleep(60_000, abort.signal).then(() => (isAwake = true));
		await jest.advanceTimersByTimeAsync(1_000);
		expect(isAwake).toBe(false);
		abort.abort();
		await jest.advanceTimersByTimeAsync(0);
		expect(isAwake).toBe(true);
	});
});
