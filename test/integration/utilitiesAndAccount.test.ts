import { startEmulator, type Emulator } from '../../emulator';
import { fileBytes, oneNode, runWorkflow } from './engine/runWorkflow';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.journal.clear();
});

const credential = () => ({ baseUrl: emulator.url, apiKey: emulator.apiKey });
const news = async (operation: string, parameters: object = {}) =>
	await runWorkflow(
		oneNode('utilities', {
			resource: 'news',
			operation,
			encoding: 'json',
			simplify: true,
			splitOutLists: false,
			binaryPropertyName: 'data',
			options: {},
			...parameters,
		}),
		{ credential: credential() },
	);

test.each([
	['worldNews', { date: expect.any(String), news: expect.any(Array) }, {}],
	['aiNews', { news: expect.any(Array) }, {}],
	['todayInHistory', {}, {}],
	['breakDigest', {}, {}],
	['techNews', {}, { type: 'top', splitOutLists: true }],
])('%s in JSON and as text', async (operation, expected, parameters) => {
	const json = await news(operation, parameters);
	expect(json.error).toBeUndefined();
	expect(json.items[0].json).toMatchObject(expected);
	for (const encoding of ['text', 'markdown']) {
		const { items } = await news(operation, { ...parameters, encoding });
		expect(items).toHaveLength(1);
		expect(items[0].json).toEqual({ text: expect.stringMatching(/\S/) });
	}
});

test('the digest: split out, with its envelope, and as a picture from another host without the key', async () => {
	expect((await news('worldNews', { splitOutLists: true })).items.length).toBe(15);
	expect((await news('worldNews', { simplify: false })).items[0].json).toMatchObject({ code: 200, data: {} });
	for (const encoding of ['image', 'image-proxy']) {
		emulator.journal.clear();
		const { items, error } = await news('worldNews', { encoding });
		expect(error).toBeUndefined();
		expect(items[0].binary!.data).toMatchObject({ mimeType: 'image/png', fileName: 'World News Digest.png' });
		expect((await fileBytes(items[0].binary!.data)).subarray(1, 4).toString()).toBe('PNG');
		const keys = emulator.journal.entries().map(({ path, key }) => [path.startsWith('/v2/apis'), key]);
		expect(keys).toEqual(
			encoding === 'image'
				? [
						[true, 'valid'],
						[false, 'missing'],
					]
				: [[true, 'valid']],
		);
	}
});

test('the feed is text', async () => {
	const { items } = await news('worldNewsRss', { encoding: undefined });
	expect(items[0].json.text).toContain('<rss');
});

test('dates are sent as days, and presence parameters only when they are set', async () => {
	await news('worldNews', { options: { date: '2026-08-21T23:30:00.000+08:00', 'force-update': false } });
	await news('worldNews', { options: { 'force-update': true } });
	expect(emulator.journal.entries().map(({ query }) => query)).toEqual([
		{ date: '2026-08-21', encoding: 'json' },
		{ 'force-update': 'true', encoding: 'json' },
	]);
	const { error } = await news('worldNews', { options: { date: 'tomorrow' } });
	expect(error?.message).toBe('Date is not a date: "tomorrow" [item 0]');
});

test('a failing code inside status 200 is a failure', async () => {
	emulator.behaviour.set('GET /v2/apis/*', {
		faults: [{ kind: 'status', status: 200, body: { code: 500, message: '数据源不可用', data: null } }],
	});
	const { error } = await news('worldNews');
	expect(error?.message).toContain('out of order');
	expect(String(error?.description)).toContain('数据源不可用');
});

test('a read that is cut off is repeated', async () => {
	emulator.behaviour.set('GET /v2/apis/*', { faults: [{ kind: 'cut', afterBytes: 20 }] });
	const { error } = await news('worldNews');
	expect(error).toBeUndefined();
	expect(emulator.journal.count()).toBe(2);
});

test('models: filtered, limited, one item each', async () => {
	const models = oneNode('account', {
		operation: 'getManyModels',
		returnAll: false,
		limit: 2,
		filter: 'AURORA',
		simplify: true,
		options: {},
	});
	const { items } = await runWorkflow(models, { credential: credential() });
	expect(items.map(({ json }) => json)).toEqual([
		{ id: 'aurora-4', ownedBy: 'aurora', created: '2025-01-01T00:00:00.000Z' },
		{ id: 'aurora-4-mini', ownedBy: 'aurora', created: '2025-01-01T00:00:00.000Z' },
	]);
});
