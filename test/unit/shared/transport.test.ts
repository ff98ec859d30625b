import { Readable, PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { exchangeOf, type HttpRequest } from '../../../nodes/shared/send/transport';
import type { RawAnswer } from '../../../nodes/shared/answer/answerReaders';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeContext, type FakeAnswer } from './fakeContext';
import {
	failureInside,
	findRequestOf,
	hasTimedOut,
	isConnecting,
	type SentRequest,
	whyUnsent,
} from '../../../nodes/shared/send/transportError';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';

const addresses = {
	base: 'https://gateway.example',
	alternate: 'https://other.example',
	utilities: 'https://gateway.example',
};
const credential = {
	baseUrl: addresses.base,
	apiKey: 'key',
	allowedHttpRequestDomains: 'domains',
	allowedDomains: 'gateway.example',
};
const URL_OF_MODELS = 'https://gateway.example/v1/models';
const REQUEST = {
	method: 'GET',
	url: URL_OF_MODELS,
	headers: { accept: '*/*' },
	idleTimeoutMs: 5_000,
} as const;
const TRANSPORT = { credential, addresses, keyRedactor: new Redactor(['secret-key-123']) };

/** Sends one request to a server that answers by URL. */
async function send(answers: Record<string, FakeAnswer>, request: Partial<HttpRequest> = {}, withKey = true) {
	const respond = ({ url }: IHttpRequestOptions) => answers[url] ?? { status: 404 };
	const context = new FakeContext({ respond });
	const { signal } = new AbortController();
	const key = withKey ? {} : { credential: undefined };
	const transport = { ...TRANSPORT, ...key, context: context.execute };
	const answer = (await exchangeOf(transport)({ ...REQUEST, signal, ...request })) as RawAnswer;
	return { answer, sent: context.sent, signal };
}
const redirect = (location: string, status = 302): FakeAnswer => ({ status, headers: { location } });

describe('A request', () => {
	it('goes through the helper of n8n, with its time limit and its signal, and returns any status', async () => {
		const { answer, sent, signal } = await send({ [URL_OF_MODELS]: { status: 500, headers: { a: 'b' } } });
		expect(answer).toMatchObject({ status: 500, headers: { a: 'b' } });
		expect(answer.body.readable).toBe(true);
		expect(sent).toMatchObject([
			{
				method: 'GET',
				url: URL_OF_MODELS,
				headers: REQUEST.headers,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: 5_000,
				agentOptions: { timeout: 10_000 },
				abortSignal: signal,
				withKey: true,
			},
		]);
	});

	it('carries the key and its own headers only to the addresses of the credential', async () => {
		const ownHeaders = { 'idempotency-key': '1' };
		const own = await send({}, { ownHeaders });
		expect(own.sent).toMatchObject([
			{
				withKey: true,
				headers: { accept: '*/*', 'idempotency-key': '1' },
				allowedDomains: 'gateway.example',
			},
		]);
		const foreign = { ownHeaders, url: 'https://files.example/a' };
		const { sent } = await send({}, foreign);
		expect(sent).toMatchObject([{ withKey: false, headers: { accept: '*/*' } }]);
		expect(sent[0].headers).not.toHaveProperty('idempotency-key');
		expect(sent[0].allowedDomains).toBeUndefined();
	});

	it('is stopped by its own signal, not only by that of the execution, and has the key already', async () => {
		const { signal } = new AbortController();
		const seen: unknown[] = [];
		const { execute } = new FakeContext({ signal: new AbortController().signal });
		Object.assign(execute.helpers.httpRequestWithAuthentication, {
			call: async (context: typeof execute, type: string, _options: object, more: object) => {
				seen.push(context.getExecutionCancelSignal(), type, more);
				return { statusCode: 200, headers: {}, body: { destroy: () => {} } };
			},
		});
		const transport = { ...TRANSPORT, context: execute };
		await exchangeOf(transport)({ ...REQUEST, signal });
		expect(seen[0]).toBe(signal);
		const type = 'unifiedAiGatewayApi';
		expect(seen.slice(1)).toEqual([
			type,
			{ credentialsDecrypted: { id: '', name: type, type, data: credential } },
		]);
	});
});

describe('A redirect of a request that reads', () => {
	it('is followed, with the key only at the addresses of the credential', async () => {
		const { answer, sent } = await send({
			[URL_OF_MODELS]: redirect('/v2/models'),
			'https://gateway.example/v2/models': redirect('http://files.example/models'),
			'http://files.example/models': redirect('https://other.example/models'),
			'https://other.example/models': { status: 200 },
		});
		expect(answer.status).toBe(200);
		expect(sent.map(({ url, withKey }) => [url, withKey])).toEqual([
			[URL_OF_MODELS, true],
			['https://gateway.example/v2/models', true],
			['http://files.example/models', false],
			['https://other.example/models', true],
		]);
	});

	it('closes the answer that redirects', async () => {
		const body = Readable.from([Buffer.from('Moved')]);
		await send({ [URL_OF_MODELS]: { ...redirect('/a'), body } });
		expect(body.destroyed).toBe(true);
	});

	it('is followed five times', async () => {
		const { answer, sent } = await send({ [URL_OF_MODELS]: redirect(URL_OF_MODELS) });
		expect([answer.status, sent.length]).toEqual([302, 6]);
	});

	it.each([
		['to another protocol', redirect('ftp://gateway.example/https:')],
		['to something that is no address', redirect('https://')],
		['to nowhere', redirect('')],
		['without an address', { status: 302 }],
		['with the key in its address', redirect('https://files.example/?k=secret-key-123')],
		['with the encoded key in its address', redirect('https://files.example/?k=%73ecret%252Dkey-123')],
	])('is returned as it is %s', async (_what, answer) => {
		const { sent } = await send({ [URL_OF_MODELS]: answer });
		expect(sent).toHaveLength(1);
	});

	it('has a status from 300 to 399', async () => {
		const sentWith = async (status: number) =>
			(await send({ [URL_OF_MODELS]: redirect('/a', status) })).sent.length;
		for (const status of [300, 301, 303, 307, 308, 399]) expect(await sentWith(status)).toBe(2);
		for (const status of [200, 299, 400]) expect(await sentWith(status)).toBe(1);
	});
});

describe('A redirect of a request that may be paid for', () => {
	const post = async (answer: FakeAnswer, body: HttpRequest['body'] = '{}') =>
		(await send({ [URL_OF_MODELS]: answer }, { method: 'POST', body })).sent;

	it('is followed only with the statuses that keep the request as it is', async () => {
		for (const status of [307, 308]) {
			const sent = await post(redirect('https://other.example/a', status));
			expect(sent).toMatchObject([{ method: 'POST' }, { method: 'POST', body: '{}', withKey: true }]);
		}
		for (const status of [300, 301, 302, 303]) expect(await post(redirect('/a', status))).toHaveLength(1);
	});

	it('is followed only to an address of the credential', async () => {
		expect(await post(redirect('https://files.example/a', 307))).toHaveLength(1);
	});

	it('is not followed to an address that has redirected it before', async () => {
		expect(await post(redirect(URL_OF_MODELS, 307))).toHaveLength(1);
		const back = {
			[URL_OF_MODELS]: redirect('/a', 308),
			'https://gateway.example/a': redirect(URL_OF_MODELS, 308),
		};
		expect((await send(back, { method: 'POST', body: '{}' })).sent).toHaveLength(2);
	});

	it('is not followed if its body cannot be sent again', async () => {
		expect(await post(redirect('/a', 307), Readable.from([]))).toHaveLength(1);
	});
});

/** The state of a connection that has ended, as Node.js 20 to 24 leave it. */
const PLAIN = {
	connecting: { destroyed: true, _bytesDispatched: 0, bytesWritten: 242 },
	sent: { destroyed: true, _bytesDispatched: 242, bytesWritten: 242 },
};
const TLS = {
	connecting: { ...PLAIN.connecting, secureConnecting: true },
	handshake: { ...PLAIN.sent, secureConnecting: true },
	sent: { ...PLAIN.sent, secureConnecting: false },
};
/** There is no tunnel yet. */
const NO_SOCKET = null;

interface Facts {
	code?: string;
	message?: string;
	syscall?: string;
	address?: string;
	port?: number;
	hostname?: string;
	errors?: Array<{ syscall: string; address?: string; port?: number }>;
	response?: object;
}

/** An error as n8n's helper throws it: its own, around that of axios, around that of Node.js. */
function errorOf({ code, message = code, response, ...facts }: Facts, request?: object): Error {
	const ofNode = Object.assign(new Error(message), { code, ...facts });
	const ofAxios = Object.assign(new Error(message, { cause: ofNode }), { code, request, response });
	return new Error(message, { cause: ofAxios });
}
const withSocket = (facts: Facts, socket: unknown, res: object | null = null) =>
	errorOf(facts, { res, socket });
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const RESET = { code: 'ECONNRESET', syscall: 'read' };

describe('A request that was not sent', () => {
	it.each<[string, Facts, object | null, string]>([
		['nothing listens', REFUSED, PLAIN.connecting, 'refused'],
		['nothing listens at the proxy', REFUSED, NO_SOCKET, 'refused'],
		['the proxy resets the connection', RESET, NO_SOCKET, 'other'],
		['the host is unreachable', { code: 'EHOSTUNREACH', syscall: 'connect' }, TLS.connecting, 'other'],
		['the system gives up', { code: 'ETIMEDOUT', syscall: 'connect' }, PLAIN.connecting, 'timeout'],
		['the run gives up', { code: 'ERR_CANCELED' }, TLS.connecting, 'timeout'],
		['the helper gives up in the handshake', { code: 'ECONNABORTED' }, TLS.handshake, 'timeout'],
		['a reset in the handshake', RESET, TLS.handshake, 'secure'],
	])('has a connection or handshake that failed: %s', (_name, facts, socket, reason) => {
		expect(whyUnsent(withSocket(facts, socket))).toEqual({ reason });
	});

	it.each<[string, Facts, string]>([
		['the system call looks up a name', { code: 'EFAIL', syscall: 'getaddrinfo' }, 'other'],
		['the system call connects', { code: 'EFAIL', syscall: 'connect' }, 'other'],
		['the certificate is not accepted', { code: 'CERT_HAS_EXPIRED' }, 'expired'],
	])('is known without its connection if %s', (_name, facts, reason) => {
		expect(whyUnsent(errorOf(facts))).toEqual({ reason });
	});

	it('may be one that n8n does not allow, in the words of n8n', () => {
		const message = 'The request was blocked because it resolves to a restricted IP address';
		const blocked = { reason: 'blocked', detail: message };
		expect(whyUnsent(new Error(message))).toEqual(blocked);
		for (const socket of [NO_SOCKET, PLAIN.connecting, TLS.connecting]) {
			expect(whyUnsent(withSocket({ message }, socket))).toEqual(blocked);
		}
	});
});

describe('A connection that was not made', () => {
	const refused = { syscall: 'connect', address: '10.0.0.9', port: 3128 };

	it.each<[string, Facts, object | undefined]>([
		['an address', { code: 'ECONNREFUSED', ...refused }, { host: '10.0.0.9', port: 3128 }],
		[
			'the first of several addresses',
			{ code: 'ECONNREFUSED', errors: [refused, { ...refused, address: '::1' }] },
			{ host: '10.0.0.9', port: 3128 },
		],
		['a name', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'proxy' }, { host: 'proxy' }],
		['nothing, once connected', { ...refused, code: 'ECONNRESET', syscall: 'read' }, undefined],
	])('is reported with what it was meant for: %s', (_name, facts, peer) => {
		const explained = whyUnsent(withSocket(facts, NO_SOCKET));
		expect(explained).toBeDefined();
		expect(explained?.peer).toEqual(peer);
	});
});

describe('A request that may have left', () => {
	it.each<[string, unknown]>([
		['a broken record', withSocket({ code: 'EPROTO', syscall: 'write' }, TLS.sent)],
		['read EHOSTUNREACH', withSocket({ code: 'EHOSTUNREACH', syscall: 'read' }, PLAIN.sent)],
		// The file of the body may come from another server.
		['a body that cannot be read on', withSocket(REFUSED, PLAIN.sent)],
		['the time limit', withSocket({ code: 'ERR_CANCELED' }, TLS.sent)],
		['words like those of n8n', withSocket({ message: 'restricted' }, PLAIN.sent)],
		['words like those of n8n beside a code', errorOf({ code: 'ECONNRESET', message: 'restricted' })],
		['a list of errors without any', errorOf({ code: 'EPROTO', errors: [] })],
		['a header that is refused after it', withSocket({ code: 'ERR_INVALID_STATE' }, TLS.sent)],
		['an open connection', withSocket({ code: 'EPROTO' }, { ...TLS.handshake, destroyed: false })],
		['the beginning of its answer', withSocket(REFUSED, PLAIN.connecting, { statusCode: 200 })],
		['its answer', withSocket({ ...REFUSED, response: { status: 200 } }, PLAIN.connecting)],
		['a code that tells nothing', errorOf({ code: 'EPROTO', syscall: 'read' })],
		['another error of Node.js', errorOf({ code: 'ERR_STREAM_PREMATURE_CLOSE' })],
		['a code that only contains one', errorOf({ code: 'MY_ERR_INVALID_CHAR' })],
		['a connection that tells nothing', withSocket({ code: 'EHOSTUNREACH' }, { destroyed: true })],
		['another error', new Error('Something else')],
		['nothing', undefined],
	])('counts as sent: %s', (_name, error) => {
		expect([whyUnsent(error), hasTimedOut(error)]).toEqual([undefined, false]);
	});

	it.each(['ETIMEDOUT', 'ECONNABORTED'])('counts as sent, and its time as over, after %s', (code) => {
		const error = withSocket({ code, syscall: 'read' }, TLS.sent);
		expect([whyUnsent(error), hasTimedOut(error)]).toEqual([undefined, true]);
	});
});

describe('failureInside', () => {
	it('finds a GatewayFailure among the causes', () => {
		const failure = new GatewayFailure('storage', 'Full', 'Free some space.');
		expect(failureInside(new Error('outer', { cause: failure }))).toBe(failure);
		expect(failureInside(errorOf({ code: 'EPROTO' }))).toBeUndefined();
	});
});

describe('A request whose error tells nothing of its connection', () => {
	it('is judged by the code alone if it costs nothing', () => {
		const noTls = errorOf({ code: 'EPROTO', syscall: 'write' });
		expect(whyUnsent(noTls, { isPaid: false })).toEqual({ reason: 'secure' });
		expect(whyUnsent(noTls)).toBeUndefined();
		expect(whyUnsent(errorOf({ code: 'ECONNRESET' }), { isPaid: false })).toBeUndefined();
	});

	it.each<[string, object, boolean]>([
		['in its handshake', { res: null, socket: TLS.handshake }, true],
		['never made', { res: null, socket: null, destroyed: true }, true],
		['perhaps still to come', { res: null, socket: null, destroyed: false }, false],
		['made', { res: null, socket: TLS.sent }, false],
		['answered', { res: {}, socket: TLS.handshake }, false],
	])('is judged by its connection if that was seen on its way: %s', (_what, sent, isUnsent) => {
		const lost = errorOf({ message: 'socket hang up', code: 'ECONNRESET' });
		expect(whyUnsent(lost, { sent }) !== undefined).toBe(isUnsent);
	});
});

describe('The request of a body', () => {
	it.each<[string, (body: Readable, request: Writable) => void]>([
		['directly', (body, request) => void body.pipe(request)],
		['through another stream', (body, request) => void body.pipe(new PassThrough()).pipe(request)],
	])('is found when the body is piped into it %s, and gets the body', async (_how, send) => {
		const texts: string[] = [];
		const write = (chunk: Buffer, _encoding: string, done: () => void) => {
			texts.push(chunk.toString());
			done();
		};
		const request = Object.assign(new Writable({ write }), { setHeader: () => {} });
		const found: SentRequest[] = [];
		send(
			findRequestOf(Readable.from(['a', 'b']), (one) => found.push(one)),
			request,
		);
		expect(found).toEqual([request]);
		await finished(request);
		expect(texts.join('')).toBe('ab');
	});

	it('fails as a fault of this package when that cannot watch it', () => {
		const faulty = () => {
			throw new TypeError('A fault');
		};
		const request = Object.assign(new PassThrough(), { setHeader: () => {} });
		const piping = () => findRequestOf(Readable.from(['a']), faulty).pipe(request);
		expect(piping).toThrow(expect.objectContaining({ kind: 'bug' }));
	});
});

describe('A request', () => {
	it.each<[string, SentRequest, boolean]>([
		['has no connection yet', { socket: null }, true],
		['has its answer', { socket: null, res: {} }, false],
		['tells nothing', {}, false],
	])('that %s', (_name, request, connects) => {
		expect(isConnecting(request)).toBe(connects);
	});
});
