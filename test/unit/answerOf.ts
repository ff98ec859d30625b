import type { Answer } from '../../nodes/shared/answer/answerReaders';
import { type ByteStream, streamFrom } from '../../nodes/shared/answer/byteStream';

interface Sent {
	/** The sizes of the chunks, in bytes; the last one repeats. */
	sizes?: number[];
	/** The content type; empty for none. */
	contentType?: string;
	status?: number;
	/** The error with which the connection breaks at the end. */
	error?: Error;
}

/** Yields bytes in chunks of these sizes; the last size repeats. */
export async function* inChunks(bytes: Buffer, sizes: number[], error?: Error): AsyncGenerator<Buffer> {
	let start = 0;
	for (let index = 0; start < bytes.length; index++) {
		const size = sizes[Math.min(index, sizes.length - 1)];
		yield bytes.subarray(start, start + size);
		start += size;
	}
	if (error) throw error;
}

/** Returns a response with this body, which is JSON by default. */
export function answerOf(body: string | Buffer, sent: Sent = {}): Answer {
	const { sizes = [1_000_000], contentType = 'application/json', status = 200, error } = sent;
	const headers: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType };
	const stream = streamFrom(inChunks(Buffer.from(body), sizes, error));
	return { status, headers, body: stream, url: 'https://gateway.example/v1/chat/completions' };
}

/** Returns all bytes of a stream. */
export async function bytesOf(stream: ByteStream): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks);
}

/** Stores audio by returning its bytes. */
export async function storedBytes({ body }: Answer): Promise<{ bytes: Buffer; problem?: string }> {
	return { bytes: await bytesOf(body) };
}
