import type { UtilityOutput } from '../../../nodes/Utilities/catalogue/utility';
import {
	toItems,
	fieldsOfWhole,
	simplifyEntry,
	simplifyWhole,
	withZone,
} from '../../../nodes/Utilities/items';
import { openEnvelope } from '../../../nodes/Utilities/readUtility';

const NOON = 1_787_313_600_000;
const NOON_TEXT = '2026-08-21T12:00:00.000Z';

describe('Simplified output', () => {
	it.each<[string, object, UtilityOutput, object]>([
		[
			'the fields of the catalogue in its order, by path and by name',
			{ b: 1, rest: 2, place: { city: 'Bern' }, album: { name: 'Blue' }, url: 'x' },
			{ fields: [['link', 'link', 'url'], 'place.city', ['album', 'album.name'], 'b'] },
			{ link: 'x', city: 'Bern', album: 'Blue', b: 1 },
		],
		['the first value', { a: '', b: null, c: 'x' }, { fields: [['name', 'a', 'b', 'c']] }, { name: 'x' }],
		['no value', { a: null, b: '' }, { fields: [['name', 'a', 'b', 'c']] }, { name: null }],
		[
			'joined lists of texts, and the same field of the objects in a list',
			{ artists: [{ name: 'A' }, { name: 'B' }, {}], tips: ['One, two', 'Three'], tags: [] },
			{ fields: ['artists.name', 'tips', 'tags'], lines: ['tips'] },
			{ name: 'A, B', tips: 'One, two\nThree', tags: '' },
		],
	])('has %s', (_what, data, output, expected) => {
		expect(Object.entries(simplifyWhole(data as never, output))).toEqual(Object.entries(expected));
	});

	it('copies fields of the response into the entries of its list', () => {
		const around = { base: 'EUR', place: { name: 'Bern' } };
		const fields = ['rate', '^base', '^place.name', '^gone'];
		const expected = { rate: 2, base: 'EUR', name: 'Bern' };
		expect(simplifyEntry({ rate: 2, more: 1 }, around, fields)).toEqual(expected);
	});

	it('of a whole response has its own fields and its simplified list by default', () => {
		const output = { lists: { rates: ['currency', 'rate', '^base', '^day.at_noon_at'] } };
		expect(fieldsOfWhole(output)).toEqual([['base', 'base'], ['at_noon_at', 'day.at_noon_at'], 'rates']);
		const rates = [{ currency: 'CHF', rate: 2, id: 7 }, 'odd'];
		const expected = { base: 'EUR', at_noon_at: NOON_TEXT, rates: [{ currency: 'CHF', rate: 2 }, 'odd'] };
		expect(simplifyWhole({ base: 'EUR', day: { at_noon_at: NOON }, rates }, output)).toEqual(expected);
	});
});

describe('Simplified values', () => {
	it('are numbers where a gateway sends them as texts', () => {
		const output: UtilityOutput = { lists: { list: ['name', 'price', 'year'] }, numbers: ['price', 'year'] };
		const film = (name: string, price: unknown, year: unknown) => ({ name, price, year });
		const list = [film('1', '12.50', '1999'), film('2', 7, 'BC 3'), film('3', null, '2001')];
		const expected = [film('1', 12.5, 1999), film('2', 7, 'BC 3'), film('3', null, 2001)];
		const settings = { simplify: true, wantedList: '', output };
		const items = (splitOutLists: boolean) => toItems(openEnvelope({ list }), { ...settings, splitOutLists });
		expect(items(true)).toEqual(expected);
		expect(items(false)).toEqual([{ list: expected }]);
	});
});

describe('A response that the catalogue does not know', () => {
	const fields = [['text', 'joke'] as [string, string], 'joke', 'index'];

	it.each([[{ quote: 'Hello', index: 3 }], [{}], [{ data: [1] }], [{ constructor: 1, length: 2 }]])(
		'stays as it is: %j',
		(data) => {
			expect(simplifyWhole(data, { fields })).toEqual(data);
			expect(simplifyEntry(data, data, fields)).toEqual(data);
		},
	);

	it('may lack a list that is only a part of it, and the texts of a list are no list', () => {
		const output = { fields: ['city', ['alerts', 'alerts.detail']] as never, lists: { alerts: ['detail'] } };
		expect(simplifyWhole({ city: 'Bern' }, output)).toEqual({ city: 'Bern' });
		expect(simplifyWhole({ city: 'Bern', alerts: [] }, output)).toEqual({ city: 'Bern', alerts: '' });
		expect(simplifyWhole({ city: 'Bern', alerts: [{ detail: 'Rain' }] }, output).alerts).toBe('Rain');
	});

	it('keeps all of its fields when it has not even the list', () => {
		const output = { lists: { rates: ['currency', '^base', '^updated_at', '^next_updated_at'] } };
		const data = { base: 'EUR', updated_at: NOON, next_updated_at: NOON, conversion: { CHF: 2 } };
		const times = { updated_at: NOON_TEXT, next_updated_at: NOON_TEXT };
		expect(simplifyWhole(data, output)).toEqual({ ...data, ...times });
	});
});

describe('A moment', () => {
	const momentOf = (data: object) => simplifyWhole(data as never, { fields: ['updated_at'] }).updated_at;

	it.each([NOON, String(NOON)])('is an ISO time for %j', (value) => {
		expect(momentOf({ updated_at: value, updated: '2026-08-21 20:00:00' })).toBe(NOON_TEXT);
	});

	it.each([1e300, 0, '0', '', null])('is left out when it is %j', (value) => {
		expect(simplifyWhole({ updated_at: value, a: 1 }, { fields: ['updated_at', 'a'] })).toEqual({ a: 1 });
		expect(simplifyWhole({ updated_at: value, a: 1 })).toEqual({ a: 1 });
	});

	it('comes with its readable text, which stays when there is no moment', () => {
		const output = { fields: ['sun.rises_at', '^around_at'] };
		const sun = { rises_at: NOON, rises: '20:00' };
		const expected = { rises_at: NOON_TEXT, rises: '20:00', around: 'noon' };
		expect(simplifyWhole({ sun, around_at: 0, around: 'noon' }, output)).toEqual(expected);
	});

	it.each([0, null, '', undefined])('is the readable text, under its name, when it is %j', (none) => {
		const sent = { updated: '2026-08-21 20:00:00' };
		const item = { updated: '2026-08-21T20:00:00+08:00' };
		expect(simplifyWhole({ updated_at: none, ...sent }, { fields: ['updated_at'] })).toEqual(item);
		expect(simplifyWhole(sent, { fields: ['updated_at'] })).toEqual(item);
	});

	it.each([
		['2026-08-21 20:00:00', NOON, '2026-08-21T20:00:00+08:00'],
		['2026/08/21 20:00', NOON + 59_000, '2026-08-21T20:00:59+08:00'],
		// Other gateways, in UTC, Delhi, and Chicago: the moment counts.
		['2026-08-21 12:00:00', NOON, '2026-08-21T20:00:00+08:00'],
		['2026-08-21 17:30:00', String(NOON), '2026-08-21T20:00:00+08:00'],
		['2026-08-21 07:00:00', NOON, '2026-08-21T20:00:00+08:00'],
		['2026-8-1 9:05', undefined, '2026-08-01T09:05:00+08:00'],
		...['2026-08-21', '20:00', '今天 8:00', '2026-08-21T12:00:00Z', '3 hours ago'].map(
			(text): [string, undefined, string] => [text, undefined, text],
		),
	])('has the zone of %s beside %s: %s', (text, moment, expected) => {
		expect(withZone(text, moment)).toBe(expected);
		const known = simplifyWhole({ updated: text, updated_at: moment ?? null }, { fields: ['updated_at'] });
		expect(known.updated).toBe(expected);
		const unknown = simplifyWhole({ updated: text, updated_at: moment ?? null });
		expect(unknown.updated).toBe(expected);
		const alone = simplifyWhole({ updated: text, datetime: text }, { fields: ['updated', 'datetime'] });
		if (moment === undefined) expect(alone).toEqual({ updated: expected, datetime: expected });
		expect(Date.parse(expected) >= 0 || expected === text).toBe(true);
	});

	it('has ISO times also in a response of an unknown shape', () => {
		const unknown = { created_at: NOON, created: 'noon', rows: [{ created_at: NOON }] };
		const expected = { ...unknown, created_at: NOON_TEXT };
		expect(simplifyWhole(unknown)).toEqual(expected);
		expect(simplifyEntry(unknown, {}, undefined)).toEqual(expected);
	});
});
