import {
	asksToWait,
	backOffMs,
	fateOf,
	mayHaveBeenCarriedOut,
	mayRepeat,
	Retries,
} from '../../../nodes/shared/pacing/retry';
import { retryAfterMilliseconds } from '../../../nodes/shared/http/headers';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
	it.each([
		[{ 'retry-after': '3' }, 3000],
		[{ 'retry-after': '0.5' }, 500],
		[{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
		[{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
		[{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
		[{ 'retry-after': '-5' }, undefined],
		[{ 'retry-after': 'soon' }, undefined],
		[{}, undefined],
	])('%o means %p ms', (headers, expected) => {
		expect(retryAfterMilliseconds(headers, NOW)).toBe(expected);
	});
});

describe('mayRepeat', () => {
	const status = (code: number, hasErrorObject = true) =>
		({ kind: 'status', status: code, hasErrorObject }) as const;

	it('allows 429 always and other 4xx never', () => {
		for (const repeatability of ['read', 'generate', 'create'] as const) {
			expect(mayRepeat(status(429), repeatability)).toBe(true);
			for (const code of [400, 401, 403, 404, 409, 413, 422]) {
				expect(mayRepeat(status(code), repeatability)).toBe(false);
			}
		}
	});

	it('allows what the gateway did not take: 429, 503, 529, and no connection', () => {
		for (const repeatability of ['read', 'generate', 'create'] as const) {
			const unsent = { kind: 'notConnected' } as const;
			for (const attempt of [status(429, false), status(503, false), status(529, false), unsent]) {
				expect(fateOf(attempt, repeatability)).toBe('notTaken');
				expect(mayRepeat(attempt, repeatability)).toBe(true);
				expect(mayHaveBeenCarriedOut(attempt, repeatability)).toBe(false);
			}
		}
	});

	it('allows 500 with the error object of a gateway for what generates, and never for what creates', () => {
		expect(mayRepeat(status(500), 'generate')).toBe(true);
		expect(mayRepeat(status(500, false), 'generate')).toBe(false);
		expect(mayHaveBeenCarriedOut(status(500, false), 'generate')).toBe(true);
		expect(mayRepeat(status(500), 'create')).toBe(false);
		expect(mayHaveBeenCarriedOut(status(500), 'create')).toBe(true);
	});

	it('allows what says that the work was done only if the user wants it, with any status', () => {
		for (const code of [200, 400, 429, 500, 503]) {
			const attempt = { ...status(code), workWasDone: true };
			expect(mayRepeat(attempt, 'generate')).toBe(false);
			expect(mayRepeat(attempt, 'generate', true)).toBe(true);
			expect(mayHaveBeenCarriedOut(attempt, 'generate')).toBe(true);
			expect(asksToWait(attempt, 1000)).toBe(false);
			expect(mayRepeat(attempt, 'read')).toBe(true);
		}
	});

	it('allows what may have been paid for only if the user wants it', () => {
		const unclear = [408, 499, 502, 504, 520, 524, 599].map((code) => status(code));
		for (const attempt of [...unclear, { kind: 'interrupted' } as const]) {
			for (const repeatability of ['generate', 'create'] as const) {
				expect(mayRepeat(attempt, repeatability)).toBe(false);
				expect(mayRepeat(attempt, repeatability, true)).toBe(true);
				expect(mayHaveBeenCarriedOut(attempt, repeatability)).toBe(true);
			}
			expect(mayRepeat(attempt, 'read')).toBe(true);
			expect(mayHaveBeenCarriedOut(attempt, 'read')).toBe(false);
		}
		for (const code of [400, 401, 404, 409, 501, 505]) {
			expect(mayRepeat(status(code), 'generate', true)).toBe(false);
		}
	});

	it('takes 409 for a request in progress if the request has an idempotency key', () => {
		const attempt = { ...status(409), hasIdempotencyKey: true };
		expect(mayRepeat(attempt, 'create', true)).toBe(true);
		expect(mayHaveBeenCarriedOut(attempt, 'create')).toBe(true);
	});
});

describe('backOffMs', () => {
	it('doubles up to a cap, with jitter, and is never shorter than the requested delay', () => {
		const most = [1, 2, 3, 4, 5, 6, 7].map((attempt) => backOffMs(attempt, () => 1));
		expect(most).toEqual([1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000]);
		expect(backOffMs(3, () => 0)).toBe(2000);
		expect(backOffMs(1, () => 0.5, 5000)).toBe(5000);
	});
});

describe('Retries', () => {
	const failed = (code: number) => ({ kind: 'status', status: code, hasErrorObject: true }) as const;
	const waitsOf = (retries: Retries, attempts: Array<[number, number?]>) =>
		attempts.map(([code, retryAfterMs]) => retries.after(failed(code), retryAfterMs));
	const longest = () => 0.999_999;

	it('end after a few seconds for a row that always fails', () => {
		const waits = waitsOf(new Retries({}, longest), [[500], [503], [529], [500]]);
		expect(waits.map((wait) => wait && Math.round(wait / 500) / 2)).toEqual([1.5, 3, 6, undefined]);
	});

	it('go on for minutes while the gateway asks to wait', () => {
		const waits = waitsOf(
			new Retries({}, longest),
			[429, 503, 529, 429, 429, 503, 429].map((code) => [code, 20_000]),
		);
		expect(waits.slice(0, 6).every((wait) => wait !== undefined && wait >= 20_000)).toBe(true);
		expect(waits[6]).toBeUndefined();
	});

	it('are counted separately, so that a failure after many waits is repeated as well', () => {
		const retries = new Retries({ maxRetries: 1, maxRateLimitRetries: 2 }, longest);
		const waits = waitsOf(retries, [[429], [429], [500], [500]]);
		expect(waits.map((wait) => wait !== undefined)).toEqual([true, true, true, false]);
	});

	it('never take place without any retries', () => {
		const retries = new Retries({ maxRetries: 0, maxRateLimitRetries: 0 }, longest);
		expect(waitsOf(retries, [[500], [429, 1000]])).toEqual([undefined, undefined]);
	});
});
