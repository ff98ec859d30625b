import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Behaviour } from './behaviour/behaviour';
import type { VoiceList } from './catalogue/voices';
import { admit } from './http/admission';
import { keyState, withoutKeys } from './http/authentication';
import { type Payload, shapeBody } from './http/bodyFaults';
import { controlRoutes } from './http/control';
import { invalidRequest, RequestFailure, sendFailure, unknownPath, wrongMethod } from './http/errors';
import { inDialects, isRefusedIn } from './http/dialects';
import type { Exchange } from './http/exchange';
import { IdempotencyKeys, keepAnswer } from './http/idempotency';
import { readForm } from './http/multipart';
import { replacedAfterwards } from './http/substitute';
import { named } from './http/named';
import type { Journal } from './journal';
import type { MusicTasks } from './music/tasks';
import { apiRoutes } from './routes';

/** The parts of a server. */
export interface ServerParts {
	apiKey: string;
	/** True if only the `/v1` paths exist (interface, introduction). */
	v1Only: boolean;
	journal: Journal;
	behaviour: Behaviour;
	tasks: MusicTasks;
	voices: VoiceList;
	/** The hour in China at which the digests of a day are published. */
	newsHour: number;
	/** Returns the emulator's time in ms. */
	now: () => number;
	/** Aborts when the emulator closes. */
	closing: AbortSignal;
}

const maxBodyBytes = 50 * 1024 * 1024;
const controlPath = /^\/__emulator\/(?:health|journal|behaviour|music(?:\/advance)?)$/;
/** The paths that do not belong to the gateway's interface: control, and the files that answers link to. */
const ownPath = /^\/__emulator\//;

function openExchange(request: FastifyRequest, reply: FastifyReply, parts: ServerParts): Exchange {
	const { apiKey, journal, behaviour, now, closing } = parts;
	const path = request.url.split('?', 1)[0];
	const entry = journal.open({
		method: request.method,
		path,
		query: { ...(request.query as Record<string, unknown>) },
		headers: withoutKeys(request.headers, apiKey),
		key: keyState(path, request.headers, apiKey),
		receivedAt: now(),
	});
	const ended = new AbortController();
	let disconnected = false;
	reply.raw.once('close', () => {
		journal.close(entry, now(), !reply.raw.writableFinished && !disconnected && !closing.aborted);
		ended.abort();
	});
	return {
		entry,
		treatment: behaviour.treatmentOf(request.method, path),
		received: { bytes: 0, isJson: false },
		dialects: [],
		signal: AbortSignal.any([ended.signal, closing]),
		disconnect: (how) => {
			disconnected = true;
			const { socket } = request.raw;
			if (how === 'reset') socket.resetAndDestroy();
			else socket.destroy();
		},
	};
}

function failureOf(error: FastifyError): RequestFailure {
	if (error instanceof RequestFailure) return error;
	const status = error.statusCode ?? 500;
	if (status >= 400 && status < 500) return invalidRequest(error.message, status);
	return new RequestFailure(500, 'server_error', 'server_error', `The emulator failed: ${error.message}`);
}

function isCarriedOut(exchange: Exchange, { statusCode }: FastifyReply): boolean {
	const { entry, fault } = exchange;
	if (isRefusedIn(exchange)) return false;
	return statusCode < 300 && entry.replayOf === null && fault?.kind !== 'imageFailure';
}

/** Returns a function that returns the methods of a path, to distinguish a wrong method from an unknown path. */
function collectMethods(app: FastifyInstance): (path: string) => string[] {
	const routes: Array<{ url: string; methods: string[] }> = [];
	app.addHook('onRoute', ({ url, method }) => void routes.push({ url, methods: [method].flat() }));
	const isAt = (url: string, path: string) =>
		new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`).test(path);
	return (path) => routes.filter(({ url }) => isAt(url, path)).flatMap(({ methods }) => methods);
}

/** Builds the gateway with journal, key check, and rules in front of every route. It does not listen yet. */
export function buildServer(parts: ServerParts): FastifyInstance {
	const app = fastify({
		bodyLimit: maxBodyBytes,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1_000 },
		frameworkErrors: (error, _request, reply) => void sendFailure(reply, failureOf(error)),
	});
	const methodsOf = collectMethods(app);

	// Bodies stay bytes until the request is admitted, because the key and the limits are checked before the JSON.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	app.addContentTypeParser(
		/^multipart\/form-data/i,
		async (request: FastifyRequest, payload: IncomingMessage) => await readForm(request.headers, payload),
	);

	app.decorateRequest('exchange', null);
	app.addHook('onRequest', async (request, reply) => {
		if (!controlPath.test(request.url)) request.exchange = openExchange(request, reply, parts);
	});
	const { journal, now } = parts;
	const keys = new IdempotencyKeys();
	app.addHook('preValidation', (request, reply) => admit(request, reply, { journal, keys, now }));
	if (parts.v1Only) {
		app.addHook('preHandler', async ({ method, url }) => {
			const path = url.split('?', 1)[0];
			if (!path.startsWith('/v1/') && !ownPath.test(path)) throw unknownPath(method, path);
		});
	}
	app.addHook('onSend', async (request, reply, payload: unknown) => {
		const { exchange } = request;
		if (!exchange) return payload;
		const isBody = typeof payload === 'string' || Buffer.isBuffer(payload) || payload instanceof Readable;
		const carriedOut = isCarriedOut(exchange, reply);
		journal.update(exchange.entry, { carriedOut });
		if (carriedOut) void reply.headers(exchange.treatment.headers());
		const said = isBody ? await inDialects(payload, request, reply) : payload;
		const kept = isBody ? await keepAnswer(said as Payload, exchange, reply) : said;
		const sent = replacedAfterwards(exchange, reply) ?? kept;
		journal.update(exchange.entry, { status: reply.statusCode });
		void reply.header('x-request-id', `req_${String(exchange.entry.id).padStart(8, '0')}`);
		return isBody ? shapeBody(sent as Payload, exchange, reply) : sent;
	});

	app.setErrorHandler((error: FastifyError, _request, reply) => sendFailure(reply, failureOf(error)));
	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?', 1)[0];
		const methods = methodsOf(path);
		const failure =
			methods.length > 0
				? wrongMethod(request.method, path, [...new Set(methods)])
				: unknownPath(request.method, path);
		return sendFailure(reply, failure);
	});

	void app.register(named(controlRoutes), parts);
	void app.register(named(apiRoutes), parts);
	return app;
}
