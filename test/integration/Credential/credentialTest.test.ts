import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import {
	type ConnectionFault,
	type ConnectionServer,
	useConnectionServers,
} from '../faults/connectionFaults';
import { leavesConnectionsOpen } from '../engine/core';
import { nodeTypes } from '../engine/nodeTypes';
import { testCredentialOf } from '../engine/testCredential';

const KEY = 'sk-credential-test-0123456789';
const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'chat-1' }, { id: 'image-2' }] });
const CHECK_ADDRESS =
	'Check Base URL: enter the address of the API up to the part before /v1, for example https://gateway.example.com, not the address of the web console.';

const { start, refusedUrl } = useConnectionServers();
beforeEach(() => {
	// However long a test takes here, its time is not over.
	jest.spyOn(systemClock, 'now').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

/** A server with one answer for all requests. */
async function serve(respond: Respond, certificate?: null): Promise<ConnectionServer> {
	const afterRequest: ConnectionFault['afterRequest'] = (_connection, request, response) =>
		void respond(response, request);
	return await start({ afterRequest }, certificate);
}

const answer =
	(status: number, body: string, headers: Record<string, string> = {}): Respond =>
	(response) =>
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const failing = (status: number, message: string, type = '') =>
	answer(status, JSON.stringify({ error: { message, type, code: type } }));

const test = async (baseUrl: string, more: Record<string, string> = {}) =>
	await testCredentialOf(Object.values(nodeTypes)[0], { baseUrl, apiKey: KEY, ...more });

/** The words of a test at a server that gives this answer, with its host and port as `HOST`. */
async function wordsFor(respond: Respond, more: Record<string, string> = {}): Promise<string> {
	const { url } = await serve(respond, null);
	const { status, message } = await test(url, more);
	expect(status).toBe('Error');
	return message.replaceAll(new URL(url).host, 'HOST').replaceAll(new URL(url).hostname, 'HOST');
}

describe('The test of a credential', () => {
	it('uses the alternate address like a workflow, and says so', async () => {
		const { url } = await serve(answer(200, MODELS), null);
		const baseUrl = await refusedUrl(null);
		expect(await test(baseUrl, { alternateBaseUrl: url })).toEqual({
			status: 'OK',
			message: `Connection successful. Models that this key may use: 2. They came from Alternate Base URL: No gateway answers at ${new URL(baseUrl).host}`,
		});
		const neither = await test(baseUrl, { alternateBaseUrl: await refusedUrl(null) });
		expect(neither.status).toBe('Error');
		expect(neither.message).toContain('Alternate Base URL was tried as well, without success: no gateway');
	});

	it('does not use the alternate address if Base URL answers', async () => {
		const { url } = await serve(failing(401, 'Wrong key'), null);
		const other = await serve(answer(200, MODELS), null);
		expect((await test(url, { alternateBaseUrl: other.url })).status).toBe('Error');
		expect(other.accepted()).toBe(0);
	});

	it.each(Object.entries(nodeTypes))('is the same at every node: %s', (_type, node) => {
		expect(node.description.credentials).toEqual([
			{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' },
		]);
		expect(node.methods!.credentialTest).toEqual(Object.values(nodeTypes)[0].methods!.credentialTest);
	});

	it('requests the list of models with the key, once, and says how many there are', async () => {
		const seen: unknown[] = [];
		const { url } = await serve((response, { method, url: path, headers }) => {
			seen.push([method, path, headers.authorization]);
			response.end(MODELS);
		}, null);
		expect(await test(url)).toEqual({
			status: 'OK',
			message: 'Connection successful. Models that this key may use: 2',
		});
		expect(seen).toEqual([['GET', '/v1/models', `Bearer ${KEY}`]]);
	});

	it('mends what was pasted along', async () => {
		const seen: unknown[] = [];
		const { url } = await serve((response, { url: path, headers }) => {
			seen.push([path, headers.authorization]);
			response.end(MODELS);
		}, null);
		const pasted = await test(`  ${url}/v1/chat/completions/ \n`, { apiKey: `\tbearer   ${KEY}\r\n` });
		expect(pasted).toMatchObject({ status: 'OK' });
		expect(seen).toEqual([['/v1/models', `Bearer ${KEY}`]]);
	});
});

describe('A slip in the credential', () => {
	it.each<[Record<string, string>, string]>([
		[{ baseUrl: ' ' }, 'Base URL is missing in the credential. Open the credential and enter'],
		[{ baseUrl: 'localhost:3000' }, 'Base URL in the credential does not start with https:// or http://.'],
		[{ apiKey: '' }, 'API Key in the credential is empty. Enter the key that you created'],
		[{ idempotencyHeader: 'two words' }, 'Idempotency Header in the credential cannot be "two words". Enter'],
	])('is named before anything is sent: %j', async (more, message) => {
		const { url, accepted } = await serve(answer(200, MODELS), null);
		expect(await test(url, more)).toEqual({ status: 'Error', message: expect.stringContaining(message) });
		expect(accepted()).toBe(0);
	});
});

describe('An address without a gateway', () => {
	it.each<[string, string, () => Promise<string>]>([
		[
			'No gateway answers at HOST. Check the host and port',
			'container itself.',
			async () => await refusedUrl(null),
		],
		['The address gateway.invalid does not exist.', 'the internet.', async () => 'https://gateway.invalid'],
		[
			'A secure connection to HOST could not be established. Check',
			'http:// instead of https://.',
			async () => (await serve(answer(200, MODELS), null)).url.replace('http:', 'https:'),
		],
		[
			'The connection to the gateway was lost before the response was complete. Check Base URL',
			'If the gateway uses HTTPS, Base URL must start with https://.',
			async () => (await serve(answer(200, MODELS))).url.replace('https:', 'http:'),
		],
		[
			'The certificate of HOST is not valid. It is self-signed',
			'restart n8n.',
			async () => (await serve(answer(200, MODELS))).url,
		],
	])('is described: %s', async (beginning, end, address) => {
		const url = await address();
		const { status, message } = await test(url);
		expect([status, message.startsWith(beginning.replace('HOST', new URL(url).host))]).toEqual([
			'Error',
			true,
		]);
		expect(message.endsWith(end)).toBe(true);
	});

	it('that asks for HTTPS gets the advice to use it', async () => {
		const page = answer(400, '<html><h1>400 The plain HTTP request was sent to HTTPS port</h1></html>');
		expect(await wordsFor(page)).toBe(
			`A proxy or firewall in front of HOST rejected the request (status 400). ${CHECK_ADDRESS} If the gateway uses HTTPS, Base URL must start with https://.`,
		);
	});

	it.each<[string, Respond, string]>([
		['the page of a console', answer(200, '<!doctype html><title>Console</title>'), 'the API address'],
		['something else', answer(200, '{"status":"up"}'), `no list in the field "data". ${CHECK_ADDRESS}`],
		['nothing', answer(200, ''), `it is empty. ${CHECK_ADDRESS}`],
		['a path that does not exist', failing(404, 'Not here'), `(status 404): Not here. ${CHECK_ADDRESS}`],
		['a page that does not exist', answer(404, '<html>Not found</html>'), 'the API address of the gateway'],
		[
			'a proxy without a gateway',
			answer(502, '<html>502 Bad Gateway</html>'),
			'(status 502, tried once). Check that the gateway is running, then test again.',
		],
		['a firewall', answer(403, '<html>Forbidden</html>'), 'Ask the operator of the gateway'],
	])('says what answered instead: %s', async (_name, respond, message) => {
		expect(await wordsFor(respond)).toContain(message);
	});
});

describe('A gateway that refuses the test', () => {
	const NOT_ACCEPTED = 'The gateway did not accept the API key';

	it.each<[string, Respond, string, string]>([
		['the key', failing(401, 'Expired', 'invalid_api_key'), `${NOT_ACCEPTED}: Expired.`, 'Enter API'],
		['the key, without words', answer(401, ''), `${NOT_ACCEPTED}.`, 'Enter API Key again.'],
		['the key, with status 200', failing(200, 'No', 'invalid_api_key'), NOT_ACCEPTED, 'Enter API Key'],
		['what the key may do', failing(403, 'No access.'), '(status 403): No access.', 'In the console'],
		['what the account can pay for', failing(402, 'No credit.'), ': No credit.', 'Add credit'],
		['so many requests', failing(429, 'Slow down!'), '(tried once): Slow down!', 'Wait a minute, then test'],
	])('says why: %s', async (_name, respond, message, advice) => {
		const words = await wordsFor(respond);
		expect(words).toContain(message);
		expect(words).toContain(advice);
	});

	it('never shows the key, even if the gateway repeats it', async () => {
		const echo: Respond = (response, { headers }) =>
			failing(401, `Invalid: ${headers.authorization}`)(response, {} as IncomingMessage);
		for (const apiKey of [KEY, ` Bearer ${KEY} `]) {
			const words = await wordsFor(echo, { apiKey });
			expect(words).toContain('Invalid: Bearer [API key]');
			expect(words).not.toContain(KEY.slice(0, 12));
		}
	});

	it.each([301, 302, 303, 307, 308])('is not followed to another address: status %d', async (status) => {
		const other = await serve(answer(200, MODELS), null);
		const location = `${other.url}/v1/models`;
		expect(await wordsFor(answer(status, '', { location }))).toMatch(
			/^The gateway redirects this request to another address.* enter it as Base URL\.$/,
		);
		expect(other.accepted()).toBe(0);
	});
});

describe('A hostile answer', () => {
	it.each<[string, Respond, Respond]>([
		['never ends', (response) => response.write('{"data":['), () => {}],
		['begins too late', () => {}, (response) => response.write('{"data":[')],
	])('that %s is given up after the time limit', async (_name, begin, continueLate) => {
		let now = 0;
		let hasBegun = false;
		jest.spyOn(systemClock, 'now').mockImplementation(() => now);
		jest.spyOn(systemClock, 'sleep').mockImplementation(async () => {
			await new Promise((resolve) => setTimeout(resolve, 10));
			if (hasBegun) now = Math.max(9_999, now + 1);
		});
		const exchange: Array<[ServerResponse, IncomingMessage]> = [];
		const words = await wordsFor((response, request) => {
			exchange.push([response, request]);
			begin(response, request);
			setTimeout(() => (hasBegun = true), 50);
		});
		expect(words).toBe(
			'The gateway did not respond in time. Check Base URL, and check that the gateway is running. If the gateway uses HTTPS, Base URL must start with https://.',
		);
		expect(now).toBe(10_000);
		const [[response, request]] = exchange;
		const closed = leavesConnectionsOpen || response.destroyed || once(response, 'close');
		continueLate(response, request);
		await closed;
	});
});
