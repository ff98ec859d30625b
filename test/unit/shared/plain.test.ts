import fc from 'fast-check';
import {
	NOT_JSON,
	parseToSend,
	readJsonText,
	excessOf,
	parseJson,
	withWholeIntegers,
} from '../../../nodes/shared/plain/json';
import { countTurns } from '../countTurns';
import {
	approximateLength,
	beginningOf,
	isoTime,
	shortened,
	timeOf,
	toText,
} from '../../../nodes/shared/plain/values';
import { jsonBody } from '../../../nodes/shared/send/requestBody';
import { Turns } from '../../../nodes/shared/plain/turns';

describe('A text that should be JSON', () => {
	it.each([
		['', 'it is empty'],
		['{"a":', NOT_JSON],
		['{} {}', NOT_JSON],
		[' '.repeat(2000), NOT_JSON],
		['['.repeat(1_000_000), 'its JSON is nested too deeply'],
		[`[${'{},'.repeat(500_000)}0]`, 'it contains more than 500000 values'],
	])('has its own words if it cannot be used: %.10s', async (text, problem) => {
		expect(await readJsonText(text)).toEqual({ problem });
	});

	it('keeps a name that would change the prototype of the object', async () => {
		const json = '{"__proto__":{"admin":true},"constructor":1}';
		const { value } = (await readJsonText(json)) as { value: object };
		expect(JSON.stringify(value)).toBe(json);
		expect('admin' in value).toBe(false);
	});

	it('keeps the digits of IDs, unless it is the answer of a model', async () => {
		const json = '{"id":1234567890123456789}';
		expect(await readJsonText(json)).toEqual({ value: { id: '1234567890123456789' } });
		expect(await readJsonText(json, 10, true)).toEqual({ value: JSON.parse(json) });
	});

	it('has null where a server in Python writes what is no number, and nothing else changes', async () => {
		const words = fc.constantFrom('NaN', '-Infinity', 'a "NaN" b', '[NaN]', 'Infinity\\');
		const value = fc.array(fc.oneof(fc.constant(Number.NaN), fc.constant(-Infinity), fc.double(), words), {
			maxLength: 9,
		});
		await fc.assert(
			fc.asyncProperty(value, async (list) => {
				const parts = list.map((one) =>
					typeof one === 'number' && !Number.isFinite(one) ? String(one) : JSON.stringify(one),
				);
				const expected = JSON.parse(JSON.stringify(list)) as unknown;
				expect(await readJsonText(`{"NaN":[${parts.join(', ')}]}`)).toEqual({ value: { NaN: expected } });
			}),
		);
		for (const text of ['[NaN', 'NaNs', '{NaN: 1}', '[1NaN]']) {
			expect(await readJsonText(text)).toEqual({ problem: NOT_JSON });
		}
		expect(await readJsonText('[NaN]', 10, true)).toEqual({ problem: NOT_JSON });
	});

	it('is sent with all digits of its long integers, and its texts as they are', () => {
		const integer = fc.bigInt({ min: 10n ** 15n, max: 10n ** 30n });
		const text = fc.oneof(
			integer.map(String),
			fc.constantFrom(
				'"\ufdd012345678901234567',
				'"\ufdd012345678901234567"',
				',"12345678901234567890"',
				'\\',
			),
			fc.string(),
		);
		const entry = fc.oneof(
			integer.map(String),
			integer.map((one) => `-${one}`),
			fc.array(integer, { minLength: 1, maxLength: 3 }).map((list) => `[${list.join(',')}]`),
			text.map((one) => JSON.stringify(one)),
			fc.constantFrom('1', '0.5e300', 'null'),
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(text, entry), { maxLength: 6 }), (fields) => {
				const own = [...new Map(fields.filter(([name]) => !/^(\d|__)/.test(name)))];
				const json = `{${own.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
				const body = jsonBody(parseToSend(json)!.value).identity();
				const digits = (one: string) => one.replace(/0\.5e300/g, JSON.stringify(0.5e300)).toWellFormed();
				expect(body).toBe(digits(json));
			}),
		);
	});

	it('has a turn of its own if it is large', async () => {
		const json = JSON.stringify('x'.repeat(500_000));
		expect(await countTurns(async () => await readJsonText(json))).toBeGreaterThanOrEqual(1);
	});
});

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

describe('A shortened value', () => {
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

	it.each([
		[`${'word '.repeat(30)}sk-0123456789`, 155, 'word '.repeat(30)],
		[`${'字'.repeat(80)}sk-0123456789`, 85, '字'.repeat(80)],
		['sk-0123456789|'.repeat(40), 300, 'sk-0123456789|'.repeat(21)],
		['sk-0123456789', 8, ''],
		['x'.repeat(301), 300, 'x'.repeat(300)],
		['x'.repeat(300), 300, 'x'.repeat(300)],
	])('does not end with what may be the beginning of a key: case %#', (text, length, beginning) => {
		expect(beginningOf(text, length)).toBe(beginning);
		expect(shortened({ text }, length + 6)).toEqual({ text: beginning });
	});

	it('has the beginning of what is too long, and is the same if it is short', () => {
		expect(shortened([{ id: 'a1', none: null }], 100)).toEqual([{ id: 'a1', none: null }]);
		expect(shortened({ id: 'a1', text: '字'.repeat(100), more: [1] }, 20)).toEqual({
			id: 'a1',
			text: '字'.repeat(9),
		});
	});
});

describe('A value as text', () => {
	it.each<[unknown, string]>([
		[undefined, ''],
		[null, ''],
		[0, '0'],
		[false, 'false'],
		[{ a: [1] }, '{"a":[1]}'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		// As Luxon's are.
		[{ toJSON: () => '1970-01-01T09:00:00.000+09:00' }, '1970-01-01T09:00:00.000+09:00'],
		[new Date(NaN), ''],
	])('%p is %j', (value, text) => {
		expect(toText(value)).toBe(text);
	});
});

describe('The approximate length of a value', () => {
	it.each<[string, unknown, number]>([
		['a text by its characters', 'abc', 5],
		['a number by 20 characters', 7, 20],
		['a vector by its numbers alone', [1, 2, 3], 60],
		['an object by its names and values', { ab: 'c' }, 20 + 2 + 4 + 3],
		['a list by its entries', ['a', 'b'], 20 + 2 * (1 + 4 + 3)],
	])('counts %s', (_what, value, length) => {
		expect(approximateLength(value)).toBe(length);
	});
});

describe('Long work', () => {
	let time: number;
	beforeEach(() => {
		time = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => time);
	});
	afterEach(() => jest.restoreAllMocks());

	it('has turns of eight milliseconds', async () => {
		const turns = new Turns();
		time = 8;
		expect(turns.isOver).toBe(false);
		time = 8.1;
		expect(turns.isOver).toBe(true);
		await turns.next();
		expect(turns.isOver).toBe(false);
		time = 16.2;
		expect(turns.isOver).toBe(true);
	});

	it('shares the event loop with other long work, each in a turn of its own and in the order in which it asked', async () => {
		const order: string[] = [];
		let turn = 0;
		const count = () => {
			turn += 1;
			timer = setImmediate(count);
		};
		let timer = setImmediate(count);
		const work = async (name: string) => {
			const turns = new Turns();
			for (let step = 0; step < 3; step++) {
				await turns.next();
				order.push(name);
				seen.push(turn);
			}
		};
		const seen: number[] = [];
		await Promise.all([work('a'), work('b'), work('c')]);
		clearImmediate(timer);
		expect(order.join('')).toBe('abcabcabc');
		expect(new Set(seen).size).toBeGreaterThan(6);
	});
});

describe('A time from outside', () => {
	it('in milliseconds is an ISO time, unless there is no such time', () => {
		expect(isoTime(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
		for (const no of [8.64e15 + 1, Number.NaN, -1e300]) expect(isoTime(no)).toBeUndefined();
	});

	const expected = '2023-11-14T22:13:20.000Z';

	it.each([1_700_000_000, 1_700_000_000_000, '1700000000', expected])('may be %j', (value) =>
		expect(timeOf(value)).toBe(expected),
	);

	it.each([0, -1, '', 'soon', null, {}, '0001-01-01T00:00:00Z', Number.NaN])('is not %j', (value) => {
		expect(timeOf(value)).toBeUndefined();
	});
});
