import type { IHttpRequestOptions } from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';
import {
	credentialHeaders,
	checkHeaderFields,
	credentialOf,
	redactorOf,
} from '../../../nodes/shared/send/credential';

const credential = { baseUrl: 'https://gateway.example', apiKey: ' secret-key ' };
const CHAT = 'https://gateway.example/v1/chat/completions';
const MESSAGES = 'https://gateway.example/v1/messages';

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

describe('The key', () => {
	it('is a bearer token, without white space around it', () => {
		expect(credentialHeaders(credential, CHAT)).toEqual({ Authorization: 'Bearer secret-key' });
	});

	it.each(['Bearer secret-key', ' bearer  secret-key\n', '\tBEARER\tsecret-key'])(
		'is copied with or without the word before it: %j',
		(apiKey) => {
			const copied = { ...credential, apiKey };
			expect(credentialHeaders(copied, CHAT)).toEqual({ Authorization: 'Bearer secret-key' });
			expect(redactorOf(copied).text('secret-key was wrong')).toBe('[API key] was wrong');
		},
	);

	it.each(['Bearersecret-key', 'bearer-key', 'Bearer'])('keeps a word of its own: %s', (apiKey) => {
		expect(credentialHeaders({ ...credential, apiKey }, CHAT)).toEqual({
			Authorization: `Bearer ${apiKey}`,
		});
	});

	it('may be missing while the credential is being filled in', () => {
		const empty = { ...credential, apiKey: undefined as unknown as string };
		expect(credentialHeaders(empty, CHAT)).toEqual({ Authorization: 'Bearer ' });
	});

	it('is in x-api-key for the messages endpoint alone, if the credential says so', () => {
		const own = { ...credential, messagesAuthentication: 'xApiKey' as const };
		expect(credentialHeaders(own, MESSAGES)).toMatchObject({ 'x-api-key': 'secret-key' });
		expect(credentialHeaders(own, MESSAGES)).not.toHaveProperty('Authorization');
		expect(credentialHeaders(own, CHAT)).toEqual({ Authorization: 'Bearer secret-key' });
		const bearer = { ...credential, messagesAuthentication: 'bearer' as const };
		expect(credentialHeaders(bearer, MESSAGES)).toMatchObject({ Authorization: 'Bearer secret-key' });
	});
});

describe('The version of the messages endpoint', () => {
	const standard = { Authorization: 'Bearer secret-key', 'msgapi-version': '2023-06-01' };

	it('is sent to that endpoint alone', () => {
		for (const url of [MESSAGES, `${MESSAGES}/`, `${MESSAGES}?beta=true`, `${MESSAGES}/?beta=true`]) {
			expect(credentialHeaders(credential, url)).toEqual(standard);
		}
		for (const url of [`${MESSAGES}/batches`, `${MESSAGES}x`, 'https://gateway.example/messages']) {
			expect(credentialHeaders(credential, url)).not.toHaveProperty('msgapi-version');
		}
	});

	it('has the name and value of the credential, unless they are empty', () => {
		const own = { ...credential, messagesVersionHeader: ' api-version ', messagesVersion: ' 2 ' };
		expect(credentialHeaders(own, MESSAGES)).toEqual({
			Authorization: 'Bearer secret-key',
			'api-version': '2',
		});
		const empty = { ...credential, messagesVersionHeader: ' ', messagesVersion: ' ' };
		expect(credentialHeaders(empty, MESSAGES)).toEqual(standard);
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
