import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { ByteStream } from '../../../nodes/shared/answer/byteStream';
import { type AnswerReader, type RawAnswer, readJson } from '../../../nodes/shared/answer/answerReaders';
import { toFailure } from '../../../nodes/shared/failure/failure';
import { attempt } from '../../../nodes/shared/send/attempt';
import { type Endpoint, endpoints } from '../../../nodes/shared/send/endpoints';
import type { GatewayRequest } from '../../../nodes/shared/send/request';
import type { Exchange, HttpRequest } from '../../../nodes/shared/send/transport';
import { FakeClock } from '../fakeClock';

/** What the network or the gateway does with one request. */
interface Fault {
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
function faultOf(name: string): Fault {
	const [, code, isPage] = /^status (\d+)(, web page)?$/.exec(name) ?? [];
	if (code === undefined) return faults[name];
	return isPage ? page(Number(code)) : status(Number(code));
}

const ADDRESS = 'https://gateway.example';
const kinds: Endpoint[] = [endpoints.models, endpoints.chatCompletions, endpoints.musicSubmit];

/**
 * Sends a request once, and says in words what became of it: the outcome (`final` for none), the kind of failure, how long
 * the gateway asks to wait, whether what was asked for may be paid for, whether what has arrived is kept, and how long it
 * took.
 */
async function wordsFor(
	{ answer, request, read = readJson, stops }: Fault,
	endpoint: Endpoint,
): Promise<string> {
	const clock = new FakeClock();
	const execution = new AbortController();
	const caller = new AbortController();
	const bodies: ByteStream[] = [];
	const left = () => [
		...(getEventListeners(execution.signal, 'abort').length > 0 ? ['leaves a listener'] : []),
		...(bodies.every(({ destroyed }) => destroyed) ? [] : ['leaves a body open']),
	];
	const exchange: Exchange = async (sent) => {
		if (stops) void clock.sleep(1_000).then(() => (stops === 'execution' ? execution : caller).abort());
		const answered = await answer(sent, clock);
		bodies.push(answered.body);
		return answered;
	};
	const send = attempt({ clock, signal: execution.signal }, exchange, { base: ADDRESS, utilities: ADDRESS });
	const open = () => {
		bodies.push(Readable.from(['{}']));
		return bodies.at(-1)!;
	};
	const body = { contentType: 'application/json', open, identity: () => '' };
	const content = endpoint.method === 'POST' ? { body } : {};
	const startedAt = clock.now();
	const url = `${ADDRESS}${endpoint.path}`;
	const signal = stops === 'caller' ? caller.signal : undefined;
	const all = { endpoint, url, signal, ...content, ...request };
	try {
		await clock.run(send(all, read));
		return ['works', ...left()].join(', ');
	} catch (error) {
		const { kind, facts, outcome } = toFailure(error);
		const took = Math.round((clock.now() - startedAt) / 1_000);
		return [
			outcome?.kind ?? 'final',
			kind,
			...(outcome?.retryAfterMs === undefined ? [] : [`wait ${outcome.retryAfterMs / 1_000} s`]),
			...(outcome?.isFinal ? ['never again'] : []),
			...(facts.mayHaveBeenCarriedOut ? ['may be paid'] : []),
			...(facts.partial ? ['keeps'] : []),
			...(took > 1 ? [`after ${took} s`] : []),
			...left(),
		].join(', ');
	}
}

/** Each fault, with what a request that reads, generates, or creates something ends with; `"` is the same as before it. */
const TABLE = `
fault                                       | read                                     | generate                                              | create
no fault                                    | works                                    | "                                                     | "
connection refused                          | notConnected, unreachable                | "                                                     | "
closed in the handshake                     | notConnected, unreachable                | "                                                     | "
no tunnel at the proxy                      | notConnected, unreachable                | "                                                     | "
no connection in 10 seconds                 | notConnected, unreachable, after 10 s    | "                                                     | "
no end of the handshake                     | notConnected, unreachable, after 10 s    | "                                                     | "
forbidden by n8n                            | final, unreachable                       | "                                                     | "
a header that cannot be sent                | final, unreachable                       | "                                                     | "
reset after the request                     | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
error that says nothing                     | notConnected, unreachable                | unclear, interrupted, may be paid                     | "
time limit of n8n's helper                  | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
no answer                                   | unclear, interrupted, after 60 s         | unclear, interrupted, may be paid, after 300 s        | unclear, interrupted, may be paid, after 120 s
execution stopped before the connection     | final, cancelled                         | "                                                     | "
execution stopped after the request         | final, cancelled                         | final, cancelled, may be paid                         | "
request stopped by its caller               | final, cancelled                         | final, cancelled, may be paid                         | "
cut before the body                         | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
cut in the body                             | unclear, interrupted, keeps              | unclear, interrupted, may be paid, keeps              | "
cut, with the words of another connection   | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
stalled in the body                         | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
execution stopped in the body               | final, cancelled, keeps                  | final, cancelled, may be paid, keeps                  | "
endless white space                         | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
stream: cut                                 | unclear, interrupted, keeps              | unclear, interrupted, may be paid, keeps              | "
stream: cut after it was shown              | unclear, interrupted, never again, keeps | unclear, interrupted, never again, may be paid, keeps | "
stream: stalled                             | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
stream: endless without progress            | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
stream: endless                             | unclear, interrupted, keeps, after 600 s | unclear, interrupted, may be paid, keeps, after 600 s | "
stream: an error                            | notTaken, gateway                        | "                                                     | "
stream: an error after it was shown         | notTaken, gateway, never again           | "                                                     | "
status 303 See Other                        | unclear, address, keeps                  | unclear, address, may be paid, keeps                  | "
status 307 to another host                  | rejected, address                        | "                                                     | "
status 401 after a redirect to another host | rejected, address                        | "                                                     | "
status 400                                  | rejected, request                        | "                                                     | "
status 400 with an idempotency key          | rejected, request                        | "                                                     | "
status 401                                  | rejected, authentication                 | "                                                     | "
status 402                                  | rejected, permission                     | "                                                     | "
status 403                                  | rejected, permission                     | "                                                     | "
status 404                                  | rejected, notFound                       | "                                                     | "
status 407                                  | rejected, request                        | "                                                     | "
status 408                                  | unclear, request                         | unclear, request, may be paid                         | "
status 409                                  | rejected, request                        | "                                                     | "
status 409 with an idempotency key          | unclear, request                         | unclear, request, may be paid                         | "
status 413                                  | rejected, request                        | "                                                     | "
status 422                                  | rejected, request                        | "                                                     | "
status 429                                  | refused, rateLimit                       | "                                                     | "
status 429, Retry-After in seconds          | refused, rateLimit, wait 2 s             | "                                                     | "
status 429, Retry-After as a date           | refused, rateLimit, wait 3 s             | "                                                     | "
status 429, Retry-After in milliseconds     | refused, rateLimit, wait 0.3 s           | "                                                     | "
status 429, Retry-After of a day            | refused, rateLimit, wait 86400 s         | "                                                     | "
status 429, the wait in words               | refused, rateLimit, wait 20 s            | "                                                     | "
status 429, no credit left                  | rejected, permission                     | "                                                     | "
status 499                                  | unclear, request                         | unclear, request, may be paid                         | "
status 500                                  | notTaken, gateway                        | "                                                     | unclear, gateway, may be paid
status 500, the result could not be stored  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 500, no choices in the answer        | unclear, gateway, never again            | unclear, gateway, never again, may be paid            | "
status 500, invalid request                 | rejected, request                        | "                                                     | "
status 501                                  | rejected, gateway                        | "                                                     | "
status 502                                  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 503                                  | notTaken, gateway                        | "                                                     | "
status 503, Retry-After                     | notTaken, gateway, wait 2 s              | "                                                     | "
status 503, no such model                   | rejected, notFound                       | "                                                     | "
status 504                                  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 505                                  | rejected, gateway                        | "                                                     | "
status 511                                  | rejected, gateway                        | "                                                     | "
status 524                                  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 529                                  | notTaken, gateway                        | "                                                     | "
status 403, web page                        | rejected, permission                     | "                                                     | "
status 404, web page                        | rejected, address                        | "                                                     | "
status 500, web page                        | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 500, nothing                         | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 502, web page                        | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 503, web page                        | notTaken, gateway                        | "                                                     | "
status 200, nothing                         | final, answer                            | final, answer, may be paid                            | "
status 200, web page                        | final, address                           | "                                                     | "
status 200, half of the JSON                | final, answer, keeps                     | final, answer, may be paid, keeps                     | "
status 200, a sentence                      | final, answer, keeps                     | final, answer, may be paid, keeps                     | "
status 200, deep JSON                       | final, answer, keeps                     | final, answer, may be paid, keeps                     | "
status 200, invalid UTF-8                   | works                                    | "                                                     | "
status 200, an error                        | notTaken, gateway                        | "                                                     | unclear, gateway, may be paid
status 200, the result could not be stored  | unclear, request                         | unclear, request, may be paid                         | "
status 200, an error without a code         | final, request                           | "                                                     | "
status 200, a rate limit                    | refused, rateLimit, wait 5 s             | "                                                     | "
status 200, a wrong key                     | rejected, authentication                 | "                                                     | "
status 200, an error next to a result       | final, request, keeps                    | final, request, may be paid, keeps                    | "
`;

/** The rows of the table: the fault, and what each kind of request ends with. */
function rowsOf(table: string): string[][] {
	const [, ...lines] = table.trim().split('\n');
	return lines.map((line) =>
		line
			.split('|')
			.reduce<string[]>((row, cell) => [...row, cell.trim() === '"' ? row.at(-1)! : cell.trim()], []),
	);
}

describe('One attempt of a request', () => {
	it.each(rowsOf(TABLE))('ends as the table says: %s', async (fault, ...expected) => {
		const found: string[] = [];
		for (const kind of kinds) found.push(await wordsFor(faultOf(fault), kind));
		expect(found).toEqual(expected);
	});
});
