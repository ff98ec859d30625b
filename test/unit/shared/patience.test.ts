import { Patience } from '../../../nodes/shared/pacing/patience';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES as USUAL } from '../../../nodes/shared/pacing/retry';
import { newRequest } from '../../../nodes/shared/pacing/sendSlot';

describe('Patience with a refused request', () => {
	const refusedTimes = (refusals: number) => ({ ...newRequest(), refusals, ownRefusals: refusals });

	/** How often the request is sent again, at most. */
	const retries = (isAllowed: (times: number) => boolean) => {
		let times = 0;
		while (times < 100 && isAllowed(times + 1)) times += 1;
		return times;
	};

	it('lasts for as many pauses as usual, or as the user has set', () => {
		const pausesAllowed = (maxRetries?: number) =>
			retries((pauses) => new Patience().mayRetry(refusedTimes(1), pauses, maxRetries, 0));
		expect([pausesAllowed(), pausesAllowed(3)]).toEqual([USUAL, 3]);
	});

	it('counts the refusals of the request itself while others are accepted, twice as many after one that was accepted later', () => {
		const patience = new Patience();
		const allowed = (now: number) =>
			retries((times) => patience.mayRetry(refusedTimes(times), undefined, undefined, now));
		expect(allowed(0)).toBe(USUAL);
		patience.recovered(1000);
		expect([allowed(120_999), allowed(121_000)]).toEqual([2 * USUAL, USUAL]);
	});
});
