import {
	headerValue,
	mediaTypeOf,
	requestIdOf,
	retryAfterMilliseconds,
} from '../../../nodes/shared/answer/headers';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('A header', () => {
	it('is its first value, and at most 8,000 characters', () => {
		expect(headerValue({ a: 'one' }, 'a')).toBe('one');
		expect(headerValue({ a: ['one', 'two'] }, 'a')).toBe('one');
		expect(headerValue({}, 'a')).toBeUndefined();
		expect(headerValue({ a: [] }, 'a')).toBeUndefined();
		expect(headerValue({ a: 'x'.repeat(9_000) }, 'a')).toHaveLength(8_000);
	});
});

describe('The ID of a request', () => {
	it("is in the gateway's own header, or else in the usual one", () => {
		const both = { 'x-oneapi-request-id': 'own', 'x-request-id': 'usual' };
		expect(requestIdOf(both)).toBe('own');
		expect(requestIdOf({ 'x-request-id': 'usual' })).toBe('usual');
		expect(requestIdOf({})).toBeUndefined();
	});

	it('has at most 200 characters', () => {
		expect(requestIdOf({ 'x-request-id': 'x'.repeat(300) })).toBe('x'.repeat(200));
	});
});

describe('The media type of a response', () => {
	it('is in lower case and without parameters', () => {
		const typeOf = (type?: string) => mediaTypeOf({ headers: { 'content-type': type } });
		expect(typeOf('Audio/MPEG ; rate=44100')).toBe('audio/mpeg');
		expect(typeOf(' text/event-stream;charset=utf-8')).toBe('text/event-stream');
		expect(typeOf()).toBe('');
	});
});

describe('How long the gateway asks to wait', () => {
	const wait = (text?: string) => retryAfterMilliseconds({ 'retry-after': text }, NOW);

	it('is a number of seconds, with spaces around it or not', () => {
		expect(['0', ' 12 ', '1.25'].map(wait)).toEqual([0, 12_000, 1_250]);
	});

	it('is a number of milliseconds in its own header, if that is a number', () => {
		const both = (milliseconds: string) =>
			retryAfterMilliseconds({ 'retry-after-ms': milliseconds, 'retry-after': '9' }, NOW);
		expect([both('250'), both('1.5'), both(' 7 '), both('soon'), both('-1')]).toEqual([
			250, 1.5, 7, 9_000, 9_000,
		]);
	});

	it('is until a date, with spaces around it or not', () => {
		expect(wait(' Thu, 01 Jan 2026 00:00:07 GMT ')).toBe(7_000);
		expect(wait('2026-01-01T00:00:01Z')).toBe(1_000);
	});

	it('is at most a year, because a number of a thousand digits would be infinite', () => {
		const year = 31_536_000_000;
		const long = '9'.repeat(1_000);
		expect(wait(long)).toBe(year);
		expect(wait('Fri, 31 Dec 9999 23:59:59 GMT')).toBe(year);
		expect(retryAfterMilliseconds({ 'retry-after-ms': long }, NOW)).toBe(year);
	});

	it.each([[''], [' '], ['12 s'], ['12x'], ['x12'], ['1.'], ['.5'], ['1e3'], ['-5']])('is not %j', (text) => {
		expect(wait(text)).toBeUndefined();
	});
});
