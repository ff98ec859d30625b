import { momentInWords, rateLimitFailure } from '../../../nodes/shared/errors/rateLimitFailure';

const NOW = Date.UTC(2026, 0, 31, 14, 0, 30);

describe('The end of a rate limit', () => {
	it.each([
		[4 * 60_000, 'UTC', '14:05'],
		[0, 'UTC', '14:01'],
		[10 * 3_600_000, 'UTC', 'February 1, 00:01'],
		[4 * 60_000, 'Asia/Tokyo', '23:05'],
		[2 * 3_600_000, 'Asia/Tokyo', 'February 1, 01:01'],
		[4 * 60_000, 'No/Where', '14:05 UTC'],
		[400 * 86_400_000, 'UTC', undefined],
		[1e300, 'UTC', undefined],
		[Number.POSITIVE_INFINITY, 'UTC', undefined],
	])('in %p ms, in %s, is %p', (inMs, timeZone, words) => {
		expect(momentInWords(NOW + inMs, NOW, timeZone)).toBe(words);
	});

	it.each([
		[0, 'The rate limit of the gateway is reached until 14:05, so this item was not sent'],
		[1, 'The rate limit of the gateway is reached until 14:05 (tried once)'],
		[3, 'The rate limit of the gateway is reached until 14:05 (tried 3 times)'],
	])('is in the message after %i attempts', (attempts, message) => {
		const failure = rateLimitFailure({ attempts, status: 429, gatewayMessage: 'Quota used up' }, '14:05');
		expect(failure.message).toBe(message);
		expect(failure.description).toContain('“Quota used up”');
		expect(failure.facts.status).toBe(429);
	});
});
