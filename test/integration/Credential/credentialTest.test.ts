import '../engine/environment';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import {
	type ConnectionFault,
	type ConnectionServer,
	useConnectionServers,
} from '../faults/connectionFaults';
import { nodeTypes } from '../engine/nodeTypes';

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

/** Tests a credential as the editor does when it is saved: with the function that a node names for it. */
async function test(baseUrl: string, more: Record<string, string> = {}) {
	const [{ methods }] = Object.values(nodeTypes);
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const data = { baseUrl, apiKey: KEY, ...more };
	const credential = { id: '1', name: 'Gateway', type: 'unifiedAiGatewayApi', data };
	return await methods!.credentialTest!.testCredential.call(context, credential);
}

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
});

describe('A failed test', () => {
	it('names a redirect, and does not send the key there', async () => {
		const asked = jest.fn();
		const other = await serve((response, { headers }) => {
			asked(headers);
			response.end(MODELS);
		}, null);
		const words = await wordsFor(answer(302, '', { location: `${other.url}/v1/models` }));
		expect(words).toMatch(/^The gateway redirects this request to another address: Location: /);
		expect(asked).not.toHaveBeenCalled();
	});

	it.each<[string, () => Promise<string>]>([
		['No gateway answers at HOST. Check the host and port', async () => await refusedUrl(null)],
		[
			'The certificate of HOST is not valid. It is self-signed',
			async () => (await serve(answer(200, MODELS))).url,
		],
	])('describes the address: %s', async (beginning, address) => {
		const url = await address();
		const { status, message } = await test(url);
		expect(status).toBe('Error');
		expect(message).toContain(beginning.replace('HOST', new URL(url).host));
	});

	it.each<[string, Respond, string]>([
		['the page of a console', answer(200, '<!doctype html><title>Console</title>'), 'the API address'],
		['a path that does not exist', failing(404, 'Not here'), `(status 404): Not here. ${CHECK_ADDRESS}`],
		[
			'a proxy without a gateway',
			answer(502, '<html>502 Bad Gateway</html>'),
			'(status 502, tried once). Check that the gateway is running, then test again.',
		],
		['a wrong key', failing(401, 'Expired'), 'did not accept the API key: Expired. Enter API Key'],
		['a proxy that wants a password', answer(407, ''), 'NO_PROXY. Then restart n8n.'],
		['a limit', failing(429, 'Slow down!'), '(tried once): Slow down! Wait a minute, then test'],
		['another service', answer(200, '{"status":"up"}'), CHECK_ADDRESS],
		[
			'a port for HTTPS',
			answer(400, 'Client sent an HTTP request to an HTTPS server.'),
			`${CHECK_ADDRESS} If the gateway uses HTTPS, Base URL must start with https://.`,
		],
	])('says what answered: %s', async (_name, respond, message) => {
		expect(await wordsFor(respond)).toContain(message);
	});

	it.each([
		['apiKey', ' ', 'API Key in the credential is empty'],
		['idempotencyHeader', 'x y', 'Idempotency Header in the credential'],
		['musicQueryPath', '/v1/music/tasks', 'Music Query Path in the credential cannot be'],
		['requestsPerMinute', '-5', 'Requests per Minute in the credential is not a number'],
	])('names a field that a workflow could not use: %s', async (field, value, beginning) => {
		const words = await wordsFor(answer(200, MODELS), { [field]: value });
		expect(words.slice(0, beginning.length)).toBe(beginning);
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

	it('gives an answer that never ends up after the time limit', async () => {
		let now = 0;
		let hasBegun = false;
		jest.spyOn(systemClock, 'now').mockImplementation(() => now);
		jest.spyOn(systemClock, 'sleep').mockImplementation(async () => {
			await new Promise((resolve) => setImmediate(resolve));
			if (hasBegun) now = Math.max(9_999, now + 1);
		});
		const words = await wordsFor((response) => {
			response.write('{"data":[', () => (hasBegun = true));
		});
		expect(words).toMatch(
			/^The gateway did not respond in time\. Check Base URL, .* If the gateway uses HTTPS/,
		);
		expect(now).toBe(10_000);
	});
});
