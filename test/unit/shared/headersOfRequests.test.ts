import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';
import { inputFailure, settingsFailure } from '../../../nodes/shared/errors/errorMessages';
import {
	checkHeaderFields,
	credentialHeaders,
	type GatewayCredential,
	ownHeaderNames,
	redactorOf,
} from '../../../nodes/shared/send/credential';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { readHeaders } from '../../../nodes/shared/send/headers';
import { Call, RunResources } from '../../../nodes/shared/run/call';
import { ParameterReader } from '../../../nodes/shared/run/parameterReader';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { FakeContext } from './fakeContext';

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
		...['expect', 'range', 'forwarded', 'X-Forwarded-For', 'proxy-connection', 'two words', 'a:b', 'ä', ''],
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

describe('Headers of a credential', () => {
	it('are added to each request, and change nothing of what authenticates it', () => {
		const credential = credentialWith({ name: 'X-Team', value: 'red' });
		expect(credentialHeaders(credential, MODELS)).toEqual({
			'X-Team': 'red',
			Authorization: `Bearer ${KEY}`,
		});
		expect(ownHeaderNames({ ...credential, idempotencyHeader: 'Idempotency-Key' })).toEqual([
			'msgapi-version',
			'Idempotency-Key',
			'X-Team',
		]);
	});

	it.each(['Authorization', 'msgapi-version', 'Idempotency-Key'])('cannot be %s', (name) => {
		const credential = { ...credentialWith({ name, value: 'x' }), idempotencyHeader: 'idempotency-key' };
		expect(() => checkHeaderFields(credential)).toThrow(
			expect.objectContaining({
				kind: settingsFailure('', '').kind,
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

describe('A request of the HTTP Request node', () => {
	const { authenticate } = new UnifiedAiGatewayApi();
	const sign = async (credential: GatewayCredential) =>
		await authenticate(credential as never, { url: MODELS });

	it('follows no redirect with headers that n8n would send along', async () => {
		const withoutRedirects = { disableFollowRedirect: true, followRedirect: false };
		const headers = { 'X-Team': 'red', Authorization: `Bearer ${KEY}` };
		expect(await sign(credentialWith({ name: 'X-Team', value: 'red' }))).toMatchObject({
			headers,
			...withoutRedirects,
		});
		expect(await sign(credentialWith())).not.toHaveProperty('disableFollowRedirect');
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
		await expect(sent({ name: 'x-tag', value: 'night' }, { headers: { values } })).rejects.toThrow(
			'Headers contain "x-tag", which the requests have already',
		);
	});
});
