import type { IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';
import { inputFailure } from '../../../nodes/shared/failure/words';
import {
	checkHeaderFields,
	credentialHeaders,
	credentialOf,
	type GatewayCredential,
	redactorOf,
	readHeaders,
	requestsPerMinuteOf,
} from '../../../nodes/shared/send/credential';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { Call } from '../../../nodes/shared/run/call';
import { RunResources } from '../../../nodes/shared/run/runResources';
import { ParameterReader } from '../../../nodes/shared/run/parameterReader';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { FakeContext } from './fakeContext';

const credential = { baseUrl: 'https://gateway.example', apiKey: ' secret-key ' };
const BASE = 'https://gateway.example';
const CHAT = `${BASE}/v1/chat/completions`;
const MESSAGES = `${BASE}/v1/messages`;

/** The failure of a credential with this message, and these words in its advice. */
const settingsFailure = (message: string, advice: string) =>
	expect.objectContaining({
		kind: 'settings',
		message,
		description: expect.stringContaining(advice),
		facts: { attempts: 0 },
	});

describe('A credential', () => {
	const reading = async (error: Error, credentials?: object) =>
		await credentialOf({
			getCredentials: async () => await Promise.reject(error),
			getNode: () => ({ name: 'Ask', credentials }),
		} as unknown as Parameters<typeof credentialOf>[0]);

	const selected = { unifiedAiGatewayApi: { id: '7', name: 'Gateway' } };

	it.each([
		['is not selected', undefined, 'No credential is selected in the node "Ask"'],
		['cannot be read', selected, 'The credential of the node "Ask" cannot be used: No such credential'],
	])('that %s is missed in words', async (_what, credentials, message) => {
		await expect(reading(new Error('No such credential'), credentials)).rejects.toMatchObject({
			kind: 'settings',
			message,
			description: expect.stringContaining('Under Credential, select'),
			facts: { attempts: 0 },
		});
	});
});

describe('The fields of the credential', () => {
	it('that are secret are hidden in the editor', () => {
		const hiddenOf = (fields: INodeProperties[]): string[] =>
			fields.flatMap(({ name, typeOptions, options = [] }) => [
				...(typeOptions?.password ? [name] : []),
				...options.flatMap((option) => ('values' in option ? hiddenOf(option.values) : [])),
			]);
		expect(hiddenOf(new UnifiedAiGatewayApi().properties)).toEqual(['apiKey', 'value']);
	});

	it('limit no requests unless the user does', () => {
		const fields = new UnifiedAiGatewayApi().properties;
		expect(fields.find(({ name }) => name === 'requestsPerMinute')?.default).toBe(0);
	});
});

describe('A request of another node', () => {
	const { authenticate } = new UnifiedAiGatewayApi();
	const send = async (request: object) => await authenticate(credential, request as IHttpRequestOptions);

	it.each([
		['url', { url: CHAT, headers: { accept: 'text/plain', Authorization: 'another' } }],
		['uri, as in the HTTP Request node', { uri: CHAT }],
		['a path and a base', { url: '/v1/chat/completions', baseURL: 'https://gateway.example/' }],
	])('gets the key with its address in %s', async (_name, request: IDataObject) => {
		expect(await send(request)).toMatchObject({
			...request,
			headers: { ...(request.headers as object), Authorization: 'Bearer secret-key' },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	});

	it('gets the version of the messages endpoint, too, if its base ends in a slash', async () => {
		const { headers } = await send({ url: '/messages', baseURL: `${BASE}/v1/` });
		expect(headers).toHaveProperty('msgapi-version');
	});

	it.each([
		{ uri: 'https://elsewhere.example/v1/models' },
		{ url: 'https://gateway.example.evil/' },
		{ url: 'https://elsewhere.example/v1/models', baseURL: BASE },
		{},
	])('to another address does not get it: %j', async (request) => {
		await expect(send(request)).rejects.toThrow('The API key is not sent to this address');
	});

	it('does not look like one that was lost when the credential fails at a fault of its own', async () => {
		const faulty = { ...credential, messagesVersionHeader: 5 as unknown as string };
		await expect(authenticate(faulty, { url: CHAT })).rejects.toMatchObject({ kind: 'bug' });
	});

	it('follows no redirect with headers that n8n would send along', async () => {
		const sign = async (...values: object[]) =>
			await authenticate({ ...credential, headers: { values } }, { url: CHAT });
		expect(await sign({ name: 'X-Team', value: 'red' })).toMatchObject({
			headers: { 'X-Team': 'red', Authorization: 'Bearer secret-key' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
		expect(await sign()).not.toHaveProperty('disableFollowRedirect');
	});
});

describe('The headers of a request', () => {
	type Row = [fields: object, url: string, headers: object];
	const bearer = { Authorization: 'Bearer secret-key' };
	const version = { 'msgapi-version': '2023-06-01' };
	const withXApiKey = { messagesAuthentication: 'xApiKey' };
	const copied = ['Bearer secret-key', ' bearer  secret-key\n', '\tBEARER\tsecret-key'];
	const words = ['Bearersecret-key', 'bearer-key'];

	it.each<Row>([
		[{}, CHAT, bearer],
		// A key may be copied with the word before it, and may be missing while it is being filled in.
		...copied.map((apiKey): Row => [{ apiKey }, CHAT, bearer]),
		...words.map((apiKey): Row => [{ apiKey }, CHAT, { Authorization: `Bearer ${apiKey}` }]),
		[{ apiKey: undefined }, CHAT, { Authorization: 'Bearer ' }],
		[withXApiKey, CHAT, bearer],
		[withXApiKey, MESSAGES, { 'x-api-key': 'secret-key', ...version }],
		[{ messagesAuthentication: 'bearer' }, MESSAGES, { ...bearer, ...version }],
		// The version goes to the messages endpoint alone.
		...['', '/', '?beta=true', '/?beta=true'].map((end): Row => [
			{},
			MESSAGES + end,
			{ ...bearer, ...version },
		]),
		// An address with a version of its own is used as it is.
		[withXApiKey, `${BASE}/v4/messages`, { 'x-api-key': 'secret-key', ...version }],
		...[`${MESSAGES}/batches`, `${MESSAGES}x`, `${BASE}/messages`].map((url): Row => [{}, url, bearer]),
		[{ messagesVersionHeader: ' api ', messagesVersion: ' 2 ' }, MESSAGES, { ...bearer, api: '2' }],
		[{ messagesVersionHeader: ' ', messagesVersion: ' ' }, MESSAGES, { ...bearer, ...version }],
	])('follow from the credential and the endpoint: %j, %s', (fields, url, headers) => {
		expect(credentialHeaders({ ...credential, ...fields }, url)).toEqual(headers);
	});

	it('contain no key that would not be redacted', () => {
		for (const apiKey of copied) {
			expect(redactorOf({ ...credential, apiKey }).text('secret-key was wrong')).toBe('[API key] was wrong');
		}
	});
});

describe('The fields of a credential that are sent as headers', () => {
	const check = (fields: object) => () => checkHeaderFields({ ...credential, ...fields });

	it.each([undefined, '', ' ', 'Bearer', 'Bearer ', ' bearer\n', 'Bearer Bearer'])(
		'need a key: %j',
		(apiKey) => {
			expect(check({ apiKey })).toThrow(
				settingsFailure('API Key in the credential is empty', 'Enter the key'),
			);
		},
	);

	it('may contain what HTTP allows', () => {
		expect(check({})).not.toThrow();
		expect(check({ apiKey: ' ab~\u0080\u00ff ', messagesVersion: '2023-06-01' })).not.toThrow();
		expect(check({ messagesVersion: '' })).not.toThrow();
	});

	it.each([
		['API Key', { apiKey: 'a\u007fb' }],
		['API Key', { apiKey: 'ключ' }],
		['Messages Version', { messagesVersion: '2\r\nHost: evil.example' }],
	])('are named if they contain anything else: %s in %j', (name, fields) => {
		const message = `${name} in the credential contains a character that cannot be sent`;
		expect(check(fields)).toThrow(settingsFailure(message, 'Enter it again, without line breaks'));
	});

	it.each(['a b', 'a\nb', 'a\tb', 'Bearer a b'])('include a key in one piece, unlike %j', (apiKey) => {
		const message = 'API Key in the credential contains a space or a line break';
		expect(check({ apiKey })).toThrow(settingsFailure(message, 'Enter the key again, as one word'));
	});

	it.each([
		['Messages Version Header', 'messagesVersionHeader', 'gateway gives, or leave the field empty.'],
		['Idempotency Header', 'idempotencyHeader', 'gives, for example Idempotency-Key, or leave the field'],
	])(
		'include the %s, which may be missing, or have any name that Headers can have',
		(field, name, advice) => {
			for (const text of [
				undefined,
				'',
				'  ',
				' Idempotency-Key ',
				'hostname',
				"!#$%&'*+.^_`|~-",
				'x'.repeat(100),
			]) {
				expect(check({ [name]: text })).not.toThrow();
			}
			for (const text of ['two words', 'Authorization', 'x'.repeat(101)]) {
				const message = `${field} in the credential cannot be "${text.slice(0, 100)}"`;
				expect(check({ [name]: text })).toThrow(settingsFailure(message, advice));
			}
		},
	);
});

const MODELS = 'https://gateway.example/v1/models';
const KEY = 'secret-key-123';
const credentialWith = (...values: object[]): GatewayCredential => ({
	baseUrl: 'https://gateway.example',
	apiKey: KEY,
	headers: { values },
});

describe('Headers', () => {
	const read = (...entries: object[]) =>
		readHeaders(entries, ['x-own'], (what, advice) => inputFailure('Headers', what, advice));

	it('are read as they are, without those that have no value', () => {
		const entries = [
			{ name: ' X-Tag ', value: ' night ' },
			{ name: 'x-number', value: 7 },
			...[{ name: 'x-empty', value: '' }, { name: 'two words', value: undefined }, {}],
		];
		expect(read(...entries)).toEqual({ 'X-Tag': 'night', 'x-number': '7' });
	});

	it.each([
		...['Authorization', 'Proxy-Authorization', 'x-amz-authorization', 'x-api-key', 'API-Key', 'apikey'],
		...['x-goog-api-key', 'Cookie', 'cookie2', 'x-auth-token', 'Host', 'Content-Type', 'content-length'],
		...['Accept', 'accept-encoding', 'Connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade'],
		...['api_key', 'x_api_key', 'x-access-token', 'Authentication', 'X-Amz-Security-Token', 'Set-Cookie'],
		...['ocp-apim-subscription-key', 'X_Auth_Token', 'HTTP_Authorization', 'Token', 'PRIVATE-TOKEN'],
		...['X-Auth', 'X-Access-Key', 'X-Api-Secret', 'DPoP', 'X-Remote-User', 'X-HTTP-Method-Override'],
		...['X-Auth-Request-User', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL'],
		...['X-Source-IP', 'X-Client-Addr', 'X-Client-Address', 'X-Client-Secret', 'X-Envoy-External-Address'],
		...[
			'expect',
			'range',
			'trailer',
			'forwarded',
			'X-Forwarded-For',
			...['True-Client-IP', 'X-Real-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6', 'X-Client-IP', 'Via'],
			...['X_Real_IP', 'X-Cluster-Client-IP', 'Fastly-Client-IP', 'X-Original-Forwarded-For', 'Client-IP'],
			'proxy-connection',
			'two words',
			'a:b',
			'ä',
			'',
		],
	])('cannot be %s', (name) => {
		expect(() => read({ name, value: 'x' })).toThrow(
			expect.objectContaining({
				message: `Headers cannot contain "${name}"`,
				description: expect.stringContaining('set by the nodes and by the credential alone'),
			}),
		);
	});

	it.each([
		['X-Own', 'x'],
		['x-Tag', 'other'],
	])('cannot be there twice: %s', (name, value) => {
		expect(() => read({ name: 'x-tag', value: 'x' }, { name, value })).toThrow(
			`Headers contain "${name}", which the requests have already`,
		);
	});

	it.each(['a\nx-evil: 1', 'ключ', '夜'])('cannot have a value that cannot be sent: %j', (value) => {
		expect(() => read({ name: 'x-tag', value })).toThrow(
			'Headers contain a character in "x-tag" that cannot be sent',
		);
	});
});

describe('Requests per Minute of a credential', () => {
	it.each([
		[undefined, 0],
		['', 0],
		['60', 60],
	])('%j is %d', (value, expected) => {
		expect(requestsPerMinuteOf({ ...credential, requestsPerMinute: value as never })).toBe(expected);
	});

	it.each(['abc', -1])('is no limit that would be lost: %j', async (value) => {
		const { execute } = new FakeContext({ credential: { requestsPerMinute: value } });
		const failure = settingsFailure(
			'Requests per Minute in the credential is not a number from 0',
			'or 0 for',
		);
		await expect(GatewayClient.of(execute)).rejects.toEqual(failure);
	});
});

describe('Headers of a credential', () => {
	it.each(['Authorization', 'msgapi-version', 'Idempotency-Key'])('cannot be %s', (name) => {
		const credential = { ...credentialWith({ name, value: 'x' }), idempotencyHeader: 'idempotency-key' };
		expect(() => checkHeaderFields(credential)).toThrow(
			expect.objectContaining({
				kind: 'settings',
				message: expect.stringContaining(`Headers in the credential c`),
			}),
		);
	});

	it('are hidden like the key, unless they are short or no secrets', () => {
		const redactor = redactorOf(
			credentialWith(
				{ name: 'x-token', value: ' token-4711-abc ' },
				{ name: 'x-short', value: 'red' },
				{ name: 'x-team', value: 'marketing', isSecret: false },
			),
		);
		expect(redactor.text(`token-4711-abc red marketing ${KEY}`)).toBe('[API key] red marketing [API key]');
	});
});

describe('Headers in the options of a node', () => {
	/** Sends a request and downloads a file. */
	async function sent(headers: object, credential: object = {}) {
		const parameters = { options: { headers: { values: [headers] } } };
		const context = new FakeContext({ parameters, credential });
		const client = await GatewayClient.of(context.execute);
		const reader = new ParameterReader(context.execute);
		const call = new Call(new RunResources(context.execute, client, {}, reader), 0);
		const { requestOptions } = call;
		const read = async () => await Promise.resolve('read');
		await client.send({ ...requestOptions, endpoint: endpoints.models }, read);
		await client.download('https://gateway.example/file.png', read, requestOptions);
		await client.download('https://files.example/file.png', read, requestOptions);
		return context.sent.map(({ url, headers: all }) => [url, (all as Record<string, string>)['x-tag']]);
	}

	it('are sent with requests, but never with the download of a file', async () => {
		expect(await sent({ name: 'x-tag', value: 'night' })).toEqual([
			[MODELS, 'night'],
			['https://gateway.example/file.png', undefined],
			['https://files.example/file.png', undefined],
		]);
	});

	it('cannot replace a header of the credential', async () => {
		const values = [{ name: 'X-Tag', value: 'day' }];
		for (const credential of [{ headers: { values } }, { idempotencyHeader: 'X-Tag' }]) {
			await expect(sent({ name: 'x-tag', value: 'night' }, credential)).rejects.toThrow(
				'Headers contain "x-tag", which the requests have already',
			);
		}
	});
});
