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
	const pausesAllowed = (isRateKnown: boolean, maxRetries?: number) =>
		retries((pauses) => new Patience().mayRetry(refusedTimes(1), { pauses, isRateKnown }, maxRetries, 0));

	it('lasts for twice as many pauses where the rate is known, because other processes use it too', () => {
		expect(pausesAllowed(false)).toBe(USUAL);
		expect(pausesAllowed(true)).toBe(2 * USUAL);
	});

	it('lasts for no more pauses than the user has set', () => {
		expect([pausesAllowed(false, 3), pausesAllowed(true, 3)]).toEqual([3, 3]);
	});

	it('counts the refusals of the request itself while others are accepted, twice as many after one that was accepted later', () => {
		const patience = new Patience();
		const allowed = (now: number) =>
			retries((times) =>
				patience.mayRetry(refusedTimes(times), { pauses: undefined, isRateKnown: true }, undefined, now),
			);
		expect(allowed(0)).toBe(USUAL);
		patience.recovered(1000);
		expect([allowed(120_999), allowed(121_000)]).toEqual([2 * USUAL, USUAL]);
	});
});
