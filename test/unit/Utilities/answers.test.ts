import { queryField, queryPairs } from '../../../nodes/Utilities/fields';
import { toItems } from '../../../nodes/Utilities/items';
import { failureInUtility, openEnvelope, readUtility } from '../../../nodes/Utilities/readUtility';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { answerOf } from '../answerOf';
import { pictureIn } from '../../../nodes/Utilities/fetchUtility';

const read = async (body: string | Buffer, contentType = '', status?: number, mayBeWebPage = false) =>
	await readUtility(answerOf(body, { contentType, status }), { mayBeWebPage, hasList: false });
const JSON_TYPE = 'application/json; charset=UTF-8';
const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');

describe('Response', () => {
	const page = '<!DOCTYPE html><html></html>';

	it.each<[string, string | Buffer, string | undefined, object, status?: number, mayBeWebPage?: boolean]>([
		['an envelope', '{"code":200,"message":"ok","data":[1]}', JSON_TYPE, { kind: 'json', data: [1] }],
		['other field names', '{"success":true,"msg":"ok","data":1}', JSON_TYPE, { kind: 'json', data: 1 }],
		['JSON without an envelope', '{"city":"上海"}', JSON_TYPE, { kind: 'json', data: { city: '上海' } }],
		['a list without an envelope', '[1,2]', 'application/hal+json', { kind: 'json', data: [1, 2] }],
		['text', '晴, 21°C', 'text/plain; charset=UTF-8', { kind: 'text', text: '晴, 21°C' }],
		['text like JSON', '[ti:茉莉花]\n[ar:x]', 'text/plain', { kind: 'text', text: '[ti:茉莉花]\n[ar:x]' }],
		['an empty body', '', 'text/plain', { kind: 'empty' }],
		['an image', PNG, 'image/png', { kind: 'file' }],
		['an empty image', '', 'image/png', { kind: 'empty' }],
		['a drawing', '<svg/>', 'image/svg+xml', { kind: 'file' }],
		['status 204', '', undefined, { kind: 'empty' }, 204],
		['a web page where one is expected', page, 'text/html', { kind: 'text', text: page }, 200, true],
	])('with %s is read as what it contains', async (_what, body, contentType, expected, ...more) => {
		expect(await read(body, contentType, ...more)).toMatchObject(expected);
	});

	it.each([
		['truncated JSON', '{"code":200,"data":[1,', JSON_TYPE, 'it is not valid JSON, or it was cut off'],
		['a sign-in page', page, 'text/html', 'web page'],
		['a failing code', '{"code":404,"message":"gone","data":null}', JSON_TYPE, 'has no such address'],
		['an error object', '{"error":{"message":"no"}}', JSON_TYPE, 'rejected the request: no'],
	])('with %s is a failure', async (_what, body, contentType, message) => {
		await expect(read(body, contentType)).rejects.toThrow(message);
	});

	it('keeps what arrived of JSON that ends early, because it is paid for', async () => {
		const answer = '{"code":200,"data":[1,';
		await expect(read(answer, JSON_TYPE)).rejects.toMatchObject({ facts: { partial: { answer } } });
	});
});

describe('Failure in a successful response', () => {
	const failureIn = (body: unknown): GatewayFailure | undefined =>
		failureInUtility(openEnvelope(body), false, 'r-1');

	it.each([
		[{ code: 200, data: 1 }],
		[{ code: 201, message: '', data: null }],
		[{ code: '0', data: 1 }],
		[{ code: 'CHN', data: 1 }],
		[{ code: 86, country: 'China' }],
		[{ detail: 'A long story', city: 'Bern' }],
		[{ status: 404, city: 'Bern', message: 'Sunny' }],
		[{ code: 200, message: 'ok', data: { error: 'none', city: 'Bern' } }],
		[{ code: 200, message: 'ok', data: { message: 'A joke', id: 7 } }],
		[{ error: '', city: 'Bern' }],
		[{ error: 'Type 1', title: 'Kinds of errors', text: 'Two kinds' }],
		[{ code: 200, message: 'ok', data: { code: 'Number(null) === error', question: 'What is it?' } }],
		[[]],
		[null],
	])('is not found in %j', (body) => {
		expect(failureIn(body)).toBeUndefined();
	});

	it.each([
		[{ code: 500, message: 'broken', data: null }, 'gateway', 500, 'broken'],
		[{ code: 404, message: '获取成功', data: { error: 'no such city' } }, 'notFound', 404, 'no such city'],
		[{ code: '400', msg: 'bad', data: null }, 'request', 400, 'bad'],
		[{ code: 10_001, message: 'quota', data: null }, 'request', 200, 'quota'],
		[{ error: { code: 404, msg: 'no' } }, 'notFound', 404, 'no'],
		[{ code: 200, message: 'ok', data: { error: 'no' } }, 'request', 200, 'no'],
	])('is found in %j', (body, kind, status, gatewayMessage) => {
		expect(failureIn(body)).toMatchObject({ kind, facts: { status, gatewayMessage, requestId: 'r-1' } });
	});

	it.each([
		[{ message: '暂无数据' }],
		[{ code: 200, message: '暂无数据' }],
		[{ code: 200, message: 'ok', data: { message: '暂无数据' } }],
		[{ success: true, data: { code: 0, msg: '暂无数据' } }],
	])('is only a message where the endpoint has a list: %j', (body) => {
		const failureWith = (hasList: boolean) => failureInUtility(openEnvelope(body), hasList, 'r-1');
		expect(failureWith(false)).toBeUndefined();
		expect(failureWith(true)).toMatchObject({ kind: 'request', facts: { gatewayMessage: '暂无数据' } });
	});

	it.each([
		[{ code: 200, message: 'ok', data: null }],
		[{ code: 200, message: 'ok', data: [] }],
		[{ code: 200, message: 'ok', data: [{ message: 'A title' }] }],
		[{ code: 200, message: 'ok', data: { message: 'ok', rates: { EUR: 1 } } }],
		[[{ message: 'A title' }]],
	])('is not a message beside or instead of data: %j', (body) => {
		expect(failureInUtility(openEnvelope(body), true, 'r-1')).toBeUndefined();
	});
});

describe('Items', () => {
	const settings = { simplify: true, splitOutLists: true, wantedList: '' };
	const lists = { short: [], other: [] };
	const items = (data: unknown, changes: object = {}) =>
		toItems(openEnvelope({ code: 200, message: '暂无数据', data }), { ...settings, ...changes });

	const EMPTY = { text: '', empty: true, message: 'The gateway has no content for this request: 暂无数据' };
	type Row = [string, unknown, object, unknown[]];
	const known = { lists: { list: ['a'], other: ['b'] } };
	const both = { short: [1], long: [1, 2], n: 5 };
	const main = (list: string) => ({ lists: { [list]: [] } });
	it.each<Row>([
		['the entries of a list', [{ a: 1 }, 'x', null], {}, [{ a: 1 }, { value: 'x' }, { value: null }]],
		['those of the longest list', both, {}, [{ long: 1 }, { long: 2 }]],
		['those of the main list', both, { output: { lists } }, [{ short: 1 }]],
		['those of the longest one without it', both, { output: main('gone') }, [{ long: 1 }, { long: 2 }]],
		['those of the wanted list', both, { output: main('long'), wantedList: 'short' }, [{ short: 1 }]],
		['one without a list', { a: 1 }, {}, [{ a: 1 }]],
		['one with a list that is not split out', [1, 2], { splitOutLists: false }, [{ data: [1, 2] }]],
		['the known fields of the main list', [{ a: 1, x: 2 }], { output: known }, [{ a: 1 }]],
		['those of another one', { other: [{ b: 1, x: 2 }] }, { output: known, wantedList: 'other' }, [{ b: 1 }]],
		...[null, undefined, ''].map((none): Row => ['an empty one without data', none, {}, [EMPTY]]),
		[
			'an empty one for "none"',
			{ msg: 'none' },
			{ output: { lists } },
			[expect.objectContaining({ empty: true })],
		],
		['one for words where no list is known', { message: 'A joke' }, {}, [{ message: 'A joke' }]],
	])('are %s: %j, %j', (_what, data, changes, expected) => {
		expect(items(data, changes)).toEqual(expected);
	});

	it('cannot be made from a list that the response does not have, for which a request was sent', () => {
		const misfit = (words: string) =>
			expect.objectContaining({ kind: 'input', facts: {}, description: expect.stringContaining(words) });
		expect(() => items({ a: [1] }, { wantedList: 'b' })).toThrow(misfit('The response has these lists: a.'));
		expect(() => items({ a: 1 }, { wantedList: 'b' })).toThrow(misfit('no list, so turn off Split Out'));
	});

	it('are at most 50,000', () => {
		expect(items(Array(50_000).fill(1))).toHaveLength(50_000);
		expect(() => items(Array(50_001).fill(1))).toThrow('more than 50000 entries');
	});
});

describe('Query pairs', () => {
	it('keep their order and repetitions, and need a name for each value', () => {
		const definition = queryField('Query Parameters', 'queryParameters', 'Parameters to send');
		const pairs = (parameter: unknown) => queryPairs({ parameter }, definition);
		const pair = (name: string, value: unknown) => ({ name, value });
		const given = pairs([pair(' a ', '1'), pair('a', 0), pair('a', false), pair('o', { x: 1 })]);
		expect(given.map((one) => one.join(' '))).toEqual(['a 1', 'a 0', 'a false', 'o {"x":1}']);
		expect(pairs([{ name: '', value: '' }, {}, null, pair('a', ''), pair('a', null), { name: 'a' }])).toEqual(
			[],
		);
		expect(pairs(undefined)).toEqual([]);
		expect(() => pairs([{ value: '1' }])).toThrow('Query Parameters has no name in entry 1');
	});
});

const GIF = Buffer.from('R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64');
const IMAGE = 'https://files.example/f?id=7&sig=a.b';

describe('A picture in JSON', () => {
	it('is the Base64 of a QR code', () => {
		const data = { mime_type: 'image/gif', text: 'x'.repeat(60), base64: GIF.toString('base64') };
		expect(pictureIn(data)).toMatchObject({ bytes: GIF });
	});

	it.each([
		['the daily digest', { cover: 'https://news.example/cover', image: IMAGE, link: 'https://news.example' }],
		['a wallpaper', { title: 'A lake', cover: IMAGE, link: 'https://news.example' }],
		['a text', `${IMAGE}\n`],
	])('has its address in %s', (_what, data) => {
		expect(pictureIn(data)).toEqual({ address: IMAGE });
	});

	it('may be in place of its address', () => {
		const image = `data:image/gif;base64,${GIF.toString('base64')}`;
		expect(pictureIn({ image })).toEqual({ address: image });
	});

	it.each([
		[{ text: IMAGE, link: IMAGE }],
		[{ base64: 'not a picture' }],
		[`See ${IMAGE}`],
		['text'],
		[null],
	])('is not in %j', (data) => {
		expect(pictureIn(data)).toBeUndefined();
	});
});
