import { Hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { answerFailure } from '../errors/errorMessages';
import { headerValue, type ResponseHeaders } from './headers';

/** A stream of bytes as n8n uses it: a Node Readable, whose module may not be imported here. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** Thrown for a body that is longer than the caller allows. */
export class BodyTooLarge extends Error {
	constructor(readonly maxBytes: number) {
		super(`longer than ${Math.round(maxBytes / 1_000_000)} MB`);
	}
}

/**
 * Reads a whole stream.
 *
 * @throws BodyTooLarge as soon as more than `maxBytes` have arrived; the stream's own error when it breaks
 */
export async function readBytes(stream: ByteStream, maxBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of stream) {
		const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as string);
		length += bytes.length;
		if (length > maxBytes) throw new BodyTooLarge(maxBytes);
		chunks.push(bytes);
	}
	return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length);
}

/** Decodes UTF-8. Invalid bytes become U+FFFD, and a byte order mark is dropped. */
export function decodeText(bytes: Buffer): string {
	return new TextDecoder('utf-8').decode(bytes);
}

/**
 * Waits for the first bytes of a stream and puts them back, so that the next reader still receives the whole stream.
 *
 * @returns the first chunk, or an empty buffer for an empty stream
 */
export async function peekBytes(stream: ByteStream): Promise<Buffer> {
	const chunk = await new Promise<Buffer | null>((resolve, reject) => {
		const settle = (finish: () => void) => () => {
			stream.off('readable', onReadable);
			stream.off('end', onEnd);
			stream.off('error', onError);
			finish();
		};
		const onReadable = () => {
			const bytes = stream.read() as Buffer | null;
			if (bytes === null) return;
			// Immediately, because a stream that was read to its end ends in the next tick, after which it accepts no bytes.
			stream.unshift(bytes);
			settle(() => resolve(bytes))();
		};
		const onEnd = settle(() => resolve(null));
		const onError = (error: Error) => settle(() => reject(error))();
		stream.on('readable', onReadable);
		stream.once('end', onEnd);
		stream.once('error', onError);
	});
	keepingErrors(stream);
	return chunk ?? Buffer.alloc(0);
}

/**
 * A stream of chunks that are generated while it is read, for bodies that must not be kept in memory. Destroying the
 * stream ends the generator.
 */
export function streamFrom(chunks: AsyncIterable<Buffer | string> | Iterable<Buffer | string>): ByteStream {
	// Community nodes may not import the `stream` module. `Hash` is a Node stream class and inherits `from`.
	return keepingErrors(Hash.from(chunks));
}

/**
 * A stream may break between two readers, while nobody listens. That must not end the process; the next reader still
 * gets the error.
 */
function keepingErrors(stream: ByteStream): ByteStream {
	return stream.on('error', () => {});
}

/** Maximum size of a file in bytes. */
const MAX_FILE_BYTES = 2_000_000_000;
/** Maximum size of a compressed file after unpacking, in bytes. Larger files are not sent compressed. */
const MAX_UNPACKED_BYTES = 64_000_000;

/**
 * Passes a body through until it is too long for a file. A few compressed kilobytes can unpack to more than the
 * capacity of a disk.
 *
 * @param headers of the answer; a file with a stated length can only be longer if it was compressed
 * @throws GatewayFailure (kind `answer`) as soon as the limit is exceeded
 */
export async function* withinSize(
	body: AsyncIterable<Buffer>,
	headers: ResponseHeaders,
	maxBytes = mostBytes(headers),
): AsyncGenerator<Buffer> {
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > maxBytes) throw answerFailure(`it is longer than ${Math.round(maxBytes / 1_000_000)} MB`);
		yield chunk;
	}
}

function mostBytes(headers: ResponseHeaders): number {
	const announced = Number(headerValue(headers, 'content-length') ?? Number.NaN);
	return announced > 0 ? Math.max(announced, MAX_UNPACKED_BYTES) : MAX_FILE_BYTES;
}
