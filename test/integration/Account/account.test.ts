import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';

let emulator: Emulator;
/** Another host, which must never receive the key. */
let foreign: Server;
let foreignHits = 0;
let foreignHost = '';
let testNumber = 0;
const KEY = 'sk-account-test-0123456789';
const SUBSCRIPTION = 'GET /v1/dashboard/billing/subscription';
/** The learned rate is kept per credential, so each test has its own: the fixed rate differs. */
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
/** A made-up response for all requests whose URL contains `when`. */
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

describe('Get Many Models', () => {
	const list = {
		data: [
			{ id: 'a-1', owned_by: 'aurora', created: 1_700_000_000, supported_endpoint_types: ['chat'] },
			{ id: 'b-2', owned_by: 'Aurora', created: 1_750_000_000, supported_endpoint_types: ['embeddings'] },
			{ id: 'c-3', owned_by: 'sonata', created: 1_760_000_000 },
		],
	};

	it.each<[string, object, string[]]>([
		['part of the ID or owner', { filter: 'SONA' }, ['c-3']],
		['owner', { filters: { owner: 'AURORA' } }, ['a-1', 'b-2']],
		['endpoint type', { filters: { endpointType: 'embeddings' } }, ['b-2']],
		['creation date', { filters: { createdAfter: '2025-01-01T00:00:00Z' } }, ['b-2', 'c-3']],
		['an expression with a date', { filters: { createdAfter: '={{ new Date(1755000000000) }}' } }, ['c-3']],
		['several filters', { filter: '2', filters: { owner: 'aurora' } }, ['b-2']],
		['a limit', { returnAll: false, limit: 1 }, ['a-1']],
	])('lists models by %s', async (_what, parameters, ids) => {
		emulator.behaviour.set('GET /v1/models', { faults: [page('/', list)] });
		const { items } = await models(parameters);
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});

	it('rejects text that is not a date', async () => {
		const { error } = await models({ filters: { createdAfter: 'soon' } });
		expect(error?.message).toBe('Created After is not a date: "soon" [item 0]');
	});

	it.each([0, -1])('rejects %i as Limit before it asks the gateway', async (limit) => {
		const requests = emulator.journal.count();
		const { error } = await models({ returnAll: false, limit });
		expect(error?.message).toBe(`Limit is ${limit}, but must be 1 or more [item 0]`);
		expect(emulator.journal.count()).toBe(requests);
	});

	it('lists all models of the gateway, simplified and raw', async () => {
		const { items } = await models({});
		expect(items.length).toBeGreaterThan(10);
		expect(Object.keys(items[0].json)).toEqual(['id', 'ownedBy', 'created']);
		expect((await models({ simplify: false })).items[0].json).toMatchObject({ object: 'model' });
	});
});

describe('Get Subscription', () => {
	it('returns the limits, simplified and raw, with and without usage', async () => {
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

	it('accepts numbers as text and returns the end of access', async () => {
		const body = { hard_limit_usd: '12.50', access_until: 1_800_000_000 };
		emulator.behaviour.set(SUBSCRIPTION, { faults: [page('/', body)] });
		const { items } = await account('getSubscription');
		expect(items[0].json).toMatchObject({ hardLimitUsd: 12.5, accessUntil: '2027-01-15T08:00:00.000Z' });
	});

	it.each<[string, unknown, string]>([
		['an error object', { error: { message: 'no such account', type: 'x' } }, 'no such account'],
		['an error text', { error: 'no such account' }, 'no such account'],
		['an error next to limits', { hard_limit_usd: 1, error: { message: 'stale' } }, 'stale'],
		['an error that repeats the key', { error: { message: `no account for ${KEY}` } }, '[API key]'],
	])('fails for %s with status 200', async (_what, body, message) => {
		emulator.behaviour.set(SUBSCRIPTION, { faults: [page('/', body)] });
		const { error, saved } = await account('getSubscription');
		expect(error?.message).toContain(message);
		expect(saved + JSON.stringify(error)).not.toContain(KEY);
	});

	it.each<[unknown, object]>([
		[
			{ plan: 'pro', credits: { left: 7 } },
			{ plan: 'pro', credits: { left: 7 } },
		],
		[{ error: {} }, { error: {} }],
		[['pro', 7], { value: ['pro', 7] }],
		[[], { value: [] }],
		[12.5, { value: 12.5 }],
		['active', { value: 'active' }],
		[null, { value: null }],
	])('takes %j as it is, simplified or not', async (body, json) => {
		for (const simplify of [true, false]) {
			const answer = { kind: 'status', status: 200, body: JSON.stringify(body) } as const;
			emulator.behaviour.set(SUBSCRIPTION, { faults: [{ ...answer, contentType: 'application/json' }] });
			expect((await account('getSubscription', { simplify })).items[0].json).toEqual(json);
		}
	});

	it('returns usage of another form as it is', async () => {
		emulator.behaviour.set('GET /v1/dashboard/billing/usage', {
			faults: [{ kind: 'status', status: 200, body: { spent: 3 } }],
		});
		const { items } = await account('getSubscription', { options: { includeUsage: true } });
		expect(items[0].json).toMatchObject({ hardLimitUsd: 100, usage: { spent: 3 } });
	});

	it('keeps the subscription when usage is not available', async () => {
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

describe('Destination of a custom request', () => {
	it('is rejected before anything is sent when it could be another host or path', async () => {
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

	it('gets no key after a redirect to another host', async () => {
		emulator.behaviour.set('GET /v1/models', {
			faults: [{ kind: 'redirect', location: `http://${foreignHost}/elsewhere` }],
		});
		let authorization: unknown = 'no request';
		foreign.once('request', ({ headers }) => (authorization = headers.authorization));
		await request({ path: '/v1/models' });
		expect(authorization).toBeUndefined();
	});

	it('can be a whole URL or below the utilities address', async () => {
		expect((await request({ path: `${emulator.url}/v1/models` })).items[0].json.object).toBe('list');
		const { items } = await request({ path: '/v2/apis/60s', address: 'utilities' });
		expect(items[0].json).toMatchObject({ code: 200 });
		expect(emulator.journal.entries().map(({ key }) => key)).toEqual(['valid', 'valid']);
	});
});

describe('Custom request', () => {
	it('contains query parameters from Path and Query Parameters, encoded, also with the same name', async () => {
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

	it('contains a JSON body', async () => {
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
		expect(error?.message).toBe('JSON Body is not valid JSON [item 0]');
	});

	it('contains a file unchanged, with its own or another media type', async () => {
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
		expect(none.error?.message).toContain('Input Data Field Name refers to the binary field "other"');
		const names = Object.keys(binary).map((name) => `"${name}"`);
		expect(none.error?.description).toBe(
			`Enter the name of a binary field of this item: ${names.join(', ')}.`,
		);
		const empty = await request(parameters, { input: [{ json: {} }] });
		expect(empty.error?.description).toMatch(
			/^This item has no files\. Connect a node that outputs the file/,
		);
	});

	it.each(['PUT', 'PATCH', 'DELETE'])('is sent with method %s', async (method) => {
		await request({ method, path: '/v1/models', body: 'json', jsonBody: '{"a":1}' });
		expect(emulator.journal.entries()[0]).toMatchObject({ method, path: '/v1/models' });
	});

	it('is sent again after a lost response only if it is a GET', async () => {
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

describe('Response to a custom request', () => {
	it('becomes one item, or one item per entry of a list', async () => {
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

	it('becomes text or a file, by its media type or by Response Format', async () => {
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

	it('fails for invalid JSON and web pages, and succeeds without content', async () => {
		const json = { path: '/v1/models', answerFormat: 'json' };
		emulator.behaviour.set('GET /v1/models', { faults: [page('/', 'plain words')] });
		expect((await request(json)).error?.message).toContain('it is not valid JSON');
		emulator.behaviour.set('GET /v1/models', { faults: [{ kind: 'html', status: 200 }] });
		expect((await request(json)).error?.message).toContain('a web page instead of data');
		emulator.behaviour.set('GET /v1/models', { faults: [{ kind: 'empty', status: 204 }] });
		expect((await request(json)).items[0].json).toEqual({ status: 204, empty: true });
	});

	it('is output without the key that it repeats', async () => {
		const echo = { headers: { authorization: `Bearer ${KEY}` } };
		for (const answerFormat of ['json', 'text']) {
			emulator.behaviour.set('GET /v1/models', { faults: [page('/', echo)] });
			const { items, saved } = await request({ path: '/v1/models', answerFormat });
			expect(JSON.stringify(items)).toContain('Bearer [API key]');
			expect(saved).not.toContain(KEY);
		}
	});

	it('fails for an error status with the message of the gateway', async () => {
		const { error } = await request({ path: '/v1/nothing' });
		expect(error?.message).toMatch(/has no such address \(status 404\): There is no GET \/v1\/nothing/);
		expect(error?.description).toMatch(/^Check Path and Method/);
	});
});

describe('Pages of a custom request', () => {
	const paged = { path: '/v1/models', itemsField: 'data' };
	const data = (...ids: number[]) => ids.map((id) => ({ id }));
	const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);

	it('are fetched by number until one is empty', async () => {
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

	it('are fetched by cursor until there is none', async () => {
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

	it('are fetched by a link that is a whole URL, a path, or a query', async () => {
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

	it('are not fetched from another host, and the previous pages are kept', async () => {
		const next = `http://${foreignHost}/v1/models?n=2`;
		emulator.behaviour.set('GET /v1/models', { faults: [page('/', { data: data(1), next })] });
		const { outputs } = await request(
			{ ...paged, paging: 'link', nextPageField: 'next' },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[1][0].json).toMatchObject({
			error: /^The link of the next page does not start with an address/,
			details: { partial: { finishedPages: 1, items: [{ id: 1 }] } },
		});
		expect(foreignHits).toBe(0);
	});

	it('are kept when a later page fails', async () => {
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

	it('end at a page that repeats the previous one', async () => {
		const { items, hints } = await request({
			...paged,
			paging: 'number',
			pageParameter: 'page',
			firstPage: 1,
		});
		expect(emulator.journal.count()).toBe(2);
		expect(new Set(idsOf(items)).size).toBe(items.length);
		expect(hints[0]).toContain('Page 2 repeats the previous page');
	});

	it('end with a hint when all pages together are too long for one item', async () => {
		const long = (id: number) => [{ id, text: 'x'.repeat(16_500_000) }];
		emulator.behaviour.set('GET /v1/models', {
			faults: [1, 2, 3].map((id) => page(`page=${id}`, { data: long(id) })),
		});
		const { items, hints } = await request({
			...paged,
			paging: 'number',
			pageParameter: 'page',
			firstPage: 1,
		});
		expect(idsOf(items)).toEqual([1, 2]);
		expect(hints[0]).toContain('2 pages were fetched. Together, they are longer than 32 MB');
	});

	it('end at Max Pages with a hint', async () => {
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

	it('are not fetched by number without a list', async () => {
		const { error } = await request({
			path: '/v1/models',
			paging: 'number',
			pageParameter: 'page',
			firstPage: 1,
		});
		expect(error?.message).toContain('Items Field does not name a list');
	});
});
