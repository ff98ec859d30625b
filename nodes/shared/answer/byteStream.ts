import { Hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { answerFailure } from '../failure/words';
import type { GatewayFailure } from '../failure/failure';

/** A stream of bytes as n8n uses it: a Node Readable, whose module may not be imported here. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

function tooLong(maxBytes: number): GatewayFailure {
	return answerFailure(`it is longer than ${Math.round(maxBytes / 1_000_000)} MB`);
}

const FIRST_BLOCK_BYTES = 16_384;

/** Collects bytes in one block. A list of a million tiny chunks would need far more memory than their bytes. */
export class ByteCollector {
	length = 0;
	private block: Buffer = Buffer.alloc(0);

	add(chunk: Buffer): void {
		const length = this.length + chunk.length;
		// Usually, there is only one chunk.
		if (this.length === 0) this.block = chunk;
		else {
			if (length > this.block.length) this.grow(length);
			chunk.copy(this.block, this.length);
		}
		this.length = length;
	}

	all(): Buffer {
		return this.block.subarray(0, this.length);
	}

	private grow(length: number): void {
		const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BLOCK_BYTES, 2 * this.block.length, length));
		this.block.copy(larger, 0, 0, this.length);
		this.block = larger;
	}
}

const BLOCK_BYTES = 262_144;

/** Decodes UTF-8 while it arrives, so that its bytes are not in memory as well. */
export class TextCollector {
	private length = 0;
	private decoded = '';
	private readonly decoder = new TextDecoder();
	private bytes = new ByteCollector();

	constructor(private readonly maxBytes: number) {}

	add(chunk: Buffer): void {
		this.length += chunk.length;
		if (this.length > this.maxBytes) throw tooLong(this.maxBytes);
		this.bytes.add(chunk);
		if (this.bytes.length < BLOCK_BYTES) return;
		this.decoded += this.decoder.decode(this.bytes.all(), { stream: true });
		this.bytes = new ByteCollector();
	}

	end(): string {
		return this.decoded + this.decoder.decode(this.bytes.all());
	}
}

/** The number of first bytes that tell the type of a file and, with few exceptions, the size of an image. */
const BEGINNING_BYTES = 1024;

/**
 * Waits for the first bytes of a stream; none for an empty one. `body` takes the place of the stream, and breaks where
 * that does, and `broken` is the error of one that has broken by then. @throws this error if nothing has arrived
 */
export async function peek(
	stream: ByteStream,
	atLeast = BEGINNING_BYTES,
): Promise<{ firstBytes: Buffer; body: ByteStream; broken: Error | undefined }> {
	const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
	const first = new ByteCollector();
	let failed: { error: unknown } | undefined;
	try {
		while (first.length < atLeast) {
			const next = await chunks.next();
			if (next.done) break;
			first.add(next.value);
		}
	} catch (error) {
		failed = { error };
	}
	const firstBytes = first.all();
	if (failed && firstBytes.length === 0) throw failed.error;
	async function* whole() {
		if (firstBytes.length > 0) yield firstBytes;
		if (failed) throw failed.error;
		yield* { [Symbol.asyncIterator]: () => chunks };
	}
	return { firstBytes, body: streamFrom(whole()), broken: failed?.error as Error | undefined };
}

/** The codes of a body that ends too early, and of one given up, whose error axios emits without setting `errored`. */
const BROKEN_CODES: unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_CANCELED'];

/** Tells whether an error comes from a body that broke off, rather than from the code that reads it. */
export function hasBroken({ errored }: ByteStream, error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	// Leaving a loop over a stream gives the stream another error.
	const isOfBody = error === errored || ('code' in error && BROKEN_CODES.includes(error.code));
	return isOfBody || hasBroken({ errored } as ByteStream, error.cause);
}

/** Creates a stream of chunks that are generated while it is read. Destroying it ends the generator. */
export function streamFrom(chunks: AsyncIterable<Buffer | string> | Iterable<Buffer | string>): ByteStream {
	// Community nodes may not import the `stream` module. `Hash` is a Node stream class and inherits `from`.
	const stream: ByteStream = Hash.from(chunks);
	// It may break while nobody listens. That must not end the process; the next reader still gets the error.
	return stream.on('error', () => {});
}

/** Passes chunks on. @param explained turns the error with which they break off into another; the reader's stay */
export async function* explaining<Chunk>(
	chunks: AsyncIterable<Chunk>,
	explained: (error: unknown) => unknown,
): AsyncGenerator<Chunk> {
	let isPassedOn = false;
	try {
		for await (const chunk of chunks) {
			// A stream that is destroyed with an error throws it into its generator.
			isPassedOn = true;
			yield chunk;
			isPassedOn = false;
		}
	} catch (error) {
		throw isPassedOn ? error : explained(error);
	}
}

/** Passes a body through until it is too long for its kind. */
export async function* withinSize(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > maxBytes) throw tooLong(maxBytes);
		yield chunk;
	}
}
