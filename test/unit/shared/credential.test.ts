import type { IHttpRequestOptions } from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';
import {
	credentialHeaders,
	checkHeaderFields,
	credentialOf,
	redactorOf,
} from '../../../nodes/shared/send/credential';

const credential = { baseUrl: 'https://gateway.example', apiKey: ' secret-key ' };
const BASE = 'https://gateway.example';
const CHAT = `${BASE}/v1/chat/completions`;
const MESSAGES = `${BASE}/v1/messages`;

/** What no header of ours can be called. */
const NOT_HEADERS = [
	...['two words', 'name:', 'Schlüssel', 'x'.repeat(101), 'Authorization', 'x-api-key', 'Content-Type'],
	...['content-length', 'Accept', 'connection', 'cookie', 'expect', 'host', 'te', 'trailer'],
	...['transfer-encoding', 'upgrade'],
];

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

describe('A request of another node', () => {
	const { authenticate } = new UnifiedAiGatewayApi();
	const send = async (request: object) => await authenticate(credential, request as IHttpRequestOptions);

	it.each([
		['url', { url: CHAT }],
		['uri, as in the HTTP Request node', { uri: CHAT }],
		['a path and a base', { url: '/v1/chat/completions', baseURL: 'https://gateway.example/' }],
	])('gets the key with its address in %s', async (_name, request) => {
		expect(await send(request)).toMatchObject({
			...request,
			headers: { Authorization: 'Bearer secret-key' },
		});
	});

	it.each([{ uri: 'https://elsewhere.example/v1/models' }, { url: 'https://gateway.example.evil/' }, {}])(
		'to another address does not get it: %j',
		async (request) => {
			await expect(send(request)).rejects.toThrow('The API key is not sent to this address');
		},
	);
});

describe('The headers of a request', () => {
	type Row = [fields: object, url: string, headers: object];
	const bearer = { Authorization: 'Bearer secret-key' };
	const version = { 'msgapi-version': '2023-06-01' };
	const withXApiKey = { messagesAuthentication: 'xApiKey' };
	const copied = ['Bearer secret-key', ' bearer  secret-key\n', '\tBEARER\tsecret-key'];
	const words = ['Bearersecret-key', 'bearer-key', 'Bearer'];

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

	it('may contain what HTTP allows', () => {
		expect(check({})).not.toThrow();
		expect(check({ apiKey: ' ab~\u0080\u00ff ', messagesVersion: '2023-06-01' })).not.toThrow();
		expect(check({ messagesVersionHeader: " !#$%&'*+.^_`|~-x1 " })).not.toThrow();
		expect(check({ messagesVersionHeader: '', messagesVersion: '' })).not.toThrow();
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

	describe.each([
		['Messages Version Header', 'messagesVersionHeader', 'gateway gives, or leave the field empty.'],
		[
			'Idempotency Header',
			'idempotencyHeader',
			'gives, for example Idempotency-Key, or leave the field empty.',
		],
	])('include the %s, which', (field, name, advice) => {
		it.each([
			...[undefined, '', '  ', ' Idempotency-Key ', 'x', "!#$%&'*+.^_`|~-", 'x'.repeat(100)],
			...['x-content-type', 'hostname'],
		])('may be missing, or have any name that HTTP allows: %s', (text) =>
			expect(check({ [name]: text })).not.toThrow(),
		);

		it.each(NOT_HEADERS)('cannot be %s', (text) => {
			const message = `${field} in the credential cannot be "${text.slice(0, 100)}"`;
			expect(check({ [name]: text })).toThrow(settingsFailure(message, advice));
		});
	});

	it.each([undefined, '', ' \n'])('include a key: %j is none', (apiKey) => {
		expect(check({ apiKey })).toThrow(settingsFailure('API Key in the credential is empty', 'Enter the key'));
	});
});
