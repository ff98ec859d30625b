import { limitFailure, momentInWords } from '../../../nodes/shared/errors/rateLimitFailure';

const NOW = Date.UTC(2026, 0, 31, 14, 0, 30);

describe('The end of a rate limit', () => {
	it.each([
		[4 * 60_000, 'UTC', '14:05'],
		[0, 'UTC', '14:01'],
		[10 * 3_600_000, 'UTC', 'February 1, 00:01'],
		[4 * 60_000, 'Asia/Tokyo', '23:05'],
		[2 * 3_600_000, 'Asia/Tokyo', 'February 1, 01:01'],
		[4 * 60_000, 'No/Where', '14:05 UTC'],
		// The same day of the next year would look like today.
		[365 * 86_400_000, 'UTC', undefined],
		[181 * 86_400_000, 'UTC', undefined],
		[179 * 86_400_000, 'UTC', 'July 29, 14:01'],
		[1e300, 'UTC', undefined],
		[Number.POSITIVE_INFINITY, 'UTC', undefined],
	])('in %p ms, in %s, is %p', (inMs, timeZone, words) => {
		expect(momentInWords(NOW + inMs, { now: NOW, timeZone })).toBe(words);
	});

	it.each([
		[0, 'The rate limit of the gateway is reached until 14:05, so this item was not sent'],
		[1, 'The rate limit of the gateway is reached until 14:05 (tried once)'],
		[3, 'The rate limit of the gateway is reached until 14:05 (tried 3 times)'],
	])('is in the message after %i attempts', (attempts, message) => {
		const facts = { attempts, status: 429, gatewayMessage: 'Quota used up' };
		const failure = limitFailure(facts, NOW + 4 * 60_000, { now: NOW, timeZone: 'UTC' });
		expect(failure.message).toBe(`${message}: Quota used up`);
		expect(failure.description).not.toContain('Quota used up');
		expect(failure.facts.status).toBe(429);
	});
});
