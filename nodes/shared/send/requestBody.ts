import { randomUUID } from 'crypto';
import { inputFailure } from '../failure/words';
import { type GatewayFailure, toFailure } from '../failure/failure';
import { explaining, streamFrom, type ByteStream } from '../answer/byteStream';
import { withLongIntegers } from '../plain/json';

export interface RequestBody {
	contentType: string;
	length?: number;
	/** Creates the body; called again for each attempt. */
	open(): string | ByteStream;
	/** Text that is the same for two bodies only if they have the same content. Files are named, not read. */
	identity(): string;
}

/** The body of one attempt. It tells its own errors from those of the network. */
export class OpenBody {
	/** The headers that describe the body. */
	readonly headers: Record<string, string> = {};
	/** The reason why the body could not be written. */
	failure: GatewayFailure | undefined;
	private readonly content: string | ByteStream | undefined;

	constructor({ json, body: written }: { json?: unknown; body?: RequestBody }) {
		const body = written ?? (json === undefined ? undefined : jsonBody(json));
		if (body) this.headers['content-type'] = body.contentType;
		if (body?.length !== undefined) this.headers['content-length'] = String(body.length);
		this.content = body?.open();
	}

	/** Returns the body to be sent. @param counted passes chunks on, and notices progress */
	written(
		counted: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
	): string | ByteStream | undefined {
		const { content } = this;
		if (typeof content !== 'object') return content;
		const noted = (error: unknown) => (this.failure = toFailure(error));
		return streamFrom(explaining(counted(content as AsyncIterable<Buffer>), noted));
	}

	/** Closes the body: one that was not read completely would keep its file open. */
	close(): void {
		if (typeof this.content === 'object') this.content.destroy();
	}
}

/** A file that can be read any number of times. */
export interface FileSource {
	size: number | undefined;
	/** A text that is the same for two files only if they have the same content. */
	identity: string;
	open(): Promise<ByteStream | Buffer>;
}

/** Reads the content of a file in chunks, for a body that is generated while it is sent. */
export async function* chunksOf(source: FileSource): AsyncGenerator<Buffer> {
	const content = await source.open();
	if (Buffer.isBuffer(content)) yield content;
	else yield* content as AsyncIterable<Buffer>;
}

/** Represents a file in JSON. It is random, so that no text of the body can be mistaken for it. */
const PLACEHOLDER = randomUUID();

/** A file inside a JSON body, written as Base64 while it is sent, so that it is never in memory as a whole. */
export class EmbeddedFile {
	/** @param prefix ASCII text before the Base64 text, such as the beginning of a data URI */
	constructor(
		readonly source: FileSource,
		readonly prefix = '',
	) {}

	/** Length of the text in characters (all of them ASCII), when the size of the file is known. */
	get length(): number | undefined {
		const { size } = this.source;
		return size === undefined ? undefined : this.prefix.length + 4 * Math.ceil(size / 3);
	}

	/** A text that is the same for two files only if their texts in the body are. */
	get identity(): string {
		return this.prefix + this.source.identity;
	}

	/** Called by `JSON.stringify`, which is much faster without a replacer. */
	toJSON(): string {
		return PLACEHOLDER;
	}

	async *text(): AsyncGenerator<string> {
		yield this.prefix;
		yield* base64Of(chunksOf(this.source));
	}
}

/** Creates a JSON body. Any text in the value may be an {@link EmbeddedFile} instead. */
export function jsonBody(value: unknown): RequestBody {
	const contentType = 'application/json';
	const json = withLongIntegers(wellFormed(jsonOf(value)));
	const pieces = json.split(PLACEHOLDER);
	if (pieces.length === 1) {
		return { contentType, length: Buffer.byteLength(json), open: () => json, identity: () => json };
	}

	const files = filesIn(value);
	const lengths = [...pieces.map((piece) => Buffer.byteLength(piece)), ...files.map(({ length }) => length)];
	return {
		contentType,
		length: totalLength(lengths),
		open: () => streamFrom(interleave(pieces, files)),
		// JSON contains no null characters, so no text can pass for a file.
		identity: () =>
			pieces.map((piece, index) => piece + (files[index] ? `\0${files[index].identity}\0` : '')).join(''),
	};
}

/** Writes a value as JSON, which is impossible only for values from expressions. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch (error) {
		const why = String(error).split('\n')[0];
		const advice = 'Check the parameters of this item whose expressions return objects or lists.';
		throw inputFailure('The request', `contains a value that cannot be written as JSON (${why})`, advice);
	}
}

/** Replaces halves of surrogate pairs in JSON, which gateways refuse; `JSON.stringify` writes them as escapes. */
function wellFormed(json: string): string {
	if (!json.includes('\\ud')) return json;
	return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|[^])/g, (escape) => (escape.length > 2 ? '\ufffd' : escape));
}

/** Returns the files in a value, in the order in which `JSON.stringify` writes them. */
function filesIn(value: unknown): EmbeddedFile[] {
	if (value instanceof EmbeddedFile) return [value];
	if (typeof value !== 'object' || value === null || 'toJSON' in value) return [];
	return Object.values(value).flatMap(filesIn);
}

async function* interleave(pieces: string[], files: EmbeddedFile[]): AsyncGenerator<string> {
	for (const [index, piece] of pieces.entries()) {
		yield piece;
		if (index < files.length) yield* files[index].text();
	}
}

async function* base64Of(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
	let remainder: Buffer = Buffer.alloc(0);
	for await (const chunk of chunks) {
		const bytes = remainder.length > 0 ? Buffer.concat([remainder, chunk]) : chunk;
		// Three bytes become four characters; the remaining bytes wait for the next chunk.
		const whole = bytes.length - (bytes.length % 3);
		if (whole > 0) yield bytes.toString('base64', 0, whole);
		remainder = bytes.subarray(whole);
	}
	if (remainder.length > 0) yield remainder.toString('base64');
}

/** Returns the sum of the lengths; undefined if one of them is not known. */
export function totalLength(lengths: Array<number | undefined>): number | undefined {
	return lengths.reduce(
		(total, length) => (total === undefined || length === undefined ? undefined : total + length),
		0,
	);
}
