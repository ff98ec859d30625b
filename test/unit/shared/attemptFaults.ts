import { Readable } from 'node:stream';
import { type RawAnswer, readJson } from '../../../nodes/shared/answer/answerReaders';
import type { AnswerReader } from '../../../nodes/shared/answer/answerReaders';
import type { GatewayRequest } from '../../../nodes/shared/send/request';
import type { HttpRequest } from '../../../nodes/shared/send/transport';
import type { FakeClock } from '../fakeClock';

/** What the network or the gateway does with one request. */
export interface Fault {
	/** Answers, or throws as n8n's request helper does. */
	answer(request: HttpRequest, clock: FakeClock): RawAnswer | Promise<RawAnswer>;
	/** What the request has besides its endpoint. */
	request?: Partial<GatewayRequest>;
	/** Reads a successful answer. Default: as JSON. */
	read?: AnswerReader<unknown>;
	/** Who stops the request, as soon as it is sent. */
	stops?: 'execution' | 'caller';
}

type Headers = Record<string, string>;

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Sign in first</body></html>';
const GOOD = JSON.stringify({ id: 'answer-1', text: 'Hello' });
const error = (fields: object = {}) =>
	JSON.stringify({ error: { message: 'Something failed', type: 'gateway_error', ...fields } });

const answered = (status: number, body: string | Buffer, headers: Headers = {}): Fault => ({
	answer: () => ({ status, headers, body: Readable.from([Buffer.from(body)]) }),
});
const status = (code: number, headers?: Headers) => answered(code, error(), headers);
const page = (code: number) => answered(code, PAGE);
const withWords = (code: number, fields: object) => answered(code, error(fields));
const redirected = (code: number, location: string): Fault => ({
	answer: (request) => {
		request.onRedirect?.(location);
		return status(code).answer(request, undefined as never);
	},
});

/** A proxy answers through a socket without encryption. */
const withoutTunnel = (code: number): Fault => ({
	answer: (request) => {
		request.onRequest?.({ socket: { destroyed: true } });
		return page(code).answer(request, undefined as never);
	},
});

/** A connection as Node.js leaves it. */
const CONNECTIONS = {
	connecting: { destroyed: true, _bytesDispatched: 0 },
	handshake: { destroyed: true, _bytesDispatched: 242, secureConnecting: true },
	sent: { destroyed: true, _bytesDispatched: 242, secureConnecting: false },
};

/** An error as n8n's helper throws it, around that of Node.js. */
function errorOf(facts: object, socket?: object): Error {
	const request = socket === undefined ? undefined : { res: null, socket };
	return Object.assign(new Error('An error of Node.js'), { ...facts, request });
}

function thrown(facts: object, socket?: keyof typeof CONNECTIONS): Fault {
	return {
		answer: () => {
			throw errorOf(facts, socket && CONNECTIONS[socket]);
		},
	};
}

/** Waits until somebody gives the request up. */
async function givenUp({ signal }: HttpRequest): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Never answers. @param socket the state of the connection then */
const silent = (socket: keyof typeof CONNECTIONS, more: Partial<Fault> = {}): Fault => ({
	answer: async (request) => {
		const connection = { ...CONNECTIONS[socket], connecting: socket === 'connecting', destroyed: false };
		request.onRequest?.({ res: null, socket: connection });
		await givenUp(request);
		throw errorOf({ code: 'ERR_CANCELED' }, CONNECTIONS[socket]);
	},
	...more,
});

/** Answers with a body that arrives in pieces. */
const arriving = (
	pieces: (request: HttpRequest, clock: FakeClock) => AsyncGenerator<Buffer>,
	more: Partial<Fault> = {},
): Fault => ({
	answer: (...asked) => ({ status: 200, headers: {}, body: Readable.from(pieces(...asked)) }),
	...more,
});

const LOST = { code: 'ECONNRESET' };

/** Answers with the beginning of a body, and then fails or says nothing more. */
const brokenOff = (text: string, how: 'stalled' | { code: string }, more: Partial<Fault> = {}) =>
	arriving(async function* (request) {
		if (text) yield Buffer.from(text);
		if (how === 'stalled') await givenUp(request);
		throw Object.assign(new Error('aborted'), how === 'stalled' ? { code: 'ERR_CANCELED' } : how);
	}, more);

/** Sends pieces for ever, one each second. */
const endless = (piece: string, more: Partial<Fault> = {}) =>
	arriving(async function* ({ signal }, clock) {
		while (!signal.aborted) {
			yield Buffer.from(piece);
			await clock.sleep(1_000, signal);
		}
		throw Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
	}, more);

const stream = { streamed: 'events' } as const;
const withKey = { idempotencyHeaders: { 'idempotency-key': 'k' } };
/** Shows somebody the beginning of the answer. */
const showing: AnswerReader<unknown> = async (answer) => {
	answer.passedOn?.();
	return await readJson(answer);
};
/** Counts only texts as progress, as the reader of an event stream does. */
const patiently: AnswerReader<unknown> = async (answer) => {
	answer.countOnlyProgress?.();
	return await readJson(answer);
};

const connect = { syscall: 'connect', address: '10.0.0.9', port: 443 };
const busy = { status: 'UNAVAILABLE', code: 503 };

const faults: Record<string, Fault> = {
	'no fault': answered(200, GOOD),
	// Before anything is sent.
	'connection refused': thrown({ code: 'ECONNREFUSED', ...connect }, 'connecting'),
	'closed in the handshake': thrown({ code: 'ECONNRESET', syscall: 'read' }, 'handshake'),
	'no tunnel at the proxy': withoutTunnel(401),
	'no connection in 10 seconds': silent('connecting'),
	'no end of the handshake': silent('handshake'),
	'forbidden by n8n': { answer: () => Promise.reject(new Error('Domain not allowed: gateway.example')) },
	'a header that cannot be sent': thrown({ code: 'ERR_INVALID_CHAR' }),
	// After it was sent, without an answer.
	'reset after the request': thrown({ code: 'ECONNRESET', syscall: 'read' }, 'sent'),
	'error that says nothing': thrown({ code: 'EPROTO' }),
	"time limit of n8n's helper": thrown({ code: 'ECONNABORTED' }, 'sent'),
	'no answer': silent('sent'),
	'execution stopped before the connection': silent('connecting', { stops: 'execution' }),
	'execution stopped after the request': silent('sent', { stops: 'execution' }),
	'request stopped by its caller': silent('sent', { stops: 'caller' }),
	// In the answer.
	'cut before the body': brokenOff('', LOST),
	'cut in the body': brokenOff(GOOD.slice(0, 12), LOST),
	'cut, with the words of another connection': brokenOff('', { code: 'ECONNREFUSED', ...connect }),
	'stalled in the body': brokenOff(GOOD.slice(0, 12), 'stalled'),
	'execution stopped in the body': brokenOff(GOOD.slice(0, 12), 'stalled', { stops: 'execution' }),
	'endless white space': endless(' '),
	'stream: cut': brokenOff(GOOD.slice(0, 12), LOST, { request: stream }),
	'stream: cut after it was shown': brokenOff(GOOD.slice(0, 12), LOST, { request: stream, read: showing }),
	'stream: stalled': brokenOff(GOOD.slice(0, 12), 'stalled', { request: stream }),
	'stream: endless without progress': endless(' ', { request: stream, read: patiently }),
	'stream: endless': endless(' ', { request: { ...stream, totalMinutes: 10 } }),
	'stream: an error': { ...withWords(200, busy), request: stream },
	'stream: an error after it was shown': { ...withWords(200, busy), request: stream, read: showing },
	// Statuses, with the error object of a gateway.
	'status 303 See Other': answered(303, '', { location: 'https://gateway.example/result' }),
	'status 307 to another host': answered(307, '', { location: 'https://elsewhere.example/' }),
	'status 401 after a redirect to another host': redirected(401, 'https://elsewhere.example/'),
	'status 400 with an idempotency key': { ...status(400), request: withKey },
	'status 409 with an idempotency key': { ...status(409), request: withKey },
	'status 429, Retry-After in seconds': status(429, { 'retry-after': '2' }),
	'status 429, Retry-After as a date': {
		answer: (request, clock) =>
			status(429, { 'retry-after': new Date(clock.date() + 3_000).toUTCString() }).answer(request, clock),
	},
	'status 429, Retry-After in milliseconds': status(429, { 'retry-after-ms': '300' }),
	'status 429, Retry-After of a day': status(429, { 'retry-after': '86400' }),
	'status 429, the wait in words': withWords(429, { message: 'Please try again in 20s.' }),
	'status 429, no credit left': withWords(429, { code: 'insufficient_quota' }),
	'status 500, the result could not be stored': withWords(500, { message: 'failed to upload image' }),
	'status 500, no choices in the answer': withWords(500, { message: 'chat response contains no choices' }),
	'status 500, invalid request': withWords(500, { type: 'invalid_request_error' }),
	'status 503, Retry-After': status(503, { 'retry-after': '2' }),
	'status 503, no such model': withWords(503, { code: 'model_not_found' }),
	'status 500, nothing': answered(500, ''),
	// With a status of success.
	'status 200, nothing': answered(200, ''),
	'status 200, half of the JSON': answered(200, GOOD.slice(0, 20)),
	'status 200, a sentence': answered(200, 'The engine is warming up.'),
	'status 200, deep JSON': answered(200, `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
	'status 200, invalid UTF-8': answered(200, Buffer.from([0x22, 0xff, 0xfe, 0x22])),
	'status 200, an error': withWords(200, { code: 'busy', type: 'server_error' }),
	'status 200, the result could not be stored': withWords(200, { message: 'failed to upload image' }),
	'status 200, an error without a code': withWords(200, {}),
	'status 200, a rate limit': withWords(200, { code: 429, message: 'Try again in 5 seconds' }),
	'status 200, a wrong key': withWords(200, { type: 'authentication_error' }),
	'status 200, an error next to a result': answered(
		200,
		JSON.stringify({ text: 'Hel', ...(JSON.parse(error()) as object) }),
	),
};

/** The fault with this name; many are only a status, with an error object or a web page. */
export function faultOf(name: string): Fault {
	const [, code, isPage] = /^status (\d+)(, web page)?$/.exec(name) ?? [];
	if (code === undefined) return faults[name];
	return isPage ? page(Number(code)) : status(Number(code));
}
