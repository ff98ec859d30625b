import { entriesOf, formatOf } from '../../../nodes/Account/customAnswer';
import { fits } from '../../../nodes/Account/filterModels';
import { firstPage, nextPage, valueAt, withParameter } from '../../../nodes/Account/paging';

describe('the next page', () => {
	const number = { kind: 'number', parameter: 'p', first: 0 } as const;
	const cursor = { kind: 'cursor', parameter: 'after', field: 'meta.next' } as const;
	const link = { kind: 'link', field: 'next' } as const;

	test('by number: counted until a page has no entries', () => {
		expect(firstPage(number)).toEqual({ parameter: ['p', '0'] });
		expect(nextPage(number, 1, [1], [1])).toEqual({ parameter: ['p', '1'] });
		expect(nextPage(number, 5, [1], [1])).toEqual({ parameter: ['p', '5'] });
		expect(nextPage(number, 5, [], [])).toBeUndefined();
		expect(() => nextPage(number, 1, {}, undefined)).toThrow('Items Field names no list');
	});

	test.each([
		['a text', { meta: { next: 'abc' } }, { parameter: ['after', 'abc'] }],
		['a number', { meta: { next: 7 } }, { parameter: ['after', '7'] }],
		['an empty text', { meta: { next: '' } }, undefined],
		['null', { meta: { next: null } }, undefined],
		['nothing', {}, undefined],
		['false', { meta: { next: false } }, undefined],
	])('by cursor: %s', (_what, body, expected) => {
		expect(firstPage(cursor)).toBeUndefined();
		expect(nextPage(cursor, 1, body, [])).toEqual(expected);
	});

	test('by link', () => {
		expect(nextPage(link, 1, { next: '/v1/x?page=2' }, [])).toEqual({ link: '/v1/x?page=2' });
		expect(nextPage(link, 1, {}, [])).toBeUndefined();
	});

	test('its parameter takes the place of the one before', () => {
		expect(
			withParameter(
				[
					['a', '1'],
					['p', '1'],
					['a', '2'],
				],
				['p', '2'],
			),
		).toEqual([
			['a', '1'],
			['a', '2'],
			['p', '2'],
		]);
	});
});

test('a dotted path sees what the answer itself holds, and nothing else', () => {
	const body = { a: { b: [{ c: 1 }] }, '': 5 };
	expect(valueAt(body, 'a.b.0.c')).toBe(1);
	for (const path of ['a.x.y', 'a.b.length', 'constructor', '__proto__.toString', 'a.b.-1', 'a.b.0.c.d']) {
		expect(valueAt(body, path)).toBeUndefined();
	}
});

test.each<[string, ReturnType<typeof formatOf>]>([
	['application/json', 'json'],
	['application/problem+json', 'json'],
	['text/plain', 'text'],
	['text/html', 'text'],
	['application/xml', 'text'],
	['', 'text'],
	['image/png', 'file'],
	['application/octet-stream', 'file'],
])('%s is read as %s', (contentType, format) => {
	expect(formatOf(contentType)).toBe(format);
});

test('entries: of the field, or of an answer that is a list', () => {
	expect(entriesOf([1, 2], '')).toEqual([1, 2]);
	expect(entriesOf({ data: [1] }, '')).toBeUndefined();
	expect(entriesOf({ data: [1] }, 'data')).toEqual([1]);
	expect(() => entriesOf({ data: 1 }, 'data')).toThrow('no list in the field "data"');
});

test('filters of models: all that is set must hold', () => {
	const model = {
		id: 'aurora-4',
		owned_by: 'Aurora',
		created: 1_700_000_000,
		supported_endpoint_types: ['openai', 'embeddings'],
	};
	expect(fits(model, {})).toBe(true);
	expect(fits(model, { text: 'AURORA' })).toBe(true);
	expect(fits(model, { text: 'sonata' })).toBe(false);
	expect(fits(model, { owner: ' aurora ' })).toBe(true);
	expect(fits(model, { owner: 'auro' })).toBe(false);
	expect(fits(model, { endpointType: 'Embeddings', owner: 'aurora' })).toBe(true);
	expect(fits(model, { endpointType: 'embed' })).toBe(false);
	expect(fits(model, { createdAfter: 1_699_999_999_000 })).toBe(true);
	expect(fits(model, { createdAfter: 1_700_000_000_000 })).toBe(false);
	expect(fits({ id: 'x' }, { createdAfter: 0 })).toBe(false);
	expect(fits({ id: 'x' }, { endpointType: 'x' })).toBe(false);
});
