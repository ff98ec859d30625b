import fc from 'fast-check';
import { approximateLength, isoTime, shortened } from '../../../nodes/shared/plain/values';

describe('A shortened value', () => {
	it('is the same if it is short', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
				expect(shortened(value, 1_000_000)).toEqual(value);
			}),
		);
	});

	it('is about as long as allowed, whatever it consists of', () => {
		const long = {
			texts: 'a'.repeat(5_000),
			numbers: Array.from({ length: 5_000 }, () => -0.123456789012345),
			names: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name${index}`, index])),
			lists: Array.from({ length: 5_000 }, () => []),
		};
		for (const [name, value] of Object.entries(long)) {
			const { length } = JSON.stringify(shortened({ [name]: value }, 1_000));
			expect(length).toBeGreaterThan(300);
			expect(length).toBeLessThan(4_000);
		}
	});

	it('has the beginning of what is too long', () => {
		expect(shortened({ id: 'a1', text: 'b'.repeat(100), more: [1] }, 20)).toEqual({
			id: 'a1',
			text: 'b'.repeat(9),
		});
	});
});

const VALUE_LENGTH = 20;

describe('The approximate length of a value', () => {
	it('is not less than that of its JSON, and not much more if it consists of long texts', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
				const json = JSON.stringify(value);
				const escapes = json.split('\\').length * 6;
				// The longest numbers have 24 characters.
				const least = (json.length - escapes) * (VALUE_LENGTH / 24);
				expect(approximateLength(value)).toBeGreaterThanOrEqual(least);
			}),
		);
		const texts = { a: 'x'.repeat(10_000), b: ['y'.repeat(10_000)] };
		expect(approximateLength(texts)).toBeLessThan(1.01 * JSON.stringify(texts).length);
	});

	it('counts the memory that small values take', () => {
		expect(approximateLength(Array.from({ length: 1000 }, () => ({})))).toBeGreaterThan(20_000);
		expect(approximateLength([1, 'x'.repeat(1000)])).toBeGreaterThan(1000);
		expect(approximateLength([])).toBe(VALUE_LENGTH);
	});
});

describe('A time in milliseconds', () => {
	it('is an ISO time, or nothing if it is no time', () => {
		expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
		expect(isoTime(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
		for (const no of [8.64e15 + 1, Number.NaN, Number.POSITIVE_INFINITY, -1e300]) {
			expect(isoTime(no)).toBeUndefined();
		}
	});
});
