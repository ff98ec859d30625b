import fc from 'fast-check';
import type { JsonBudget } from '../../../nodes/shared/http/budgets';
import { parseForeignJson, UnusableJson } from '../../../nodes/shared/http/foreignJson';
import { countTurns } from '../countTurns';

const budget: JsonBudget = { bytes: 1e9, values: 1e9, numbers: 1e9 };
/** JSON above this length is parsed in turns. */
const LARGE = 200_000;
const PADDING = 'x'.repeat(LARGE);

/** JSON with a large text beside it, so that it is parsed in turns. */
const padded = (json: string) => `{"padding":"${PADDING}","value":${json}}`;
async function parsedInTurns(json: string, limits: Partial<JsonBudget> = {}): Promise<unknown> {
	const value = (await parseForeignJson(padded(json), { ...budget, ...limits })) as Record<string, unknown>;
	expect(Object.keys(value)).toEqual(['padding', 'value']);
	expect(value.padding).toBe(PADDING);
	return value.value;
}
async function problemOf(json: string, limits: Partial<JsonBudget> = {}): Promise<string> {
	const error: unknown = await parseForeignJson(json, { ...budget, ...limits }).catch((thrown) => thrown);
	expect(error).toBeInstanceOf(UnusableJson);
	return (error as Error).message;
}
const NOT_JSON = 'it is not valid JSON, or it was cut off';

describe('Small JSON', () => {
	it('is parsed at once', async () => {
		expect(await parseForeignJson(' {"a": [1]} ', budget)).toEqual({ a: [1] });
	});

	it('has its own words if it cannot be used', async () => {
		expect(await problemOf('')).toBe('it is empty');
		expect(await problemOf('{"a":')).toBe(NOT_JSON);
		expect(await problemOf(`${'['.repeat(501)}${']'.repeat(501)}`)).toBe('its JSON is nested too deeply');
	});
});

describe('Large JSON', () => {
	it('is the same as with the parser of the engine, whatever it contains', async () => {
		const spaces = fc.stringMatching(/^[ \n\r\t]{0,3}$/);
		await fc.assert(
			fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), spaces, async (value, space) => {
				const json = JSON.stringify(value, undefined, space);
				expect(await parsedInTurns(`${space}${json}${space}`)).toEqual(JSON.parse(json));
			}),
			{ numRuns: 20 },
		);
	});

	it.each([
		['[]'],
		['{}'],
		['[ ]'],
		['{ }'],
		['[{},[],[[]],{"a":{}}]'],
		['[1,2,[3,"4"]]'],
		['[-0,0,-1.5e+10,1E-3,10]'],
		['{"a":-1.5e+10,"b":0,"c":1E3}'],
		['[true,false,null]'],
		['{"a":true,"b":false,"c":null}'],
		['{"a" : 1 , "b" : [ 2 , 3 ] }'],
		['["\\"","\\\\","\\\\\\"","\\u00fc\\n","/"]'],
		['{"\\"a\\\\":1}'],
		['{"a":1,"a":2}'],
		['""'],
		['7'],
		['-1'],
		['true'],
	])('is read as it is: %s', async (json) => {
		expect(await parsedInTurns(json)).toEqual(JSON.parse(json));
	});

	it('keeps a name that would change the prototype of the object', async () => {
		const value = (await parsedInTurns('{"__proto__":{"admin":true},"constructor":1}')) as object;
		expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
		expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true},"constructor":1}');
		expect('admin' in value).toBe(false);
		const list = Object.getOwnPropertyDescriptor(value, '__proto__');
		expect(list).toMatchObject({ enumerable: true, configurable: true, writable: true });
	});

	it.each([
		['['],
		['{'],
		['[1'],
		['["a"'],
		['["a",'],
		['["a",]'],
		['[,"a"]'],
		['["a" "b"]'],
		['["a"}'],
		['{"a":"b"]'],
		['{"a"'],
		['{"a":'],
		['{"a" "b"}'],
		['{"a":1,}'],
		['{a:1}'],
		['{,}'],
		['[1,]'],
		['[01]'],
		['[1 2]'],
		['01'],
		['1.'],
		['.5'],
		['+1'],
		['--1'],
		['1e'],
		['tru'],
		['True'],
		['NaN'],
		["'a'"],
		['"a'],
		['"a\\"'],
		['"\\x"'],
		['"\\u12"'],
		['"a\nb"'],
		[''],
		['undefined'],
		['{} {}'],
		['[1]]'],
		['"a" 7'],
		['\u00a0{}'],
	])('is not %j', async (json) => {
		expect(await problemOf(padded(json))).toBe(NOT_JSON);
		// At the top level, where nothing else follows.
		expect(await problemOf(`${json}${' '.repeat(LARGE)}`)).toBe(NOT_JSON);
	});

	it('cannot be cut off anywhere', async () => {
		const json = `[{"a":"${PADDING}"},[1,2],{"b":[true,null,"\\u00fc"]}]`;
		for (let end = LARGE + 1; end < json.length; end++) {
			expect(await problemOf(json.slice(0, end))).toBe(NOT_JSON);
		}
	});

	it('has at most 500 levels', async () => {
		const nested = (levels: number, core: string) => '['.repeat(levels) + core + ']'.repeat(levels);
		// The padding is inside of an object, which is the first level.
		expect(await parsedInTurns(nested(499, '"a"'))).toEqual(JSON.parse(nested(499, '"a"')));
		expect(await problemOf(padded(nested(500, '"a"')))).toBe('its JSON is nested too deeply');
		expect(await problemOf(padded('{"a":'.repeat(500) + '1' + '}'.repeat(500)))).toBe(
			'its JSON is nested too deeply',
		);
	});
});

describe('The budget of large JSON', () => {
	it('counts values, of which a list of numbers is one', async () => {
		// The object, the padding, the list, and its entries.
		const json = '["a",{},[],[1,2,3],true]';
		expect(await parsedInTurns(json, { values: 8 })).toEqual(JSON.parse(json));
		expect(await problemOf(padded(json), { values: 7 })).toBe('it contains more than 7 values');
	});

	it('counts the numbers of lists', async () => {
		expect(await parsedInTurns('[[1,2],[3]]', { numbers: 3 })).toEqual([[1, 2], [3]]);
		expect(await problemOf(padded('[[1,2],[3]]'), { numbers: 2 })).toBe('it contains more than 2 numbers');
		// Single numbers are values.
		expect(await parsedInTurns('{"a":1,"b":2}', { numbers: 0 })).toEqual({ a: 1, b: 2 });
	});

	it('has room for the white space of a gateway that keeps a connection open, but not for more', async () => {
		const spaces = (count: number) => `${' '.repeat(count)}[1]`;
		expect(await parseForeignJson(spaces(999_999), budget)).toEqual([1]);
		expect(await problemOf(spaces(1_000_000))).toBe('it consists of white space');
	});

	it('allows long lists of numbers', async () => {
		const numbers = Array.from({ length: 20_000 }, (_, index) => index / 7);
		expect(await parsedInTurns(JSON.stringify(numbers))).toEqual(numbers);
	});
});

describe('While large JSON is parsed', () => {
	it.each<[string, string, number]>([
		['a thousand values', `[${'{"a":[]},'.repeat(10_000)}"${PADDING}"]`, 20],
		['four thousand escapes', `["${'\\n'.repeat(100_000)}"]`, 24],
		['half a million characters', `["${'x'.repeat(2_500_000)}"]`, 5],
		['long lists of numbers', `[${`[${'0,'.repeat(2_000)}0],`.repeat(60)}0]`, 60],
	])('others get their turn after %s', async (_what, json, least) => {
		expect(await countTurns(async () => await parseForeignJson(json, budget))).toBeGreaterThanOrEqual(least);
	});
});
