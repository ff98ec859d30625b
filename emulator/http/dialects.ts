import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerFile, DialectContext, Refusal, Variant } from '../dialects/dialect';
import { publish } from '../dialects/publishedFiles';
import type { Payload } from './bodyFaults';
import { type Exchange, exchangeOf } from './exchange';
import { foreignOrigin } from './foreignOrigin';
import type { StreamEvent } from './streamEvent';

const json = 'application/json; charset=utf-8';

const variantsOf = ({ dialects }: Exchange) => dialects.filter((one): one is Variant => one.carriedOut);
const refusalOf = ({ dialects }: Exchange) => dialects.find((one): one is Refusal => !one.carriedOut);

function note({ entry }: Exchange, { name }: { name: string }): void {
	if (!entry.dialects.includes(name)) entry.dialects = [...entry.dialects, name];
}

/** Tells whether a dialect of the request makes the gateway refuse it. */
export function isRefusedIn(exchange: Exchange): boolean {
	return refusalOf(exchange) !== undefined;
}

/**
 * Answers in place of the route, and applies the dialects that concern the bytes of streams.
 * @returns false if the request is to be carried out
 */
export function answerInstead(exchange: Exchange, reply: FastifyReply): boolean {
	for (const { stream } of variantsOf(exchange)) {
		exchange.treatment.stream = { ...exchange.treatment.stream, ...stream };
	}
	const refusal = refusalOf(exchange);
	if (!refusal) return false;
	note(exchange, refusal);
	const { status, headers, body } = refusal.instead;
	void reply.code(status).headers(headers).send(body);
	return true;
}

/** Applies the dialects of a request to the events of a stream. */
export function eventsIn(exchange: Exchange, events: StreamEvent[]): StreamEvent[] {
	const changed = variantsOf(exchange).reduce((before, dialect) => {
		if (dialect.stream) note(exchange, dialect);
		const after = dialect.events?.(structuredClone(before)) ?? before;
		if (textOf(after) !== textOf(before)) note(exchange, dialect);
		return after;
	}, events);
	return changed.map((event) => ({ ...event, data: dataText(event) }));
}

const dataText = ({ data }: StreamEvent) => (typeof data === 'string' ? data : JSON.stringify(data));
const textOf = (events: StreamEvent[]) =>
	events.map((event) => `${event.name ?? ''} ${dataText(event)}`).join('\n');

async function bytesOf(payload: Payload): Promise<Buffer> {
	if (!(payload instanceof Readable)) return Buffer.from(payload);
	const chunks: Buffer[] = [];
	for await (const chunk of payload) chunks.push(Buffer.from(chunk as Uint8Array));
	return Buffer.concat(chunks);
}

function fileIn(dialect: Variant, file: AnswerFile, context: DialectContext): AnswerFile {
	const isJson = file.contentType.includes('json');
	if (isJson && dialect.json) {
		const value = dialect.json(JSON.parse(file.bytes.toString('utf8')) as unknown, context);
		file = { ...file, bytes: Buffer.from(JSON.stringify(value)) };
	}
	if (isJson) return file;
	const changed = dialect.file?.(file, context) ?? file;
	return 'json' in changed
		? { contentType: json, bytes: Buffer.from(JSON.stringify(changed.json)) }
		: changed;
}

/**
 * The body of an answer in the dialects of its request; streams, refusals, and answers to refused requests are left.
 * @returns the payload to send instead
 */
export async function inDialects(
	payload: Payload,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<Payload> {
	const exchange = exchangeOf(request);
	const changing = variantsOf(exchange).filter((dialect) => 'json' in dialect || 'file' in dialect);
	const contentType = String(reply.getHeader('content-type') ?? '');
	const { entry, wholeStream } = exchange;
	const isOwn = reply.statusCode < 300 && !isRefusedIn(exchange) && entry.replayOf === null;
	if (changing.length === 0 || !isOwn || wholeStream) return payload;
	const context = { publish: (file: AnswerFile) => `${foreignOrigin(request)}${publish(file)}` };
	let file: AnswerFile = { contentType, bytes: await bytesOf(payload) };
	for (const dialect of changing) {
		const before = file;
		file = fileIn(dialect, before, context);
		if (file.contentType !== before.contentType || !file.bytes.equals(before.bytes)) note(exchange, dialect);
	}
	reply.header('content-type', file.contentType).removeHeader('content-length');
	return file.bytes;
}
