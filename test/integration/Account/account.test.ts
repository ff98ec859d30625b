import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';

let emulator: Emulator;
/** Another host, which must never hear of the key. */
let foreign: Server;
let foreignHits = 0;
let foreignHost = '';
let testNumber = 0;
const KEY = 'sk-account-test-0123456789';
const SUBSCRIPTION = 'GET /v1/dashboard/billing/subscription';
/** What is learnt of a credential's rate is kept; a fixed rate of its own makes each test's credential another one. */
const credential = () => ({ baseUrl: emulator.url, apiKey: KEY, requestsPerMinute: 1e7 + testNumber });

async function account(
	operation: string,
	parameters: object = {},
	{ input, ...settings }: { input?: INodeExecutionData[]; onError?: 'continueErrorOutput' } = {},
) {
	const node = oneNode('account', { operation, simplify: true, options: {}, ...parameters }, settings);
	return await runWorkflow(node, { credential: credential(), input });
}
const request = async (parameters: object, more: Parameters<typeof account>[2] = {}) =>
	await account('customRequest', { method: 'GET', ...parameters }, more);
const models = async (parameters: object) =>
	await account('getManyModels', { returnAll: true, ...parameters });
/** A page of a made-up list for every request whose URL holds `when`. */
const page = (when: string, body: unknown) =>
	({ kind: 'status', status: 200, when, body, times: 'always' }) as const;

beforeAll(async () => {
	emulator = await startEmulator({ apiKey: KEY });
	foreign = createServer((_request, response) => {
		foreignHits += 1;
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(foreign, 'listening');
	foreignHost = `127.0.0.1:${(foreign.address() as AddressInfo).port}`;
});
afterAll(async () => {
	await emulator.close();
	foreign.close();
});
beforeEach(() => {
	testNumber += 1;
	foreignHits = 0;
	emulator.behaviour.reset();
	emulator.journal.clear();
});

describe('models', () => {
	const list = {
		data: [
			{ id: 'a-1', owned_by: 'aurora', created: 1_700_000_000, supported_endpoint_types: ['chat'] },
			{ id: 'b-2', owned_by: 'Aurora', created: 1_750_000_000, supported_endpoint_types: ['embeddings'] },
			{ id: 'c-3', owned_by: 'sonata', created: 1_760_000_000 },
		],
	};

	test.each<[string, object, string[]]>([
		['part of the ID or owner', { filter: 'SONA' }, ['c-3']],
		['owner', { filters: { owner: 'AURORA' } }, ['a-1', 'b-2']],
		['endpoint type', { filters: { endpointType: 'embeddings' } }, ['b-2']],
		['age', { filters: { createdAfter: '2025-01-01T00:00:00Z' } }, ['b-2', 'c-3']],
		['an expression with a date', { filters: { createdAfter: '={{ new Date(1755000000000) }}' } }, ['c-3']],
		['several at once', { filter: '2', filters: { owner: 'aurora' } }, ['b-2']],
		['a limit', { returnAll: false, limit: 1 }, ['a-1']],
	])('by %s', async (_what, parameters, ids) => {
		emulator.behaviour.set('GET /v1/models', { faults: [page('/', list)] });
		const { items } = await models(parameters);
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});

	test('a date that is none', async () => {
		const { error } = await models({ filters: { createdAfter: 'soon' } });
		expect(error?.message).toBe('Created After is not a date: "soon" [item 0]');
	});

	test('the whole list of the gateway, simplified and raw', async () => {
		const { items } = await models({});
		expect(items.length).toBeGreaterThan(10);
		expect(Object.keys(items[0].json)).toEqual(['id', 'ownedBy', 'created']);
		expect((await models({ simplify: false })).items[0].json).toMatchObject({ object: 'model' });
	});
});

describe('subscription', () => {
	test('simplified, raw, and with what was spent', async () => {
		expect((await account('getSubscription')).items[0].json).toEqual({
			hardLimitUsd: 100,
			softLimitUsd: 80,
			systemHardLimitUsd: 100,
			hasPaymentMethod: true,
			accessUntil: null,
		});
		const raw = await account('getSubscription', { simplify: false, options: { includeUsage: true } });
		expect(raw.items[0].json).toMatchObject({
			object: 'billing_subscription',
			hard_limit_usd: 100,
			usage: { object: 'list', total_usage: 0 },
		});
		const spent = await account('getSubscription', { options: { includeUsage: true } });
		expect(spent.items[0].json.usedUsd).toBe(0);
	});

	test('numbers as text and an end', async () => {
		const body = { hard_limit_usd: '12.50', access_until: 1_800_000_000 };
		emulator.behaviour.set(SUBSCRIPTION, { faults: [page('/', body)] });
		const { items } = await account('getSubscription');
		expect(items[0].json).toMatchObject({ hardLimitUsd: 12.5, accessUntil: '2027-01-15T08:00:00.000Z' });
	});

	test.each<[string, unknown, string]>([
		['an error object', { error: { message: 'no such account', type: 'x' } }, 'no such account'],
		['an error text', { error: 'no such account' }, 'no such account'],
		['an error without words', { error: {} }, 'refused the request (status 200)'],
		['an error beside limits', { hard_limit_usd: 1, error: { message: 'stale' } }, 'stale'],
		['something else', { object: 'list', data: [] }, '"hard_limit_usd"'],
		['a list', [], 'cannot be used'],
		['an error that repeats the key', { error: { message: `no account for ${KEY}` } }, '[API key]'],
	])('%s inside status 200 is a failure', async (_what, body, message) => {
		emulator.behaviour.set(SUBSCRIPTION, { faults: [page('/', body)] });
		const { error, saved } = await account('getSubscription');
		expect(error?.message).toContain(message);
		expect(saved + JSON.stringify(error)).not.toContain(KEY);
	});

	test('usage that cannot be had keeps the subscription', async () => {
		emulator.behaviour.set('GET /v1/dashboard/billing/usage', {
			faults: [{ kind: 'status', status: 404, times: 'always' }],
		});
		const { outputs } = await account(
			'getSubscription',
			{ options: { includeUsage: true } },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[1][0].json.details).toMatchObject({ partial: { subscription: { hardLimitUsd: 100 } } });
	});
});

describe('custom request: where it may go', () => {
	test('every trick to reach another place is refused before anything is sent', async () => {
		const paths = [
			`http://${foreignHost}/v1/models`,
			`//${foreignHost}/v1/models`,
			`\\\\${foreignHost}\\v1`,
			`/\\${foreignHost}/v1`,
			`@${foreignHost}/v1/models`,
			`/@${foreignHost}/`,
			`:x@${foreignHost}/`,
			`${emulator.url}@${foreignHost}/v1`,
			`${emulator.url}.${foreignHost}/v1`,
			`http:${foreignHost}/v1`,
			`ht\ttp://${foreignHost}/v1`,
			`http://${foreignHost}#${emulator.url}/v1`,
			`http://${foreignHost}?${emulator.url}/v1`,
			'/v1/../admin',
			'/v1/%2e%2e/admin',
			'/v1/%2E./admin',
			'/v1%2fmodels',
			'/v1/models%5c..',
			'/v1/%252e%252e/admin',
			'/v1/models\nHost: evil.example',
			'/v1//models',
		];
		const input = paths.map((path) => ({ json: { path } }));
		const { outputs } = await request(
			{ path: '={{ $json.path }}' },
			{ input, onError: 'continueErrorOutput' },
		);
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(paths.length);
		for (const { json } of outputs[1]) {
			expect(json).toMatchObject({ error: /^Path /, details: { kind: 'input' } });
		}
		expect([foreignHits, emulator.journal.count()]).toEqual([0, 0]);
	});

	test('a redirect to another host does not take the key along', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [{ kind: 'redirect', location: `http://${foreignHost}/elsewhere` }],
		});
		let authorization: unknown = 'nothing came';
		foreign.once('request', ({ headers }) => (authorization = headers.authorization));
		await request({ path: '/v1/models' });
		expect(authorization).toBeUndefined();
	});

	test('the whole URL of an own address, and the utilities address', async () => {
		expect((await request({ path: `${emulator.url}/v1/models` })).items[0].json.object).toBe('list');
		const { items } = await request({ path: '/v2/apis/60s', address: 'utilities' });
		expect(items[0].json).toMatchObject({ code: 200 });
		expect(emulator.journal.entries().map(({ key }) => key)).toEqual(['valid', 'valid']);
	});
});

describe('custom request: what is sent', () => {
	test('query parameters from the path and the fields, encoded, repeated ones kept', async () => {
		await request({
			path: '/v2/apis/fanyi?to=en',
			queryParameters: {
				parameter: [
					{ name: 'text', value: '你好 & 再见' },
					{ name: 'tag', value: 'a' },
					{ name: 'tag', value: '={{ 1 }}' },
					{ name: '', value: 'left out' },
				],
			},
		});
		expect(emulator.journal.entries()[0].query).toEqual({ to: 'en', text: '你好 & 再见', tag: ['a', '1'] });
	});

	test('a JSON body', async () => {
		const body = { model: 'reranker-v2-m3', query: 'moon', documents: ['the moon', 'the sun'], top_n: 1 };
		const { items } = await request({
			method: 'POST',
			path: '/v1/rerank',
			body: 'json',
			jsonBody: JSON.stringify(body),
		});
		expect(items[0].json).toEqual({ results: [{ index: 0, relevance_score: expect.any(Number) }] });
		expect(emulator.journal.entries()[0].body).toEqual(body);
		const { error } = await request({ method: 'POST', path: '/v1/rerank', body: 'json', jsonBody: '{"a":' });
		expect(error?.message).toBe('JSON Body is not JSON [item 0]');
	});

	test('a file as it is, with its media type or another', async () => {
		const json = JSON.stringify({ model: 'embedding-3-small', input: 'a cat', dimensions: 2 });
		const binary = { data: { data: Buffer.from(json).toString('base64'), mimeType: 'application/json' } };
		const parameters = { method: 'POST', path: '/v1/embeddings', body: 'file', inputDataFieldName: 'data' };
		const { items, error } = await request(parameters, { input: [{ json: {}, binary }] });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ object: 'list' });
		const [{ headers, body }] = emulator.journal.entries();
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'content-length': String(json.length),
		});
		expect(body).toEqual(JSON.parse(json));

		await request(
			{ ...parameters, options: { contentType: 'text/x-test; charset=utf-8' } },
			{ input: [{ json: {}, binary }] },
		);
		expect(emulator.journal.entries()[1].headers['content-type']).toBe('text/x-test; charset=utf-8');
		const bad = await request(
			{ ...parameters, options: { contentType: 'text/plain\r\nX-Evil: 1' } },
			{ input: [{ json: {}, binary }] },
		);
		expect(bad.error?.message).toContain('Content Type is');
		const none = await request(
			{ ...parameters, inputDataFieldName: 'other' },
			{ input: [{ json: {}, binary }] },
		);
		expect(none.error?.message).toContain('Input Data Field Name names the binary field "other"');
	});

	test.each(['PUT', 'PATCH', 'DELETE'])('%s reaches the gateway with its body', async (method) => {
		await request({ method, path: '/v1/models', body: 'json', jsonBody: '{"a":1}' });
		expect(emulator.journal.entries()[0]).toMatchObject({ method, path: '/v1/models' });
	});

	test('only a GET is sent again when its answer is lost', async () => {
		emulator.behaviour.set('* /v1/models', { faults: [{ kind: 'cut', afterBytes: 10 }] });
		expect((await request({ path: '/v1/models' })).error).toBeUndefined();
		expect(emulator.journal.count()).toBe(2);
		emulator.journal.clear();
		emulator.behaviour.set('POST /v1/rerank', { faults: [{ kind: 'cut', afterBytes: 10, times: 'always' }] });
		const { error } = await request({
			method: 'POST',
			path: '/v1/rerank',
			body: 'json',
			jsonBody: '{"model":"reranker-v2-m3","query":"a","documents":["a"]}',
		});
		expect(String(error?.description)).toContain('was not sent again');
		expect(emulator.journal.count()).toBe(1);
	});
});

describe('custom request: what comes back', () => {
	test('JSON: as it is, or one item per entry of a list', async () => {
		const whole = await request({ path: '/v1/models', answerFormat: 'json' });
		expect(whole.items).toHaveLength(1);
		const split = await request({ path: '/v1/models', itemsField: 'data' });
		expect(split.items.length).toBe((whole.items[0].json.data as unknown[]).length);
		expect(split.items[0]).toMatchObject({ json: { object: 'model' }, pairedItem: { item: 0 } });
		const { error } = await request({ path: '/v1/models', itemsField: 'entries' });
		expect(error?.message).toContain('no list in the field "entries"');

		emulator.behaviour.set('GET /v1/models', { faults: [page('/', [1, { a: 2 }])] });
		const list = await request({ path: '/v1/models' });
		expect(list.items.map(({ json }) => json)).toEqual([{ value: 1 }, { a: 2 }]);
	});

	test('text and files, by what they are or as they are wanted', async () => {
		const text = await request({ path: '/v2/apis/60s?encoding=markdown' });
		expect(text.items[0].json.text).toMatch(/\S/);
		const picture = await request({ path: '/v2/apis/60s?encoding=image-proxy' });
		expect(picture.items[0].binary!.data).toMatchObject({ mimeType: 'image/png', fileName: '60s.png' });
		expect((await fileBytes(picture.items[0].binary!.data)).subarray(1, 4).toString()).toBe('PNG');
		const asFile = await request({
			path: '/v1/models',
			answerFormat: 'file',
			binaryPropertyName: 'list',
		});
		expect(asFile.items[0].json).toMatchObject({ fileName: 'models.json', mimeType: 'application/json' });
		expect(JSON.parse((await fileBytes(asFile.items[0].binary!.list)).toString()).object).toBe('list');
		const asText = await request({ path: '/v1/models', answerFormat: 'text' });
		expect(JSON.parse(asText.items[0].json.text as string).object).toBe('list');
	});

	test('JSON that is none, a web page, and nothing at all', async () => {
		const json = { path: '/v1/models', answerFormat: 'json' };
		emulator.behaviour.set('GET /v1/models', { faults: [page('/', 'plain words')] });
		expect((await request(json)).error?.message).toContain('it is not JSON');
		emulator.behaviour.set('GET /v1/models', { faults: [{ kind: 'html', status: 200 }] });
		expect((await request(json)).error?.message).toContain('a web page instead of data');
		emulator.behaviour.set('GET /v1/models', { faults: [{ kind: 'empty', status: 204 }] });
		expect((await request(json)).items[0].json).toEqual({ status: 204, empty: true });
	});

	test('an answer that repeats the key is cleared of it', async () => {
		const echo = { headers: { authorization: `Bearer ${KEY}` } };
		for (const answerFormat of ['json', 'text']) {
			emulator.behaviour.set('GET /v1/models', { faults: [page('/', echo)] });
			const { items, saved } = await request({ path: '/v1/models', answerFormat });
			expect(JSON.stringify(items)).toContain('Bearer [API key]');
			expect(saved).not.toContain(KEY);
		}
	});

	test('a failing status says what the gateway said', async () => {
		const { error } = await request({ path: '/v1/nothing' });
		expect(error?.message).toContain('does not know this address');
		expect(String(error?.description)).toContain('There is no GET /v1/nothing');
	});
});

describe('custom request: pages', () => {
	const paged = { path: '/v1/models', itemsField: 'data' };
	const data = (...ids: number[]) => ids.map((id) => ({ id }));
	const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);

	test('by number, until one is empty', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [page('p=1', { data: data(1, 2) }), page('p=2', { data: data(3) }), page('p=3', { data: [] })],
		});
		const { items, hints } = await request({
			...paged,
			paging: 'number',
			pageParameter: 'p',
			firstPage: 1,
			queryParameters: { parameter: [{ name: 'size', value: '2' }] },
		});
		expect(idsOf(items)).toEqual([1, 2, 3]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(emulator.journal.entries().map(({ query }) => query)).toEqual(
			['1', '2', '3'].map((p) => ({ size: '2', p })),
		);
		expect(hints).toEqual([]);
	});

	test('by cursor, until there is none', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [
				page('after=two', { data: data(2), meta: { next: 'three & more' } }),
				page('after=three', { data: data(3), meta: { next: null } }),
				page('/', { data: data(1), meta: { next: 'two' } }),
			],
		});
		const { items } = await request({
			...paged,
			paging: 'cursor',
			pageParameter: 'after',
			nextPageField: 'meta.next',
		});
		expect(idsOf(items)).toEqual([1, 2, 3]);
		expect(emulator.journal.entries()[2].query).toEqual({ after: 'three & more' });
	});

	test('by link: a whole one, a path, a query', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [
				page('n=2', { data: data(2), next: '/v1/models?n=3' }),
				page('n=3', { data: data(3), next: '?n=4' }),
				page('n=4', { data: data(4), next: '' }),
				page('/', { data: data(1), next: `${emulator.url}/v1/models?n=2` }),
			],
		});
		const { items } = await request({ ...paged, paging: 'link', nextPageField: 'next' });
		expect(idsOf(items)).toEqual([1, 2, 3, 4]);
	});

	test('a link to another host is not followed, and the pages before it are kept', async () => {
		const next = `http://${foreignHost}/v1/models?n=2`;
		emulator.behaviour.set('GET /v1/models', { faults: [page('/', { data: data(1), next })] });
		const { outputs } = await request(
			{ ...paged, paging: 'link', nextPageField: 'next' },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[1][0].json).toMatchObject({
			error: /^The link of the next page is not below an address/,
			details: { partial: { finishedPages: 1, items: [{ id: 1 }] } },
		});
		expect(foreignHits).toBe(0);
	});

	test('a page that cannot be had keeps those before it', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [
				page('page=1', { data: data(1) }),
				{ kind: 'status', status: 403, when: 'page=2', times: 'always' },
			],
		});
		const { outputs } = await request(
			{ ...paged, paging: 'number', pageParameter: 'page', firstPage: 1 },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[1][0].json.details).toMatchObject({
			status: 403,
			partial: { finishedPages: 1, items: [{ id: 1 }] },
		});
	});

	test('a gateway that ignores the page number is noticed', async () => {
		const { items, hints } = await request({
			...paged,
			paging: 'number',
			pageParameter: 'page',
			firstPage: 1,
		});
		expect(emulator.journal.count()).toBe(2);
		expect(new Set(idsOf(items)).size).toBe(items.length);
		expect(hints[0]).toContain('Page 2 repeats the one before it');
	});

	test('Max Pages ends it, and says so', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [1, 2, 3].map((id) => page(`page=${id}`, { data: data(id) })),
		});
		const { items, hints } = await request({
			...paged,
			paging: 'number',
			pageParameter: 'page',
			firstPage: 1,
			maxPages: 2,
		});
		expect(idsOf(items)).toEqual([1, 2]);
		expect(hints[0]).toContain('2 pages were fetched');
	});

	test('counting pages needs a list', async () => {
		const { error } = await request({
			path: '/v1/models',
			paging: 'number',
			pageParameter: 'page',
			firstPage: 1,
		});
		expect(error?.message).toContain('Items Field names no list');
	});
});
