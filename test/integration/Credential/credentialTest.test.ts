import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../../nodes/shared/pacing/clock';
import { startConnectionServer, type ConnectionServer } from '../faults/connectionFaults';
import { leavesConnectionsOpen } from '../engine/core';
import { nodeTypes } from '../engine/runWorkflow';
import { testCredentialOf } from '../engine/testCredential';

const KEY = 'sk-credential-test-0123456789';
const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'chat-1' }, { id: 'image-2' }] });
const CHECK_ADDRESS =
	'Check Base URL: enter the address of the API up to the part before /v1, for example https://gateway.example.com, not the address of the web console.';

const servers: ConnectionServer[] = [];

beforeAll(() => {
	for (const name of ['NO_PROXY', 'no_proxy', 'http_proxy', 'https_proxy']) delete process.env[name];
});
beforeEach(() => {
	// However long a test takes here, its time is not over.
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (_milliseconds, signal) => {
		await new Promise((resolve) => signal!.addEventListener('abort', resolve));
	});
});
afterEach(async () => {
	jest.restoreAllMocks();
	await Promise.all(servers.splice(0).map(async (server) => await server.close()));
});

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

/** A server with one answer for all requests. */
async function serve(respond: Respond, certificate?: null): Promise<ConnectionServer> {
	const server = await startConnectionServer(
		{ afterRequest: (_connection, request, response) => respond(response, request) },
		certificate,
	);
	servers.push(server);
	return server;
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

/** An address at which nothing listens. */
async function closedUrl(): Promise<string> {
	const server = await startConnectionServer({}, null);
	await server.close();
	return server.url;
}

describe('The test of a credential', () => {
	it('uses the alternate address like a workflow, and says so', async () => {
		const { url } = await serve(answer(200, MODELS), null);
		const baseUrl = await closedUrl();
		expect(await test(baseUrl, { alternateBaseUrl: url })).toEqual({
			status: 'OK',
			message: `Connection successful. Models that this key may use: 2. They came from Alternate Base URL: No gateway answers at ${new URL(baseUrl).host}`,
		});
		const neither = await test(baseUrl, { alternateBaseUrl: await closedUrl() });
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

	it.each([
		['{"models":[{"name":"a"}]}', 1],
		['{"data":[]}', 0],
	])('takes a list in the forms that the nodes take: %s', async (list, count) => {
		const { url } = await serve(answer(200, list), null);
		expect(await test(url)).toMatchObject({ status: 'OK', message: expect.stringMatching(`: ${count}$`) });
	});

	it('mends what was pasted along', async () => {
		const seen: unknown[] = [];
		const { url } = await serve((response, { url: path, headers }) => {
			seen.push([path, headers.authorization]);
			response.end(MODELS);
		}, null);
		expect(await test(` ${url}/v1/models \n`, { apiKey: ` bearer  ${KEY}\r\n` })).toMatchObject({
			status: 'OK',
		});
		expect(seen).toEqual([['/v1/models', `Bearer ${KEY}`]]);
	});
});

describe('A slip in the credential', () => {
	it.each<[string, Record<string, string>, string]>([
		[
			'no address',
			{ baseUrl: ' ' },
			'Base URL is missing in the credential. Open the credential and enter the address of your gateway, for example https://gateway.example.com.',
		],
		[
			'a blank in the key',
			{ apiKey: 'sk-12345 67890' },
			'API Key in the credential contains a space or a line break. Enter the key again, as one word and without anything before or after it.',
		],
		[
			'a header that cannot be',
			{ idempotencyHeader: 'two words' },
			'Idempotency Header in the credential cannot be "two words". Enter the name of the header that the documentation of your gateway gives, for example Idempotency-Key, or leave the field empty.',
		],
	])('is named before anything is sent: %s', async (_name, more, message) => {
		const { url, accepted } = await serve(answer(200, MODELS), null);
		expect(await test(url, more)).toEqual({ status: 'Error', message });
		expect(accepted()).toBe(0);
	});
});

describe('An address without a gateway', () => {
	it('at which nothing listens is named with its port', async () => {
		const url = await closedUrl();
		expect(await test(url)).toEqual({
			status: 'Error',
			message: `No gateway answers at ${new URL(url).host}. Check the host and port of Base URL in the credential, and check that the gateway is running. Inside Docker, localhost is the container itself.`,
		});
	});

	it('that does not exist is named', async () => {
		expect(await test('https://gateway.invalid')).toEqual({
			status: 'Error',
			message:
				'The address gateway.invalid does not exist. Check Base URL in the credential for typos, and check that this n8n can reach the internet.',
		});
	});

	it('without HTTPS is told from one with it', async () => {
		const { url } = await serve(answer(200, MODELS), null);
		expect(await test(url.replace('http:', 'https:'))).toEqual({
			status: 'Error',
			message: `A secure connection to ${new URL(url).host} could not be established. Check whether Base URL in the credential should start with http:// instead of https://.`,
		});
	});

	it('with HTTPS only is told from one without', async () => {
		const { url } = await serve(answer(200, MODELS));
		expect(await test(url.replace('https:', 'http:'))).toEqual({
			status: 'Error',
			message:
				'The connection to the gateway was lost before the response was complete. Check Base URL, and check that the gateway is running. If the gateway uses HTTPS, Base URL must start with https://.',
		});
	});

	it('that asks for HTTPS gets the same advice', async () => {
		const page = answer(400, '<html><h1>400 The plain HTTP request was sent to HTTPS port</h1></html>');
		expect(await wordsFor(page)).toBe(
			`A proxy or firewall in front of HOST rejected the request (status 400). ${CHECK_ADDRESS} If the gateway uses HTTPS, Base URL must start with https://.`,
		);
	});

	it('has a certificate that is not valid', async () => {
		const { url, received } = await serve(answer(200, MODELS));
		expect(await test(url)).toEqual({
			status: 'Error',
			message: `The certificate of ${new URL(url).host} is not valid. It is self-signed, from a private certificate authority, expired, or for another host. Check Base URL in the credential, or let this n8n trust it: set NODE_EXTRA_CA_CERTS to the file with the certificate of the authority, and restart n8n.`,
		});
		expect(received()).toBe(0);
	});

	it.each<[string, Respond, string]>([
		[
			'the page of a console',
			answer(200, '<!doctype html><title>Console</title>'),
			'HOST answered with a web page instead of data. Check Base URL in the credential: it must be the API address of the gateway (for example https://gateway.example.com), not the address of its web console. If the address is correct, a proxy or sign-in page is in the way.',
		],
		[
			'something else',
			answer(200, '{"status":"up"}'),
			`The gateway's response cannot be used: it has no list in the field "data". ${CHECK_ADDRESS}`,
		],
		['nothing', answer(200, ''), `The gateway's response cannot be used: it is empty. ${CHECK_ADDRESS}`],
		[
			'a path that does not exist',
			failing(404, 'Not here'),
			`The gateway has no such address (status 404): Not here. ${CHECK_ADDRESS}`,
		],
		[
			'a page that does not exist',
			answer(404, '<html>Not found</html>'),
			'HOST answered with a web page instead of data (status 404). Check Base URL in the credential: it must be the API address of the gateway (for example https://gateway.example.com), not the address of its web console. If the address is correct, a proxy or sign-in page is in the way.',
		],
		[
			'a proxy without a gateway',
			answer(502, '<html>502 Bad Gateway</html>'),
			'The gateway is temporarily unavailable (status 502, tried once). Check that the gateway is running, then test again.',
		],
		[
			'a firewall',
			answer(403, '<html>Forbidden</html>'),
			'A proxy or firewall in front of HOST rejected the request (status 403). The response is a web page, not a message from the gateway. Ask the operator of the gateway or of your network whether this n8n may send such requests. The request was not carried out.',
		],
	])('says what answered instead: %s', async (_name, respond, message) => {
		expect(await wordsFor(respond)).toBe(message);
	});
});

describe('A gateway that refuses the test', () => {
	it.each<[string, Respond, string]>([
		[
			'the key',
			failing(401, 'Invalid token', 'invalid_api_key'),
			'The gateway did not accept the API key: Invalid token. Enter API Key again. It may be mistyped, expired, or for a different gateway than the one in Base URL.',
		],
		[
			'the key, without words',
			answer(401, ''),
			'The gateway did not accept the API key. Enter API Key again. It may be mistyped, expired, or for a different gateway than the one in Base URL.',
		],
		[
			'the key, with a status of success',
			failing(200, 'Invalid token', 'invalid_api_key'),
			'The gateway did not accept the API key: Invalid token. Enter API Key again. It may be mistyped, expired, or for a different gateway than the one in Base URL.',
		],
		[
			'what the key may do',
			failing(403, 'No access.'),
			'The API key is not allowed to make this request (status 403): No access. In the console of your gateway, check what the key may do and that the account has credit left.',
		],
		[
			'so many requests',
			failing(429, 'Slow down!'),
			'The rate limit of the gateway is reached (tried once): Slow down! Wait a minute, then test again.',
		],
	])('says why: %s', async (_name, respond, message) => {
		expect(await wordsFor(respond)).toBe(message);
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
			/^The gateway redirects this request to another address.* If the new address belongs to your gateway, enter it as Base URL\. If it is a sign-in page, Base URL is the address of the web console\.$/,
		);
		expect(other.accepted()).toBe(0);
	});
});

describe('A hostile answer', () => {
	it('that does not end is read up to its limit', async () => {
		let sent = 0;
		let ended!: () => void;
		const closed = new Promise<void>((resolve) => (ended = resolve));
		const endless: Respond = (response) => {
			const chunk = Buffer.alloc(1_000_000, '[');
			const write = () => {
				while (!response.destroyed && response.write(chunk)) sent += chunk.length;
				sent += chunk.length;
			};
			response.on('drain', write).once('close', ended);
			write();
		};
		expect(await wordsFor(endless)).toBe(
			`The gateway's response cannot be used: it is longer than 32 MB. ${CHECK_ADDRESS}`,
		);
		await closed;
		expect(sent).toBeGreaterThan(32_000_000);
	});

	it.each<[string, Respond, Respond]>([
		['never ends', (response) => response.write('{"data":['), () => {}],
		['begins too late', () => {}, (response) => response.write('{"data":[')],
	])('that %s is given up after the time limit', async (_name, begin, continueLate) => {
		let limit = 0;
		let over!: () => void;
		jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
			limit = milliseconds;
			await new Promise<void>((resolve) => (over = resolve));
		});
		const exchange: Array<[ServerResponse, IncomingMessage]> = [];
		const words = await wordsFor((response, request) => {
			exchange.push([response, request]);
			begin(response, request);
			setTimeout(over, 50);
		});
		expect(words).toBe(
			'The gateway did not respond in time. Check Base URL, and check that the gateway is running. If the gateway uses HTTPS, Base URL must start with https://.',
		);
		expect(limit).toBe(10_000);
		const [[response, request]] = exchange;
		const closed = leavesConnectionsOpen || response.destroyed || once(response, 'close');
		continueLate(response, request);
		await closed;
	});

	it('that breaks off is not a list', async () => {
		const broken: Respond = (response) => {
			response.write('{"data":[', () => response.destroy());
		};
		expect(await wordsFor(broken)).toMatch(/^The connection to the gateway was lost before the response/);
	});

	it('with far more values than any list is not read', async () => {
		const { url } = await serve(answer(200, `{"data":[${'"a",'.repeat(600_000)}"a"]}`), null);
		expect((await test(url)).message).toContain('it contains more than 500000 values');
	});
});
