import fc from 'fast-check';
import { excessOf, parseJson, withWholeIntegers } from '../../../nodes/shared/plain/values';

const TOO_DEEP = 'its JSON is nested too deeply';
const nested = (levels: number, core = '0') => `${'['.repeat(levels)}${core}${']'.repeat(levels)}`;
/** Texts whose brackets, quotation marks, and backslashes count for nothing. */
const text = fc
	.array(fc.constantFrom('[', '{', '"', '\\', '}', ']', ',', 'x', '12345678901234567'), { maxLength: 200 })
	.map((parts) => parts.join(''));

describe('The depth of JSON', () => {
	it('may be 500 levels', () => {
		expect(excessOf(nested(500, ' '.repeat(100)))).toBeUndefined();
		expect(excessOf(nested(501))).toBe(TOO_DEEP);
		expect(excessOf('{"a":'.repeat(501) + '0' + '}'.repeat(501))).toBe(TOO_DEEP);
		expect(parseJson(nested(100_000))).toBeUndefined();
	});

	it('is seen anywhere, and brackets in texts do not count', () => {
		fc.assert(
			fc.property(
				fc.array(text),
				fc.jsonValue(),
				fc.integer({ min: 501, max: 3000 }),
				(texts, value, levels) => {
					const json = JSON.stringify([texts, value, '['.repeat(1000)]);
					expect(excessOf(json)).toBeUndefined();
					expect(excessOf(`[${json},${nested(levels)}]`)).toBe(TOO_DEEP);
				},
			),
			{ numRuns: 100 },
		);
	});
});

describe('The number of values in JSON', () => {
	it('counts objects, lists, texts, and names', () => {
		const json = JSON.stringify([{ name: 'text' }, {}, [], [1, 2, 3], true, '[{"', 'x'.repeat(1000)]);
		expect(excessOf(json, 9)).toBeUndefined();
		expect(excessOf(json, 8)).toBe('it contains more than 8 values');
	});
});

describe('An integer with more digits than a number can hold', () => {
	it.each([
		['{"id":1234567890123456789}', { id: '1234567890123456789' }],
		['[-9007199254740993, 9007199254740993]', ['-9007199254740993', '9007199254740993']],
		['12345678901234567', '12345678901234567'],
	])('becomes text with all of its digits: %s', (json, value) => {
		expect(JSON.parse(withWholeIntegers(json))).toEqual(value);
	});

	it.each([
		'{"n":12,"f":0.12345678901234567,"t":"1234567890123456789","u":"\\"1234567890123456789"}',
		'[9007199254740991, 1e21, 1E+12345678901234567, 12345678901234567.5, 12345678901234567e5]',
		'[100000000000000000000]',
	])('is nothing in %s', (json) => {
		expect(withWholeIntegers(json)).toBe(json);
	});

	it('is found between any texts, which stay as they are', () => {
		fc.assert(
			fc.property(fc.array(text), fc.bigInt(), (texts, integer) => {
				const json = texts.map((one) => JSON.stringify(one)).join(`,${integer},`);
				const number = Number(integer);
				const value = String(number) === String(integer) ? number : String(integer);
				const expected = texts.flatMap((one, index) => (index > 0 ? [value, one] : [one]));
				expect(JSON.parse(withWholeIntegers(`[${json}]`))).toEqual(expected);
			}),
		);
	});
});
