import type { IBinaryData, IDataObject } from 'n8n-workflow';
import {
	entriesOf,
	jsonValue,
	OptionValues,
	type ParameterDefinition,
	ParameterReader,
	pickedIn,
	toFlag,
	toNumber,
	toTextOrChoice,
} from '../../../nodes/shared/run/parameterReader';
import { FakeContext, type FakeSettings } from './fakeContext';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { Call } from '../../../nodes/shared/run/call';
import { RunResources } from '../../../nodes/shared/run/runResources';
import { Capacity, runPool } from '../../../nodes/shared/run/pool';
import { PaidResults } from '../../../nodes/shared/run/paidResults';
import { PaidGateway } from './paidGateway';
import { FakeClock } from '../fakeClock';
import type { GatewayClient } from '../../../nodes/shared/send/client';

const PROMPT = { displayName: 'Prompt', name: 'prompt' };
const COUNT = { displayName: 'Count', name: 'count', typeOptions: { minValue: 1, maxValue: 4 }, default: 2 };

describe('A parameter', () => {
	it.each<[string, unknown, number]>([
		['a text', 'Hello', 2],
		['an object', { a: null }, 2],
		['a list', { list: [{ a: 'b=' }] }, 2],
		// Whether it has an expression is asked once.
		['an expression', (index: number) => `Prompt ${index}`, 4],
		['an expression in an object', { a: { b: '={{ $json }}' } }, 4],
	])('is asked for once, or for each item if it has an expression: %s', (_what, prompt, reads) => {
		const context = new FakeContext({ parameters: { prompt } });
		const parameters = new ParameterReader(context.execute);
		const read = [0, 1, 2].map((item) => parameters.read('prompt', item));
		const isFunction = typeof prompt === 'function';
		expect(read).toEqual(isFunction ? ['Prompt 0', 'Prompt 1', 'Prompt 2'] : [prompt, prompt, prompt]);
		expect(context.reads).toHaveLength(reads);
	});
});

describe('A text that must not be empty', () => {
	it('is returned as it is, or named', () => {
		const text = (prompt: string) => callWith({ parameters: { prompt } }).call.requiredText(PROMPT);
		expect(text(' Hello ')).toBe(' Hello ');
		expect(() => text(' \n')).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: 'Prompt is empty',
				description: expect.stringMatching(/^Enter a value for Prompt\. .*this item has the field/),
			}),
		);
	});
});

describe('The entries of a fixed collection', () => {
	it('are those of its one kind', () => {
		const FIELDS = { ...PROMPT, options: [{ name: 'field', displayName: 'Field', values: [] }] };
		expect(entriesOf({ field: [{ name: 'a' }] }, FIELDS)).toEqual([{ name: 'a' }]);
		for (const odd of [{}, null, '', { field: 'text' }, { other: [{ name: 'a' }] }]) {
			expect(entriesOf(odd, FIELDS)).toEqual([]);
		}
	});
});

describe('A JSON parameter', () => {
	it('is rejected with an example if it is not JSON', () => {
		expect(() => jsonValue('{a}', PROMPT, '{"seed": 7}')).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: 'Prompt is not valid JSON',
				description: 'Check commas, brackets, and quotation marks. The value should look like {"seed": 7}.',
			}),
		);
	});
});

describe('A number', () => {
	const rejected = (value: unknown, definition: Parameters<typeof toNumber>[1]) => {
		try {
			return toNumber(value, definition);
		} catch (error) {
			return `${(error as Error).message}. ${(error as { description: string }).description}`;
		}
	};

	it('may be a text, and may have any value without limits', () => {
		const values = [7, -1e9, '7', ' 0.5 ', '0', '8.0', ' 8\n', '+8', '-.5', '1e3'];
		expect(values.map((value) => toNumber(value, PROMPT))).toEqual([7, -1e9, 7, 0.5, 0, 8, 8, 8, -0.5, 1000]);
	});

	const enter = 'Enter a number, or an expression that returns a number.';
	const comma = 'Enter a number without commas and with a decimal point, for example 8.5.';
	it.each<[string, unknown[]]>([
		[`. ${enter}`, ['', ' ', null, undefined, true, Number.NaN, Infinity, []]],
		[': "8,5". ' + comma, ['8,5']],
		[': "1.000,5". ' + comma, ['1.000,5']],
		[': "0x10". ' + enter, ['0x10']],
		[': "8px". ' + enter, ['8px']],
	])('is refused with the words "Prompt is not a number%s": %j', (words, values) => {
		for (const value of values) expect(rejected(value, PROMPT)).toBe(`Prompt is not a number${words}`);
	});

	it('is within the limits of the parameter', () => {
		expect([1, 2.5, 4].map((value) => toNumber(value, COUNT))).toEqual([1, 2.5, 4]);
		const refusal = (value: number, typeOptions: object) => rejected(value, { ...COUNT, typeOptions });
		const both = 'but must be a number from 1 to 4. Enter a number from 1 to 4.';
		expect([0.9, 4.1].map((value) => rejected(value, COUNT))).toEqual([
			`Count is 0.9, ${both}`,
			`Count is 4.1, ${both}`,
		]);
		expect(refusal(-1, { minValue: 0 })).toBe('Count is -1, but must be 0 or more. Enter 0 or more.');
		expect(refusal(1, { maxValue: 0 })).toBe('Count is 1, but must be 0 or less. Enter 0 or less.');
	});

	it('is whole if the parameter says so', () => {
		const whole = { ...COUNT, typeOptions: { numberPrecision: 0 } };
		expect(toNumber(3, whole)).toBe(3);
		expect(rejected(2.5, whole)).toBe('Count is 2.5, but must be a whole number. Enter a whole number.');
		expect(toNumber(2.5, { ...COUNT, typeOptions: { numberPrecision: 1 } })).toBe(2.5);
		expect(toNumber('3.0', whole)).toBe(3);
		// In German, a thousand.
		expect(rejected('1.000', whole)).toBe(
			'Count is 1.000, but must be a whole number. Enter a whole number.',
		);
	});
});

describe('A switch', () => {
	it.each<[boolean, unknown[]]>([
		[true, [true, 1, '1', 'true', 'TRUE', 'yes', ' Yes\n']],
		[false, [false, 0, '0', 'false', 'FALSE', 'no', ' No']],
	])('is %s in every usual spelling', (flag, spellings) => {
		for (const value of spellings) expect(toFlag(value, PROMPT)).toBe(flag);
	});

	it.each([['maybe'], ['on'], [2], [Number.NaN], ['truee'], [[true]], [{}], ['01']])('is not %j', (value) => {
		expect(() => toFlag(value, PROMPT)).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: expect.stringMatching(/^Prompt is neither on nor off: "/),
				description: 'Enter true or false. 1 and 0, and yes and no, are accepted as well.',
			}),
		);
	});
});

describe('A choice', () => {
	const choices = (...values: string[]) => values.map((value) => ({ name: `The ${value}`, value }));
	const VOICE: ParameterDefinition = {
		displayName: 'Voice',
		name: 'voice',
		type: 'options',
		default: 'any',
		options: choices('any', 'f', '2K'),
	};

	it('may be named in any usual way', () => {
		for (const value of ['f', 'F', ' f ', 'The f', 'the F']) expect(toTextOrChoice(value, VOICE)).toBe('f');
		expect(toTextOrChoice('2k', VOICE)).toBe('2K');
		for (const value of ['', ' ', null, undefined]) expect(toTextOrChoice(value, VOICE)).toBe('any');
	});

	it.each([['female'], ['fm'], [1], [true], [{ a: 1 }], [['f', 'any']]])('is not %j', (value) => {
		expect(() => toTextOrChoice(value, VOICE)).toThrow('which is not one of the choices');
	});

	it('may be anything where one of the choices is Custom', () => {
		const custom = { ...VOICE, options: [...choices('2K'), { name: 'Custom', value: 'custom' }] };
		expect(toTextOrChoice(' 640x480 ', custom)).toBe('640x480');
		expect(toTextOrChoice(' 2k', custom)).toBe('2K');
	});

	it('is none in a parameter without choices, whose text stays as it is', () => {
		expect(toTextOrChoice(' a ', { displayName: 'Prompt', name: 'prompt' })).toBe(' a ');
	});
});

describe('Options', () => {
	const STYLE = { displayName: 'Style', name: 'style', default: 'plain' };
	const NOTIFY = { displayName: 'Notify', name: 'notify', default: true };

	const EMPTY = [undefined, null, '', ' '];
	type Row = [method: keyof OptionValues, definition: ParameterDefinition, value: unknown, read: unknown];

	it.each<Row>([
		['value', STYLE, { a: 1 }, { a: 1 }],
		['value', STYLE, undefined, undefined],
		['text', STYLE, ' bold ', 'bold'],
		['text', STYLE, 7, '7'],
		['text', STYLE, { a: 1 }, ''],
		['text', STYLE, new Date(0), '1970-01-01T00:00:00.000Z'],
		['text', STYLE, undefined, ''],
		['text', { ...STYLE, type: 'options', options: [] }, ['a'], '["a"]'],
		['texts', STYLE, ['a', ['b', 7], [], ''], ['a', 'b', '7']],
		['texts', STYLE, [[]], undefined],
		['textOrDefault', STYLE, 'bold', 'bold'],
		['textOrDefault', STYLE, ' ', 'plain'],
		['textOrDefault', PROMPT, undefined, ''],
		['number', COUNT, '3', 3],
		...EMPTY.map((empty): Row => ['number', COUNT, empty, undefined]),
		['numberOrDefault', COUNT, 3, 3],
		['numberOrDefault', COUNT, undefined, 2],
		['numberOrDefault', { ...COUNT, typeOptions: {} }, 0, 0],
		['numberOrDefault', { ...COUNT, typeOptions: {} }, '0', 0],
		['flag', NOTIFY, 'yes', true],
		['flag', NOTIFY, 0, false],
		...EMPTY.map((empty): Row => ['flag', NOTIFY, empty, false]),
	])('are read by %s: %j, %j is %j', (method, definition, value, read) => {
		const values = new OptionValues({ [definition.name]: value } as IDataObject);
		expect((values[method] as (one: object) => unknown).call(values, definition)).toEqual(read);
	});
});

const TEXT = { displayName: 'Prompt', name: 'prompt' };
const FLAG = { displayName: 'Simplify', name: 'simplify' };

/** A call for an item, with a gateway that answers everything. */
function callWith(settings: FakeSettings = {}, itemIndex = 0, tries: object = {}) {
	const context = new FakeContext(settings);
	const gateway = new PaidGateway();
	const results = new PaidResults(tries as never, { runIndex: 0 });
	const resources = new RunResources(context.execute, gateway.client, { results });
	return { call: new Call(resources, itemIndex), context, gateway };
}
const parameter = (prompt: unknown) => callWith({ parameters: { prompt } }).call;
const options = (values: object) => callWith({ parameters: { options: values } }).call;

describe('A choice or a flag of an item', () => {
	it('is off when the node does not show it, and has its default when the cell of a table is empty', () => {
		const on = { ...FLAG, default: true };
		const read = (simplify: unknown) => callWith({ parameters: { simplify } }).call.flag(on);
		expect(read(null)).toBe(false);
		expect(['', ' '].map(read)).toEqual([true, true]);
		for (const empty of [undefined, null]) {
			expect(callWith({ parameters: { simplify: () => empty } }).call.flag(on)).toBe(true);
		}
	});

	it('has a number that is its default when the cell of a table is empty', () => {
		const count = (value: unknown) => callWith({ parameters: { count: () => value } }).call.number(COUNT);
		expect(['', ' ', undefined, null, 3, '3'].map(count)).toEqual([2, 2, 2, 2, 3, 3]);
	});

	it('may be picked from a list, without white space around the ID', () => {
		expect(parameter(' small ').picked(TEXT)).toBe('small');
		expect(parameter({ __rl: true, mode: 'list', value: ' small ' }).picked(TEXT)).toBe('small');
		expect(parameter(7).picked(TEXT)).toBe('7');
		expect([null, undefined].map(pickedIn)).toEqual(['', '']);
		expect(() => parameter(' ').picked(TEXT)).toThrow('Prompt is empty');
	});
});

describe('The options of an item', () => {
	it('say how to send requests', () => {
		const numbers = { maxRetries: 0, maxRateLimitRetries: 1, timeoutSeconds: 7, totalTimeLimitMinutes: 30 };
		const texts = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number)]));
		for (const set of [
			{ ...numbers, retryUnclear: true },
			{ ...texts, retryUnclear: 'yes' },
		]) {
			expect(options(set).requestOptions).toEqual({
				maxRetries: 0,
				maxRateLimitRetries: 1,
				timeoutSeconds: 7,
				totalMinutes: 30,
				repeatsUnclear: true,
			});
		}
		expect(options({}).requestOptions).toEqual({ repeatsUnclear: false });
	});

	it.each([
		[{ maxRetries: -1 }, 'Max Retries is -1'],
		[{ timeoutSeconds: 0 }, 'Timeout (Seconds) is 0'],
		[{ totalTimeLimitMinutes: 0 }, 'Total Time Limit (Minutes) is 0'],
	])('cannot be %j', (set, message) => {
		expect(() => options(set).requestOptions).toThrow(message);
	});

	it.each([
		['{"seed": 7}', { seed: 7 }],
		...['', ' ', null, undefined].map((empty): [unknown, object] => [empty, {}]),
	])('may add fields to the body: %j', (extraBodyFields, expected) => {
		expect(options({ extraBodyFields }).extraBodyFields).toEqual(expected);
	});

	it.each([['[1]'], ['7'], ['null'], [[1]]])('cannot add %j to the body', (extraBodyFields) => {
		expect(() => options({ extraBodyFields }).extraBodyFields).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: 'Extra Body Fields is not a JSON object',
				description: 'Enter an object, for example {"seed": 7}.',
			}),
		);
	});
});

describe('What a call knows of its run', () => {
	it('is whether a failure stops the run', () => {
		const failure = new GatewayFailure('input', 'Bad', '');
		const { stopsAt } = callWith().call.pool;
		expect(stopsAt?.({ failure })).toBe(true);
		expect(stopsAt?.([{ result: {} }, { failure }])).toBe(true);
		expect(stopsAt?.([{ result: {} }])).toBe(false);
		expect(stopsAt?.([])).toBe(false);
		expect(callWith({ continueOnFail: true }).call.pool.stopsAt).toBeUndefined();
	});

	it('is that a stop ends what an operation runs itself', async () => {
		const cancel = new AbortController();
		const { pool } = callWith({ signal: cancel.signal, continueOnFail: true }).call;
		const worker = async (text: string) => {
			if (text === 'b') cancel.abort();
			return { text };
		};
		const results = await runPool(['a', 'b', 'c'], worker, { ...pool, capacity: new Capacity(() => 1) });
		expect(results).toEqual([{ text: 'a' }, { text: 'b' }, undefined]);
	});
});

describe('A file of a result', () => {
	const file = (id: string) => ({ file: { id, mimeType: 'image/png', data: '' } satisfies IBinaryData });

	it('is downloaded once for all tries, for the same link, unless n8n has deleted it', async () => {
		const tries = {};
		// The name of a file may contain the time.
		const keep = async (link: string, id: string) =>
			await callWith({}, 0, tries).call.keepFile([link, `Name ${id}`], async () => file(id));
		expect(await keep('https://files.example/a', 'one')).toEqual(file('one'));
		expect(await keep('https://files.example/a', 'two')).toEqual(file('one'));
		expect(await keep('https://files.example/b', 'deleted:1')).toEqual(file('deleted:1'));
		expect(await keep('https://files.example/b', 'three')).toEqual(file('three'));
	});
});

describe('A text that an expression made of an object', () => {
	const PROMPT = { displayName: 'Prompt', name: 'prompt' };

	it.each([
		['Sum up [object Object], please', 1],
		['Sum up [object], please', 0],
	])('is warned of before anything is paid for: %s', (prompt, count) => {
		const { execute } = new FakeContext({ parameters: { prompt } });
		const client = { clock: new FakeClock(), lanes: { width: 1 } } as unknown as GatewayClient;
		const run = new RunResources(execute, client);
		expect(new Call(run, 0).requiredText(PROMPT)).toBe(prompt);
		expect([...run.warnings]).toEqual(
			new Array(count).fill(expect.stringContaining('Prompt contains "[object Object]"')),
		);
		expect([...run.hints.keys()]).toEqual([...run.warnings]);
	});
});
