import { backOffMs, mayHaveBeenCarriedOut, mayRepeat } from '../../../nodes/shared/pacing/retry';
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
	const status = (code: number) => ({ kind: 'status', status: code }) as const;

	it('allows 429 always and other 4xx never', () => {
		for (const repeatability of ['read', 'generate', 'create'] as const) {
			expect(mayRepeat(status(429), repeatability)).toBe(true);
			for (const code of [400, 401, 403, 404, 408, 413, 422]) {
				expect(mayRepeat(status(code), repeatability)).toBe(false);
			}
		}
	});

	it('forbids repeating a creation after 500, 502, or 504, which may have been carried out', () => {
		for (const code of [500, 502, 504]) {
			expect(mayRepeat(status(code), 'generate')).toBe(true);
			expect(mayRepeat(status(code), 'create')).toBe(false);
			expect(mayHaveBeenCarriedOut(status(code), 'create')).toBe(true);
		}
		expect(mayRepeat(status(503), 'create')).toBe(true);
		expect(mayRepeat(status(529), 'create')).toBe(true);
	});

	it('allows only reads after a lost connection, and everything that was not sent', () => {
		expect(mayRepeat({ kind: 'interrupted' }, 'read')).toBe(true);
		expect(mayRepeat({ kind: 'interrupted' }, 'generate')).toBe(false);
		expect(mayHaveBeenCarriedOut({ kind: 'interrupted' }, 'generate')).toBe(true);
		expect(mayRepeat({ kind: 'notConnected' }, 'create')).toBe(true);
		expect(mayHaveBeenCarriedOut({ kind: 'notConnected' }, 'create')).toBe(false);
	});
});

describe('backOffMs', () => {
	it('doubles up to a cap, with jitter, and is never shorter than the requested delay', () => {
		const most = [1, 2, 3, 4, 5, 6, 7].map((attempt) => backOffMs(attempt, () => 1));
		expect(most).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
		expect(backOffMs(3, () => 0)).toBe(0);
		expect(backOffMs(1, () => 0.5, 5000)).toBe(5000);
	});
});
