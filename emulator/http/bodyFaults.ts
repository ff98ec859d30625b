import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../behaviour/rule';
import { type Exchange, pause, untilAborted } from './exchange';
import { deepJson, gzipBomb, hugeJson, invalidUtf8 } from './hostileBodies';

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
	// Node sends the headers with the first byte of the body, and there may be none.
	reply.raw.flushHeaders();
	let left = afterBytes;
	for await (const chunk of chunks) {
		if (left === 0) break;
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
	delayMs: number,
	signal: AbortSignal,
): AsyncGenerator<Buffer> {
	for await (const chunk of chunks) {
		for (let start = 0; start < chunk.length; start += bytes) {
			yield chunk.subarray(start, start + bytes);
			if (delayMs > 0 ? !(await pause(delayMs, signal)) : (await nextTurn(), signal.aborted)) return;
		}
	}
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

/** Splits every multi-byte UTF-8 character after its first byte. */
async function* splitCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	for await (const chunk of chunks) {
		let start = 0;
		for (let index = 1; index < chunk.length; index++) {
			if (!isContinuation(chunk[index]) || isContinuation(chunk[index - 1])) continue;
			yield chunk.subarray(start, index);
			await nextTurn();
			start = index;
		}
		yield chunk.subarray(start);
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

/** @returns undefined for other kinds of faults */
async function hostileBody(
	fault: Fault | undefined,
	payload: Payload,
	reply: FastifyReply,
): Promise<Payload | undefined> {
	switch (fault?.kind) {
		case 'deepJson':
		case 'hugeJson': {
			const json = String(reply.getHeader('content-type')).includes('json')
				? await whole(payload)
				: undefined;
			reply.header('content-type', 'application/json; charset=utf-8').removeHeader('content-length');
			return fault.kind === 'deepJson' ? deepJson(json, fault.levels) : hugeJson(json, fault.bytes);
		}
		case 'gzipBomb': {
			const bomb = gzipBomb(await whole(payload), fault.bytes);
			reply.header('content-encoding', 'gzip').header('content-length', bomb.length);
			return bomb;
		}
		case 'invalidUtf8': {
			const broken = invalidUtf8(await whole(payload));
			reply.header('content-length', broken.length);
			return broken;
		}
		default:
			return undefined;
	}
}

/**
 * Applies the rules for the bytes of a response: faults in the body and the size of its chunks.
 * @returns the payload to send instead
 */
export async function shapeBody(payload: Payload, exchange: Exchange, reply: FastifyReply): Promise<Payload> {
	const { fault, signal, treatment } = exchange;
	const hostile = await hostileBody(fault, payload, reply);
	if (hostile) return hostile;
	if (fault?.kind === 'wrongContentType') reply.header('content-type', fault.contentType);
	if (fault?.kind === 'truncatedJson') return truncated(payload, fault.bytes);

	const isEventStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
	const { chunkBytes, splitCharacters: split } = isEventStream ? treatment.stream : {};
	const breaks = (fault?.kind === 'cut' || fault?.kind === 'stall') && fault.afterEvents === undefined;
	if (!breaks && fault?.kind !== 'drip' && chunkBytes === undefined && !split) return payload;

	let chunks = chunksOf(payload);
	if (breaks) chunks = interrupted(chunks, fault.afterBytes ?? 0, fault.kind, exchange, reply);
	if (fault?.kind === 'drip') chunks = smallChunks(chunks, fault.bytes, fault.delayMs, signal);
	if (chunkBytes !== undefined) chunks = smallChunks(chunks, chunkBytes, 0, signal);
	if (split) chunks = splitCharacters(chunks);
	return Readable.from(chunks, { objectMode: false });
}
