import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Exchange, untilAborted } from './exchange';

/** The body of an answer. */
export type Payload = string | Buffer | Readable;

async function* chunksOf(payload: Payload): AsyncGenerator<Buffer> {
	if (typeof payload === 'string') yield Buffer.from(payload);
	else if (Buffer.isBuffer(payload)) yield payload;
	else for await (const chunk of payload) yield Buffer.from(chunk);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until all data written so far has left the process. */
export async function written(reply: FastifyReply): Promise<void> {
	const { raw } = reply;
	await nextTurn();
	while (!raw.closed && (raw.writableLength > 0 || (raw.socket?.writableLength ?? 0) > 0)) await nextTurn();
}

/** Yields the chunks up to a number of bytes, then closes the connection or stalls. */
async function* interrupted(
	chunks: AsyncIterable<Buffer>,
	afterBytes: number,
	kind: 'cut' | 'stall',
	exchange: Exchange,
	reply: FastifyReply,
): AsyncGenerator<Buffer> {
	// Node sends the headers with the first byte of the body, but there may be none.
	reply.raw.flushHeaders();
	let left = afterBytes;
	for await (const chunk of chunks) {
		if (left <= 0) break;
		const part = chunk.subarray(0, left);
		left -= part.length;
		yield part;
	}
	await written(reply);
	if (kind === 'cut') exchange.disconnect('close');
	await untilAborted(exchange.signal);
}

async function* smallChunks(
	chunks: AsyncIterable<Buffer>,
	bytes: number,
	signal: AbortSignal,
): AsyncGenerator<Buffer> {
	for await (const chunk of chunks) {
		for (let start = 0; start < chunk.length; start += bytes) {
			yield chunk.subarray(start, start + bytes);
			await nextTurn();
			if (signal.aborted) return;
		}
	}
}

function truncated(payload: Payload, bytes: number | undefined): Payload {
	if (payload instanceof Readable) return payload;
	const whole = Buffer.from(payload);
	return whole.subarray(0, bytes ?? Math.floor(whole.length / 2));
}

async function whole(payload: Payload): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of chunksOf(payload)) chunks.push(chunk);
	return Buffer.concat(chunks);
}

function isEventStream(reply: FastifyReply): boolean {
	return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}

/**
 * Applies the rules for the bytes of a response: faults in the body, and the size of its chunks.
 * @returns the payload to send instead
 */
export async function shapeBody(payload: Payload, exchange: Exchange, reply: FastifyReply): Promise<Payload> {
	const { fault, signal, treatment } = exchange;
	if (fault?.kind === 'truncatedJson') return truncated(payload, fault.bytes);

	const chunkBytes = isEventStream(reply) ? treatment.stream.chunkBytes : undefined;
	const breaks = (fault?.kind === 'cut' || fault?.kind === 'stall') && fault.afterEvents === undefined;
	if (!breaks && chunkBytes === undefined) return payload;

	let chunks = chunksOf(payload);
	let breakAt = breaks ? (fault.afterBytes ?? 0) : 0;
	if (breakAt < 0) {
		const body = await whole(payload);
		chunks = chunksOf(body);
		breakAt += body.length;
	}
	if (breaks) chunks = interrupted(chunks, breakAt, fault.kind, exchange, reply);
	if (chunkBytes !== undefined) chunks = smallChunks(chunks, chunkBytes, signal);
	return Readable.from(chunks, { objectMode: false });
}
