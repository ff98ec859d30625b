import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { ByteStream } from '../../../nodes/shared/answer/byteStream';
import { type AnswerReader, type RawAnswer, readJson } from '../../../nodes/shared/answer/answerReaders';
import { toFailure } from '../../../nodes/shared/failure/failure';
import { RULES } from '../../../nodes/shared/failure/rules';
import { inputFailure, interruptedFailure } from '../../../nodes/shared/failure/words';
import { attempt } from '../../../nodes/shared/send/attempt';
import { type Endpoint, endpoints, utilityEndpoint } from '../../../nodes/shared/send/endpoints';
import { type GatewayRequest, type Sending, sendingOf } from '../../../nodes/shared/send/layer';
import { CHECK_EVERY_MS, Watch } from '../../../nodes/shared/send/timeLimits';
import type { Exchange, HttpRequest } from '../../../nodes/shared/send/transport';
import type { RequestBody } from '../../../nodes/shared/send/requestBody';
import { nextTurn } from '../../../nodes/shared/plain/turns';
import { FakeClock } from '../fakeClock';

/** What the network or the gateway does with one request. */
interface Fault {
	/** Answers, or throws as n8n's request helper does. */
	answer(request: HttpRequest, clock: FakeClock): RawAnswer | Promise<RawAnswer>;
	/** What the request has besides its endpoint. */
	request?: Partial<GatewayRequest & Pick<Sending, 'idempotencyHeader'>>;
	/** Reads a successful answer. Default: as JSON. */
	read?: AnswerReader<unknown>;
	/** True if the clock of its time limits fails while it waits. */
	isWatchFaulty?: boolean;
	/** Who stops the request, as soon as it is sent. */
	stops?: 'execution' | 'caller';
}

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Sign in first</body></html>';
const GOOD = JSON.stringify({ id: 'answer-1', text: 'Hello' });
const error = (fields: object = {}) =>
	JSON.stringify({ error: { message: 'Something failed', type: 'gateway_error', ...fields } });

const answered = (status: number, body: string | Buffer, headers: Record<string, string> = {}): Fault => ({
	answer: () => ({ status, headers, body: Readable.from([Buffer.from(body)]) }),
});
const status = (code: number, headers?: Record<string, string>) => answered(code, error(), headers);
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

/** A body that says nothing more. Axios sends it the error as an event when it is given up, so that it is not `errored`. */
function stalledBody(text: string, request: HttpRequest): Readable {
	const body = new Readable({ read: () => {} });
	body.push(text);
	void givenUp(request).then(() => {
		body.emit('error', Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		body.destroy();
	});
	return body;
}

/** Answers with the beginning of a body, and then fails or says nothing more. */
const brokenOff = (text: string, how: 'stalled' | { code: string }, more: Partial<Fault> = {}): Fault =>
	how === 'stalled'
		? {
				answer: (request) => ({ status: 200, headers: {}, body: stalledBody(text, request) }),
				...more,
			}
		: arriving(async function* () {
				if (text) yield Buffer.from(text);
				throw Object.assign(new Error('aborted'), how);
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
const withKey = { idempotencyHeader: { name: 'idempotency-key', value: 'k' } };
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

const faulty: AnswerReader<unknown> = async () => {
	await nextTurn();
	throw new TypeError("Cannot read properties of undefined (reading 'choices')");
};
const faultyBody: RequestBody = {
	contentType: 'application/json',
	open: () => {
		throw new TypeError('Converting circular structure to JSON');
	},
	identity: () => '',
};

/** A body that breaks while it is sent, with something that n8n's helper throws in other words. */
const breaking = (error: Error): Fault => ({
	answer: async ({ body }) => {
		await (body as Readable).toArray().catch(() => {
			throw errorOf(LOST, CONNECTIONS.sent);
		});
		return answered(200, GOOD).answer(undefined as never, undefined as never);
	},
	request: {
		body: {
			contentType: 'application/json',
			open: () =>
				Readable.from(
					(async function* () {
						yield await Promise.resolve(Buffer.from('{"text":"'));
						throw error;
					})(),
				),
			identity: () => '',
		},
	},
});

/** The network accepts a large body piece by piece, and answers then. */
const slowUpload: Fault = {
	answer: async ({ body, signal }, clock) => {
		await (body as Readable).forEach(async () => await clock.sleep(50_000, signal));
		if (signal.aborted) throw errorOf({ code: 'ERR_CANCELED' }, CONNECTIONS.sent);
		return await answered(200, GOOD).answer(undefined as never, clock);
	},
	request: {
		...stream,
		body: {
			contentType: 'application/json',
			open: () => Readable.from(Array(8).fill(' ')),
			identity: () => '',
		},
	},
};

/** A request of which not even the connection can be asked for. */
const FAULTY_REQUEST = {
	get socket(): never {
		throw new TypeError('A fault in a check');
	},
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
	'not compressed as its headers say': brokenOff('', { code: 'Z_DATA_ERROR' }),
	'compressed, but damaged in the middle': brokenOff(GOOD.slice(0, 12), {
		code: 'ERR__ERROR_FORMAT_PADDING_2',
	}),
	'compressed, but cut': brokenOff(GOOD.slice(0, 12), { code: 'Z_BUF_ERROR' }),
	'stalled in the body': brokenOff(GOOD.slice(0, 12), 'stalled'),
	'execution stopped in the body': brokenOff(GOOD.slice(0, 12), 'stalled', { stops: 'execution' }),
	'endless white space': endless(' '),
	'stream: a slow upload': slowUpload,
	'stream: cut': brokenOff(GOOD.slice(0, 12), LOST, { request: stream }),
	'stream: cut after it was shown': brokenOff(GOOD.slice(0, 12), LOST, { request: stream, read: showing }),
	'stream: stalled': brokenOff(GOOD.slice(0, 12), 'stalled', { request: stream }),
	'stream: endless without progress': endless(' ', { request: stream, read: patiently }),
	'stream: endless': endless(' ', { request: { ...stream, totalMinutes: 10 } }),
	'stream: an error': { ...withWords(200, busy), request: stream },
	'stream: an error after it was shown': { ...withWords(200, busy), request: stream, read: showing },
	// A fault of this package.
	'a fault in the reader': { ...answered(200, GOOD), read: faulty },
	'a fault that a reader takes for a lost one': {
		...answered(200, GOOD),
		read: async (answer) =>
			await faulty(answer).catch((error: unknown) => {
				throw interruptedFailure(undefined, {}, undefined, error);
			}),
	},
	'a fault in the reader of a failing status': { ...status(429), read: faulty },
	'a fault in the reader after a part was shown': {
		...answered(200, GOOD),
		read: async (answer) => {
			answer.passedOn?.();
			return await faulty(answer);
		},
	},
	'a fault in the writer': { ...answered(200, GOOD), request: { body: faultyBody } },
	'a fault while the body is written': breaking(new TypeError('size is not iterable')),
	'a file that n8n cannot read any more': breaking(inputFailure('Files', 'cannot be read', 'Run it again.')),
	"a fault in what n8n's helper calls": {
		answer: () => {
			const fault = toFailure(new TypeError("Cannot read properties of undefined (reading 'trim')"));
			throw Object.assign(new Error('An error of n8n'), { cause: fault });
		},
	},
	'a fault of the watch': {
		answer: async (request) => {
			request.onRequest?.(FAULTY_REQUEST);
			await givenUp(request);
			throw errorOf({ code: 'ERR_CANCELED' }, CONNECTIONS.sent);
		},
	},
	'a fault of the watch in the body': brokenOff(GOOD.slice(0, 12), 'stalled', { isWatchFaulty: true }),
	'a fault of the exchange': {
		answer: (request) => {
			(request.onRedirect as unknown as (url: number) => void)?.(1);
			return answered(401, error()).answer(request, undefined as never);
		},
	},
	// Statuses, with the error object of a gateway.
	'status 303 See Other': answered(303, '', { location: 'https://gateway.example/result' }),
	'status 307 to another host': answered(307, '', { location: 'https://elsewhere.example/' }),
	'status 401 after a redirect to another host': redirected(401, 'https://elsewhere.example/'),
	'status 400 with an idempotency key': { ...status(400), request: withKey },
	'status 409 with an idempotency key': { ...status(409), request: withKey },
	'status 429, Retry-After in seconds': answered(429, error({ message: 'Try again in 20s' }), {
		'retry-after': '2',
	}),
	'status 429, Retry-After as a date': {
		answer: (request, clock) =>
			status(429, { 'retry-after': new Date(clock.date() + 3_000).toUTCString() }).answer(request, clock),
	},
	'status 429, Retry-After in milliseconds': status(429, { 'retry-after-ms': '300' }),
	'status 429, Retry-After of a day': status(429, { 'retry-after': '86400' }),
	'status 429, the wait in escaped words': answered(429, '{"message":"20 \\u79d2\\u540e\\u91cd\\u8bd5"}'),
	'status 429, the wait in a field': withWords(429, { message: 'Slow down', retry_after: 9 }),
	'status 429, when the limit begins anew': status(429, { 'x-ratelimit-reset-requests': '7s' }),
	'status 429, no credit left': withWords(429, { code: 'insufficient_quota' }),
	'status 500, the result could not be stored': withWords(500, { message: 'failed to upload image' }),
	'status 500, no choices in the answer': withWords(500, { message: 'chat response contains no choices' }),
	'status 500, image withheld (ZJT#494)': withWords(500, {
		message: 'Gemini image generation blocked [IMAGE_SAFETY]',
		code: 'channel:image_generation_failed',
	}),
	'status 500, forbidden words (new-api#4499)': withWords(500, { code: 'sensitive_words_detected' }),
	'status 500, invalid request': withWords(500, { type: 'invalid_request_error' }),
	'status 503, Retry-After of 0': status(503, { 'retry-after': '0' }),
	// A time to wait does not say that it was not carried out.
	'status 422, Retry-After': status(422, { 'retry-after': '2' }),
	'status 502, Retry-After': status(502, { 'retry-after': '2' }),
	'status 503, no such model': withWords(503, { code: 'model_not_found' }),
	'status 500, nothing': answered(500, ''),
	'status 500, JSON of a proxy (Spring)': answered(500, '{"status":500,"error":"Internal Server Error"}'),
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
const kinds: Endpoint[] = [
	endpoints.models,
	utilityEndpoint('/v2/apis/60s'),
	endpoints.chatCompletions,
	endpoints.musicSubmit,
];

/**
 * Sends a request once, and says in words what became of it: when it may be sent again, the kind of failure, how long the
 * gateway asks to wait, whether it is charged for, whether what has arrived is kept, and how long it took.
 */
async function wordsFor(
	{ answer, request, read = readJson, stops, isWatchFaulty = false }: Fault,
	endpoint: Endpoint,
): Promise<string> {
	const clock = new FakeClock();
	const execution = new AbortController();
	const caller = new AbortController();
	const bodies: ByteStream[] = [];
	const left = async () => {
		await clock.run(clock.sleep(CHECK_EVERY_MS));
		return [
			...(getEventListeners(execution.signal, 'abort').length > 0 ? ['leaves a listener'] : []),
			...(bodies.every(({ destroyed }) => destroyed) ? [] : ['leaves a body open']),
		];
	};
	const exchange: Exchange = async (sent) => {
		sent.onSend?.();
		if (stops) void clock.sleep(1_000).then(() => (stops === 'execution' ? execution : caller).abort());
		try {
			const answered = await answer(sent, clock);
			bodies.push(answered.body);
			return answered;
		} catch (thrown) {
			return { thrown };
		}
	};
	const watch = new Watch(isWatchFaulty ? new FaultyClock() : clock);
	const run = { clock, signal: execution.signal, watch, log: () => {} };
	const send = attempt(run, exchange, { base: ADDRESS, utilities: ADDRESS });
	const open = () => {
		bodies.push(Readable.from(['{}']));
		return bodies.at(-1)!;
	};
	const body = { contentType: 'application/json', open, identity: () => '' };
	const content = endpoint.method === 'POST' ? { body } : {};
	const startedAt = clock.now();
	const url = `${ADDRESS}${endpoint.path}`;
	const signal = stops === 'caller' ? caller.signal : undefined;
	const { idempotencyHeader, ...asked } = request ?? {};
	const sending = sendingOf({ endpoint, signal, ...content, ...asked }, [url]);
	try {
		await clock.run(send({ ...sending, attempts: 1, idempotencyHeader }, read));
		return ['works', ...(await left())].join(', ');
	} catch (error) {
		const { kind, facts, verdict } = toFailure(error);
		const took = Math.round((clock.now() - startedAt) / 1_000);
		return [
			verdict.again,
			kind,
			...(verdict.waitMs === undefined ? [] : [`wait ${verdict.waitMs / 1_000} s`]),
			...(verdict.charge === 'none' ? [] : [`charge ${verdict.charge}`]),
			...(facts.partial ? ['keeps'] : []),
			...(took > 1 ? [`after ${took} s`] : []),
			...(await left()),
		].join(', ');
	}
}

class FaultyClock extends FakeClock {
	override async sleep(): Promise<void> {
		await nextTurn();
		throw new TypeError('A fault in a timer');
	}
}

/** Each fault, with what a request that reads, generates, or creates something ends with; `"` is the same as before it. */
const TABLE = `
fault                                        | read                                  | utility                                                | generate                                                 | create
no fault                                     | works                                 | "                                                      | "                                                        | "
connection refused                           | elsewhere, unreachable                | "                                                      | "                                                        | "
closed in the handshake                      | elsewhere, unreachable                | "                                                      | "                                                        | "
no tunnel at the proxy                       | elsewhere, unreachable                | "                                                      | "                                                        | "
no connection in 10 seconds                  | elsewhere, unreachable, after 10 s    | "                                                      | "                                                        | "
no end of the handshake                      | elsewhere, unreachable, after 10 s    | "                                                      | "                                                        | "
forbidden by n8n                             | never, unreachable                    | "                                                      | "                                                        | "
a header that cannot be sent                 | never, unreachable                    | "                                                      | "                                                        | "
reset after the request                      | soon, interrupted                     | soon, interrupted, charge possible                     | ifFree, interrupted, charge possible                     | "
error that says nothing                      | elsewhere, unreachable                | soon, interrupted, charge possible                     | ifFree, interrupted, charge possible                     | "
time limit of n8n's helper                   | soon, interrupted                     | soon, interrupted, charge possible                     | ifFree, interrupted, charge possible                     | "
no answer                                    | soon, interrupted, after 60 s         | soon, interrupted, charge possible, after 60 s         | ifFree, interrupted, charge possible, after 300 s        | ifFree, interrupted, charge possible, after 120 s
execution stopped before the connection      | never, cancelled                      | "                                                      | "                                                        | "
execution stopped after the request          | never, cancelled                      | never, cancelled, charge possible                      | "                                                        | "
request stopped by its caller                | never, cancelled                      | never, cancelled, charge possible                      | "                                                        | "
cut before the body                          | soon, interrupted                     | soon, interrupted, charge possible                     | ifFree, interrupted, charge possible                     | "
cut in the body                              | soon, interrupted, keeps              | soon, interrupted, charge possible, keeps              | ifFree, interrupted, charge possible, keeps              | "
cut, with the words of another connection    | soon, interrupted                     | soon, interrupted, charge possible                     | ifFree, interrupted, charge possible                     | "
not compressed as its headers say            | never, answer                         | never, answer, charge certain                          | "                                                        | "
compressed, but damaged in the middle        | never, answer, keeps                  | never, answer, charge certain, keeps                   | "                                                        | "
compressed, but cut                          | soon, interrupted, keeps              | soon, interrupted, charge possible, keeps              | ifFree, interrupted, charge possible, keeps              | "
stalled in the body                          | soon, interrupted, keeps, after 60 s  | soon, interrupted, charge possible, keeps, after 60 s  | ifFree, interrupted, charge possible, keeps, after 300 s | ifFree, interrupted, charge possible, keeps, after 120 s
execution stopped in the body                | never, cancelled, keeps               | never, cancelled, charge possible, keeps               | "                                                        | "
endless white space                          | soon, interrupted, keeps, after 60 s  | soon, interrupted, charge possible, keeps, after 60 s  | ifFree, interrupted, charge possible, keeps, after 300 s | ifFree, interrupted, charge possible, keeps, after 120 s
stream: a slow upload                        | works                                 | "                                                      | "                                                        | "
stream: cut                                  | soon, interrupted, keeps              | soon, interrupted, charge possible, keeps              | ifFree, interrupted, charge possible, keeps              | "
stream: cut after it was shown               | never, interrupted, keeps             | never, interrupted, charge possible, keeps             | "                                                        | "
stream: stalled                              | soon, interrupted, keeps, after 60 s  | soon, interrupted, charge possible, keeps, after 60 s  | ifFree, interrupted, charge possible, keeps, after 300 s | ifFree, interrupted, charge possible, keeps, after 120 s
stream: endless without progress             | soon, interrupted, keeps, after 60 s  | soon, interrupted, charge possible, keeps, after 60 s  | ifFree, interrupted, charge possible, keeps, after 300 s | ifFree, interrupted, charge possible, keeps, after 120 s
stream: endless                              | soon, interrupted, keeps, after 600 s | soon, interrupted, charge possible, keeps, after 600 s | ifFree, interrupted, charge possible, keeps, after 600 s | "
stream: an error                             | soon, gateway                         | "                                                      | "                                                        | "
stream: an error after it was shown          | never, gateway                        | "                                                      | "                                                        | "
a fault in the reader                        | never, bug                            | never, bug, charge certain                             | "                                                        | "
a fault that a reader takes for a lost one   | never, bug                            | never, bug, charge certain                             | "                                                        | "
a fault in the reader of a failing status    | afterWait, rateLimit                  | "                                                      | "                                                        | "
a fault in the reader after a part was shown | never, bug                            | never, bug, charge certain                             | "                                                        | "
a fault in the writer                        | never, bug                            | "                                                      | "                                                        | "
a fault while the body is written            | never, bug                            | never, bug, charge possible                            | "                                                        | "
a file that n8n cannot read any more         | never, input                          | "                                                      | "                                                        | "
a fault in what n8n's helper calls           | never, bug                            | never, bug, charge possible                            | "                                                        | "
a fault of the watch                         | never, bug, after 10 s                | never, bug, charge possible, after 10 s                | "                                                        | "
a fault of the watch in the body             | never, bug                            | never, bug, charge certain                             | "                                                        | "
a fault of the exchange                      | never, bug                            | never, bug, charge possible                            | "                                                        | "
status 303 See Other                         | soon, address, keeps                  | soon, address, charge possible, keeps                  | ifFree, address, charge possible, keeps                  | "
status 307 to another host                   | never, address                        | "                                                      | "                                                        | "
status 401 after a redirect to another host  | never, address                        | "                                                      | "                                                        | "
status 400                                   | never, request                        | "                                                      | "                                                        | "
status 400 with an idempotency key           | never, request                        | "                                                      | "                                                        | "
status 401                                   | never, authentication                 | "                                                      | "                                                        | "
status 402                                   | never, permission                     | "                                                      | "                                                        | "
status 403                                   | never, permission                     | "                                                      | "                                                        | "
status 404                                   | never, notFound                       | "                                                      | "                                                        | "
status 407                                   | never, request                        | "                                                      | "                                                        | "
status 408                                   | soon, request                         | soon, request, charge possible                         | ifFree, request, charge possible                         | "
status 409                                   | never, request                        | "                                                      | "                                                        | "
status 409 with an idempotency key           | soon, request                         | soon, request, charge possible                         | ifFree, request, charge possible                         | "
status 413                                   | never, request                        | "                                                      | "                                                        | "
status 422                                   | never, request                        | "                                                      | "                                                        | "
status 422, Retry-After                      | never, request, wait 2 s              | "                                                      | "                                                        | "
status 429                                   | afterWait, rateLimit                  | "                                                      | "                                                        | "
status 429, Retry-After in seconds           | afterWait, rateLimit, wait 2 s        | "                                                      | "                                                        | "
status 429, Retry-After as a date            | afterWait, rateLimit, wait 3 s        | "                                                      | "                                                        | "
status 429, Retry-After in milliseconds      | afterWait, rateLimit, wait 0.3 s      | "                                                      | "                                                        | "
status 429, Retry-After of a day             | afterWait, rateLimit, wait 86400 s    | "                                                      | "                                                        | "
status 429, the wait in escaped words        | afterWait, rateLimit, wait 20 s       | "                                                      | "                                                        | "
status 429, the wait in a field              | afterWait, rateLimit, wait 9 s        | "                                                      | "                                                        | "
status 429, when the limit begins anew       | afterWait, rateLimit, wait 7 s        | "                                                      | "                                                        | "
status 429, no credit left                   | never, permission                     | "                                                      | "                                                        | "
status 499                                   | soon, request                         | soon, request, charge possible                         | ifFree, request, charge possible                         | "
status 500                                   | soon, gateway                         | "                                                      | "                                                        | ifFree, gateway, charge possible
status 500, the result could not be stored   | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 500, no choices in the answer         | never, gateway                        | never, gateway, charge possible                        | "                                                        | "
status 500, image withheld (ZJT#494)         | never, request                         | never, request, charge possible                        | "                                                        | "
status 500, forbidden words (new-api#4499)   | never, request                         | "                                                      | "                                                        | "
status 500, invalid request                  | never, request                        | "                                                      | "                                                        | "
status 501                                   | never, gateway                        | "                                                      | "                                                        | "
status 502                                   | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 502, Retry-After                      | soon, gateway, wait 2 s               | soon, gateway, wait 2 s, charge possible               | ifFree, gateway, wait 2 s, charge possible               | "
status 503                                   | soon, gateway                         | "                                                      | "                                                        | "
status 503, Retry-After of 0                 | afterWait, gateway, wait 0 s          | "                                                      | "                                                        | "
status 503, no such model                    | never, notFound                       | "                                                      | "                                                        | "
status 504                                   | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 505                                   | never, gateway                        | "                                                      | "                                                        | "
status 511                                   | never, gateway                        | "                                                      | "                                                        | "
status 524                                   | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 529                                   | soon, gateway                         | "                                                      | "                                                        | "
status 300, web page                         | never, address                        | "                                                      | "                                                        | "
status 403, web page                         | never, permission                     | "                                                      | "                                                        | "
status 404, web page                         | never, address                        | "                                                      | "                                                        | "
status 500, web page                         | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 500, nothing                          | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 500, JSON of a proxy (Spring)         | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 502, web page                         | soon, gateway                         | soon, gateway, charge possible                         | ifFree, gateway, charge possible                         | "
status 503, web page                         | soon, gateway                         | "                                                      | "                                                        | "
status 200, nothing                          | never, answer                         | never, answer, charge certain                          | "                                                        | "
status 200, web page                         | never, address                        | never, address, charge possible                        | "                                                        | "
status 200, half of the JSON                 | never, answer, keeps                  | never, answer, charge certain, keeps                   | "                                                        | "
status 200, a sentence                       | never, answer, keeps                  | never, answer, charge certain, keeps                   | "                                                        | "
status 200, deep JSON                        | never, answer, keeps                  | never, answer, charge certain, keeps                   | "                                                        | "
status 200, invalid UTF-8                    | works                                 | "                                                      | "                                                        | "
status 200, an error                         | soon, gateway                         | "                                                      | "                                                        | ifFree, gateway, charge possible
status 200, the result could not be stored   | soon, request                         | soon, request, charge possible                         | ifFree, request, charge possible                         | "
status 200, an error without a code          | never, request                        | "                                                      | "                                                        | "
status 200, a rate limit                     | afterWait, rateLimit, wait 5 s        | "                                                      | "                                                        | "
status 200, a wrong key                      | never, authentication                 | "                                                      | "                                                        | "
status 200, an error next to a result        | never, request, keeps                 | never, request, charge possible, keeps                 | "                                                        | "
`;

/** The rows of the table: the fault, and what each kind of request ends with. */
function rowsOf(table: string): string[][] {
	const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
	const filled = (row: string[], cell: string) => [...row, cell === '"' ? row.at(-1)! : cell];
	return table
		.trim()
		.split('\n')
		.slice(1)
		.map((line) => cellsOf(line).reduce<string[]>(filled, []));
}

describe('One attempt of a request', () => {
	it.each(rowsOf(TABLE))('ends as the table says: %s', async (fault, ...expected) => {
		const found = kinds.map(async (kind) => await wordsFor(faultOf(fault), kind));
		expect(await Promise.all(found)).toEqual(expected);
	});

	it('has a row in the table for every fault, and for every rule but that of downloads (client.test.ts)', async () => {
		const names = rowsOf(TABLE).map(([fault]) => fault);
		expect(Object.keys(faults).filter((fault) => !names.includes(fault))).toEqual([]);
		const spies = RULES.map((rule) => jest.spyOn(rule, 'when'));
		for (const name of names) for (const kind of kinds.slice(-2)) await wordsFor(faultOf(name), kind);
		const isUnused = (_: unknown, index: number) => !spies[index].mock.results.some(({ value }) => value);
		expect(RULES.filter(isUnused).map(({ what }) => what)).toEqual([expect.stringMatching(/^A file of a /)]);
	});
});
