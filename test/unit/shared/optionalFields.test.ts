import { OptionalFields, underUsualName } from '../../../nodes/shared/answer/optionalFields';

type Read = (fields: OptionalFields, value: unknown) => unknown;
const text: Read = (fields, value) => fields.text(value, 'a');
const count: Read = (fields, value) => fields.count(value, 'a');
const flag: Read = (fields, value) => fields.flag(value, 'a');
const time: Read = (fields, value) => fields.time(value, 'a');
const record: Read = (fields, value) => fields.record(value, 'a');
const cost: Read = (fields, value) => fields.cost({ cost: value });
const texts: Read = (fields, value) => fields.list(value, 'a', textOf, 2);
const textOf = (entry: unknown) => (typeof entry === 'string' ? entry : undefined);

describe('A field that nothing depends on', () => {
	it.each<[Read, unknown, unknown]>([
		[text, 'one', 'one'],
		[text, 7, '7'],
		[count, 7, 7],
		[count, '7', 7],
		[cost, 0.5, 0.5],
		[cost, { total_cost: '0.5', input_cost: 0.1 }, 0.5],
		[flag, false, false],
		[flag, true, true],
		[time, 1, '1970-01-01T00:00:01.000Z'],
		...[0, '0'].map((zero): [Read, unknown, unknown] => [time, zero, undefined]),
		[record, { b: 1 }, { b: 1 }],
		[texts, ['one', 'two'], ['one', 'two']],
	])('is read: %p of %j', (read, value, expected) => {
		const fields = new OptionalFields();
		expect(read(fields, value)).toEqual(expected);
		expect([fields.leftOut, fields.hint]).toEqual([[], undefined]);
	});

	it.each([undefined, null, '', ' ', {}, []])('may be empty: %j', (value) => {
		const fields = new OptionalFields();
		for (const read of [count, flag, time, cost]) expect(read(fields, value)).toBeUndefined();
		expect(record(fields, value)).toEqual({});
		expect(fields.leftOut).toEqual([]);
	});

	it.each<[Read, unknown, unknown, string]>([
		[text, true, undefined, 'a'],
		[count, 'many', undefined, 'a'],
		[count, 0 / 0, undefined, 'a'],
		[cost, { total_cost: 'low' }, undefined, 'usage.cost'],
		[flag, 'yes', undefined, 'a'],
		[time, 'soon', undefined, 'a'],
		[record, 'x', {}, 'a'],
		[texts, ['one', 2], ['one'], 'a.1'],
	])('is left out and noted if it cannot be read: %p of %j', (read, value, expected, name) => {
		const fields = new OptionalFields();
		expect(read(fields, value)).toEqual(expected);
		expect(fields.leftOut).toEqual([name]);
		expect(fields.hint).toBe(`Parts of the gateway's response could not be read and were left out: ${name}`);
	});

	it('is named once, and only the first five are', () => {
		const fields = new OptionalFields();
		for (const name of ['a', 'a', 'b', 'c', 'd', 'e']) fields.text(true, name);
		expect(fields.hint).toMatch(/: a, b, c, d, e$/);
		fields.text(true, 'f');
		expect(fields.hint).toMatch(/: a, b, c, d, e, and 1 more$/);
	});
});

describe('A list that a result depends on', () => {
	const read = (value: unknown, most?: number) => new OptionalFields().list(value, 'a', textOf, most);

	it.each<[unknown, string]>([
		[undefined, 'the field "a" is missing, or is not a list'],
		[[1, 2], 'the field "a.0" cannot be read'],
		[['one', 'two', 'three'], 'the field "a" has more than 2 entries'],
	])('has a failure of its own: %j', (value, problem) => {
		expect(() => read(value, 2)).toThrow(problem);
	});

	it('may be empty', () => expect(read([])).toEqual([]));
});

describe('A list under one of several names', () => {
	const find = (body: unknown) => underUsualName(body, ['results', 'items']);

	it.each<[unknown, string, unknown, unknown]>([
		[{ results: [1, 2], id: 7 }, 'results', { id: 7, results: [2] }, { id: 7 }],
		[{ items: [1, 2], results: null }, 'items', { results: null, items: [2] }, { results: null }],
		[[1, 2], 'results', { results: [2] }, {}],
		...['data', 'result', 'output', 'embeddings', 'embedding'].map(
			(name): [unknown, string, unknown, unknown] => [
				{ id: 7, [name]: { items: [1, 2], n: 1 } },
				`${name}.items`,
				{ id: 7, [name]: { n: 1, items: [2] } },
				{ id: 7, [name]: { n: 1 } },
			],
		),
		[
			{ id: 7, data: [1, 2], output: { items: [1, 2] } },
			'output.items',
			expect.anything(),
			{
				id: 7,
				data: [1, 2],
			},
		],
	])('is found with what stands around it: %j', (body, name, withLast, without) => {
		const found = find(body)!;
		expect([found.name, found.value]).toEqual([name, [1, 2]]);
		expect(found.restWith([2])).toEqual(withLast);
		expect(found.restWith([])).toEqual(without);
	});

	it.each([undefined, 'text', { results: {} }, { other: { results: [1] } }])('is not in %j', (body) => {
		expect(find(body)).toBeUndefined();
	});
});
