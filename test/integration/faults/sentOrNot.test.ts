import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { type Socket, connect } from 'node:net';
import tls from 'node:tls';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { runWorkflow } from '../engine/runWorkflow';
import {
	type ConnectionFault,
	type ConnectionServer,
	LOCALHOST,
	useConnectionServers,
} from './connectionFaults';
import { useFastClock } from './fastClock';
import { operationCase, workflowOf } from './operations';
import { selfSigned } from './selfSigned';

/** A fatal alert (handshake failure) as a record without encryption. */
const ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 40]);
const GARBAGE = Buffer.alloc(300, 'neither a record of TLS nor HTTP');
const CLEAR_TEXT = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n';
const CHAT_ANSWER = JSON.stringify({
	choices: [{ message: { role: 'assistant', content: 'Because.' }, finish_reason: 'stop' }],
});
const RETRIES = 2;
const OTHER_HOST = selfSigned('gateway.example');

useFastClock(10);

const { start, refusedUrl } = useConnectionServers();
const requests: ClientRequest[] = [];
const onRequest = (message: unknown) => requests.push((message as { request: ClientRequest }).request);

beforeAll(() => {
	subscribe('http.client.request.start', onRequest);
	const { createSecureContext } = tls;
	// Node.js reads the certificates that it trusts when it starts, so each client is told about these.
	jest
		.spyOn(tls, 'createSecureContext')
		.mockImplementation((options) =>
			createSecureContext({ ...options, ca: [LOCALHOST.cert, OTHER_HOST.cert] }),
		);
});
afterEach(() => {
	delete process.env.HTTP_PROXY;
	delete process.env.HTTPS_PROXY;
	requests.length = 0;
});
afterAll(() => unsubscribe('http.client.request.start', onRequest));

const CHAT = operationCase('chat', 'chatCompletion');

/** Asks a model. @returns the details of its failure, or the output */
async function run(credential: ICredentialDataDecryptedObject, timeoutSeconds = 300): Promise<IDataObject> {
	const options = { maxRetries: RETRIES, maxRateLimitRetries: RETRIES, timeoutSeconds };
	const workflow = workflowOf(CHAT, { options }, { onError: 'continueRegularOutput' });
	const { items } = await runWorkflow(workflow, { credential: { apiKey: 'a-key-for-tests', ...credential } });
	return (items[0].json.details ?? items[0].json) as IDataObject;
}

/** Ends the client's connection with an error that reading from it can have. */
function failReading(code: string): void {
	const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read', errno: -113 });
	requests.at(-1)?.socket?.destroy(error);
}

type AfterRequest = NonNullable<ConnectionFault['afterRequest']>;

const answerChat: AfterRequest = (_connection, _request, response) =>
	response.setHeader('content-type', 'application/json').end(CHAT_ANSWER);

const AFTER_THE_REQUEST: Array<[string, AfterRequest, null?]> = [
	['an alert', (connection) => connection.write(ALERT)],
	['the end of TLS', (_connection, request) => request.socket.end()],
	['clear text', (connection) => connection.write(CLEAR_TEXT)],
	['garbage', (connection) => connection.write(GARBAGE)],
	['a reset', (connection) => connection.resetAndDestroy()],
	['the end of the connection', (connection) => connection.destroy()],
	['read EHOSTUNREACH', () => failReading('EHOSTUNREACH')],
	['read EPROTO', () => failReading('EPROTO')],
	['a reset without TLS', (connection) => connection.resetAndDestroy(), null],
	['read EHOSTUNREACH without TLS', () => failReading('EHOSTUNREACH'), null],
];

describe('A paid request that was read', () => {
	it.each(AFTER_THE_REQUEST)('is not repeated after %s', async (...[, afterRequest, certificate]) => {
		const server = await start({ afterRequest }, certificate);
		const failure = await run({ baseUrl: server.url });
		expect(server.received()).toBe(1);
		expect(failure).toMatchObject({ kind: 'interrupted', attempts: 1, charge: 'possible' });
	});

	it('is not repeated after garbage in the tunnel of a proxy', async () => {
		const server = await start({ afterRequest: (connection) => connection.write(GARBAGE) });
		process.env.HTTPS_PROXY = (await startProxy(tunnelTo(server))).url;
		const failure = await run({ baseUrl: server.url });
		expect(server.received()).toBe(1);
		expect(failure).toMatchObject({ kind: 'interrupted', charge: 'possible' });
	});
});

const UNSENT = { kind: 'unreachable', attempts: RETRIES + 1 };

describe('A paid request that was not sent', () => {
	/** Does something once the handshake has begun. */
	const inHandshake = (act: (connection: Socket) => void): [ConnectionFault] => [
		{ insteadOfHandshake: (connection) => connection.once('data', () => act(connection)) },
	];
	const OTHER_SCHEME = 'should start with http://';
	it.each<[string, Parameters<typeof start>, string]>([
		['handshake is closed', inHandshake((connection) => connection.destroy()), OTHER_SCHEME],
		['handshake is reset', inHandshake((connection) => connection.resetAndDestroy()), OTHER_SCHEME],
		['handshake ends with an alert', inHandshake((connection) => connection.end(ALERT)), OTHER_SCHEME],
		['handshake gets clear text', inHandshake((connection) => connection.end(CLEAR_TEXT)), OTHER_SCHEME],
		['certificate is not signed', [{}, selfSigned('localhost')], 'NODE_EXTRA_CA_CERTS'],
		['certificate is for another host', [{}, OTHER_HOST], 'the host that the certificate names'],
	])('is repeated when its %s', async (_name, how, advice) => {
		const server = await start(...how);
		const failure = await run({ baseUrl: server.url });
		expect([server.accepted(), server.received()]).toEqual([UNSENT.attempts, 0]);
		expect(failure).toMatchObject(UNSENT);
		expect(failure.description).toContain(advice);
		expect(failure).not.toHaveProperty('charge');
	});

	it('is repeated when nothing listens', async () => {
		const failure = await run({ baseUrl: await refusedUrl() });
		expect(failure).toMatchObject(UNSENT);
		expect(failure).not.toHaveProperty('charge');
	});

	it('is repeated when the time limit ends the handshake', async () => {
		const server = await start({ insteadOfHandshake: () => undefined });
		const failure = await run({ baseUrl: server.url }, 5);
		expect(server.received()).toBe(0);
		expect(failure).toMatchObject(UNSENT);
		expect(failure.description).not.toContain('certificate');
	});

	it('is sent to the alternate address as soon as the handshake takes longer than a connection may', async () => {
		const silent = await start({ insteadOfHandshake: () => undefined });
		const answering = await start({ afterRequest: answerChat }, null);
		const output = await run({ baseUrl: silent.url, alternateBaseUrl: answering.url });
		expect([silent.received(), answering.received()]).toEqual([0, 1]);
		expect(JSON.stringify(output)).toContain('Because.');
	});

	it.each<[string, (connection: Socket) => void]>([
		['the proxy resets the connection', (connection) => connection.resetAndDestroy()],
		[
			'the tunnel ends in the handshake',
			(connection) => {
				connection.write('HTTP/1.1 200 OK\r\n\r\n');
				connection.once('data', () => connection.destroy());
			},
		],
		['the proxy makes no tunnel, with status 502', withoutTunnel(502)],
		['the proxy makes no tunnel, with status 401', withoutTunnel(401)],
		['the proxy makes no tunnel, with status 429', withoutTunnel(429)],
	])('is repeated when %s', async (_name, act) => {
		const server = await start({});
		const proxy = await startProxy(act);
		process.env.HTTPS_PROXY = proxy.url;
		const failure = await run({ baseUrl: server.url });
		expect([proxy.accepted(), server.received()]).toEqual([UNSENT.attempts, 0]);
		expect(failure).toMatchObject(UNSENT);
	});

	it.each(['HTTP_PROXY', 'HTTPS_PROXY'])('is repeated when nothing listens at %s', async (name) => {
		const server = await start({}, name === 'HTTP_PROXY' ? null : LOCALHOST);
		process.env[name] = await refusedUrl(null);
		const failure = await run({ baseUrl: server.url });
		expect(server.received()).toBe(0);
		expect(failure).toMatchObject(UNSENT);
	});

	it('is sent to the alternate address at once when the proxy makes no tunnel to the first one', async () => {
		const alternate = await start({ afterRequest: answerChat }, null);
		const proxy = await startProxy(withoutTunnel(504));
		process.env.HTTPS_PROXY = proxy.url;
		const output = await run({ baseUrl: 'https://gateway.example', alternateBaseUrl: alternate.url });
		expect([proxy.accepted(), alternate.received()]).toEqual([1, 1]);
		expect(JSON.stringify(output)).toContain('Because.');
	});

	it('is repeated when the address of a redirect refuses the connection', async () => {
		const alternate = await refusedUrl();
		const server = await start({
			afterRequest: (_connection, { url }, response) =>
				response.writeHead(307, { location: `${alternate}${url}` }).end(),
		});
		const failure = await run({ baseUrl: server.url, alternateBaseUrl: alternate });
		expect(failure).toMatchObject(UNSENT);
	});
});

/** What a proxy answers instead of making a tunnel. */
function withoutTunnel(status: number): (connection: Socket) => void {
	return (connection) => connection.end(`HTTP/1.1 ${status} No tunnel\r\nContent-Length: 2\r\n\r\nno`);
}

/** A proxy that does something with each connection that asks for a tunnel. */
async function startProxy(act: (connection: Socket) => void): Promise<ConnectionServer> {
	const proxy = await start({
		insteadOfHandshake: (connection) => connection.once('data', () => act(connection)),
	});
	return { ...proxy, url: proxy.url.replace('https:', 'http:') };
}

function tunnelTo({ url }: ConnectionServer): (connection: Socket) => void {
	return (connection) => {
		const target = connect(Number(new URL(url).port), '127.0.0.1');
		target.on('error', () => connection.destroy());
		connection.write('HTTP/1.1 200 OK\r\n\r\n');
		connection.pipe(target).pipe(connection);
	};
}
