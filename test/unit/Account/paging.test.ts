import { entriesOf, formatOf, valueAt } from '../../../nodes/Account/customRequest/answer';
import { firstPage, nextPage, withParameter } from '../../../nodes/Account/customRequest/paging';
import { matchesFilters } from '../../../nodes/Account/operations/getManyModels.operation';

describe('Next page', () => {
	const number = { kind: 'number', parameter: 'p', first: 0 } as const;
	const cursor = { kind: 'cursor', parameter: 'after', field: 'meta.next' } as const;
	const link = { kind: 'link', field: 'next' } as const;

	it('is counted by number until a page has no entries', () => {
		expect(firstPage(number)).toEqual({ parameter: ['p', '0'] });
		expect(nextPage(number, 1, [1], [1])).toEqual({ parameter: ['p', '1'] });
		expect(nextPage(number, 5, [1], [1])).toEqual({ parameter: ['p', '5'] });
		expect(nextPage(number, 5, [], [])).toBeUndefined();
		expect(() => nextPage(number, 1, {}, undefined)).toThrow('Items Field does not name a list');
	});

	it.each([
		['a text', { meta: { next: 'abc' } }, { parameter: ['after', 'abc'] }],
		['a number', { meta: { next: 7 } }, { parameter: ['after', '7'] }],
		['an empty text', { meta: { next: '' } }, undefined],
		['null', { meta: { next: null } }, undefined],
		['missing', {}, undefined],
		['false', { meta: { next: false } }, undefined],
	])('is found by a cursor that is %s', (_what, body, expected) => {
		expect(firstPage(cursor)).toBeUndefined();
		expect(nextPage(cursor, 1, body, [])).toEqual(expected);
	});

	it('is found by a link', () => {
		expect(nextPage(link, 1, { next: '/v1/x?page=2' }, [])).toEqual({ link: '/v1/x?page=2' });
		expect(nextPage(link, 1, {}, [])).toBeUndefined();
	});

	it('has its own parameter in place of the previous one', () => {
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

describe('valueAt', () => {
	it('returns only values that the response itself contains', () => {
		const body = { a: { b: [{ c: 1 }] }, '': 5 };
		expect(valueAt(body, 'a.b.0.c')).toBe(1);
		for (const path of ['a.x.y', 'a.b.length', 'constructor', '__proto__.toString', 'a.b.-1', 'a.b.0.c.d']) {
			expect(valueAt(body, path)).toBeUndefined();
		}
	});
});

describe('formatOf', () => {
	it.each<[string, ReturnType<typeof formatOf>]>([
		['application/json', 'json'],
		['application/problem+json', 'json'],
		['text/plain', 'text'],
		['text/html', 'text'],
		['application/xml', 'text'],
		['', 'text'],
		['image/png', 'file'],
		['application/octet-stream', 'file'],
	])('reads %j as %s', (contentType, format) => {
		expect(formatOf(contentType)).toBe(format);
	});
});

describe('entriesOf', () => {
	it('returns the list in the field, or a response that is a list', () => {
		expect(entriesOf([1, 2], '')).toEqual([1, 2]);
		expect(entriesOf({ data: [1] }, '')).toBeUndefined();
		expect(entriesOf({ data: [1] }, 'data')).toEqual([1]);
		expect(() => entriesOf({ data: 1 }, 'data')).toThrow('no list in the field "data"');
	});
});

describe('matchesFilters', () => {
	it('requires a model to match all filters', () => {
		const model = {
			id: 'aurora-4',
			owned_by: 'Aurora',
			created: 1_700_000_000,
			supported_endpoint_types: ['openai', 'embeddings'],
		};
		expect(matchesFilters(model, {})).toBe(true);
		expect(matchesFilters(model, { text: 'AURORA' })).toBe(true);
		expect(matchesFilters(model, { text: 'sonata' })).toBe(false);
		expect(matchesFilters(model, { owner: ' aurora ' })).toBe(true);
		expect(matchesFilters(model, { owner: 'auro' })).toBe(false);
		expect(matchesFilters(model, { endpointType: 'Embeddings', owner: 'aurora' })).toBe(true);
		expect(matchesFilters(model, { endpointType: 'embed' })).toBe(false);
		expect(matchesFilters(model, { createdAfter: 1_699_999_999_000 })).toBe(true);
		expect(matchesFilters(model, { createdAfter: 1_700_000_000_000 })).toBe(false);
		expect(matchesFilters({ id: 'x' }, { createdAfter: 0 })).toBe(false);
		expect(matchesFilters({ id: 'x' }, { endpointType: 'x' })).toBe(false);
	});
});
