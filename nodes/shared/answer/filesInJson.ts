import { randomUUID } from 'crypto';
import { answerFailure } from '../failure/words';
import { brokenOff, parseBody, throwIfError, type Answer } from './answerReaders';
import { JSON_BUDGET, STREAM_BYTES } from '../plain/budgets';
import { ByteCollector, TextCollector, withinSize } from './byteStream';
import { Turns } from '../plain/turns';
import { isBlank } from '../plain/values';

const QUOTE = 0x22;
/** The content of a JSON string, as far as its escape sequences are whole. */
const CONTENT = /^[^"\\]*(?:\\(?:u[^]{4}|[^u])[^"\\]*)*/;
/** Bytes after a quote that are looked at together with it, because it may be escaped. At least an escape sequence. */
const AFTER_QUOTE = 1_000;

/** The raw bytes of the JSON string at the cursor. No piece ends within an escape sequence. */
async function* textPieces(cursor: Cursor): AsyncGenerator<Buffer> {
	cursor.insideText = true;
	while (await cursor.more()) {
		const quote = cursor.bytes.indexOf(QUOTE);
		const near = quote < 0 ? undefined : quote + AFTER_QUOTE;
		const { length } = CONTENT.exec(cursor.bytes.toString('latin1', 0, near))![0];
		yield cursor.take(length);
		if (cursor.bytes[0] === QUOTE) {
			cursor.take(1);
			cursor.insideText = false;
			return;
		}
		// The rest of an escape sequence is still to come.
		if (length === 0 && !(await cursor.extend())) return;
	}
}

/** Reads a stream piece by piece, in turns of the event loop. */
class Cursor {
	/** Bytes that have arrived and have not been taken yet. */
	bytes: Buffer = Buffer.alloc(0);
	insideText = false;
	private readonly chunks: AsyncIterator<Buffer>;
	private readonly turns = new Turns();

	constructor(stream: AsyncIterable<Buffer>) {
		this.chunks = stream[Symbol.asyncIterator]();
	}

	/** Waits for bytes if there are none; false at the end of the stream. */
	async more(): Promise<boolean> {
		if (this.turns.isOver) await this.turns.next();
		while (this.bytes.length === 0) if (!(await this.extend())) return false;
		return true;
	}

	/** Waits for the next bytes; false at the end of the stream. */
	async extend(): Promise<boolean> {
		const next = await this.chunks.next();
		if (next.done) return false;
		this.bytes = this.bytes.length === 0 ? next.value : Buffer.concat([this.bytes, next.value]);
		return true;
	}

	take(length: number): Buffer {
		const taken = this.bytes.subarray(0, length);
		this.bytes = this.bytes.subarray(length);
		return taken;
	}
}

/** Base64 strings of at least this many bytes are decoded while they arrive. */
const LONG_TEXT = 16_384;
const BASE64_RATIO = 4 / 3;

/** A file in a JSON response, as Base64 or a data URI. */
export interface InlineFile {
	/** Media type of the data URI; empty for plain Base64. */
	mimeType: string;
	bytes: AsyncIterable<Buffer>;
}

/**
 * Reads a JSON response, and passes long Base64 strings in it to `store` while they arrive, so that they are never in
 * memory as a whole. In the JSON, a key of `files` stands for each. Short ones stay; see {@link fileOfText}. @param hasResult
 * whether one of these is where a result is: it is paid for, so an error beside it does not count
 */
export async function readJsonWithFiles<T>(
	answer: Answer,
	store: (file: InlineFile) => Promise<T>,
	hasResult: (body: unknown, isKey: (text: string) => boolean) => boolean,
): Promise<{ body: unknown; files: Record<string, T> }> {
	const files: Record<string, T> = {};
	let count = 0;
	// Random, so that no string of the response can be the same.
	const keyPrefix = randomUUID();
	const json = new TextCollector(JSON_BUDGET.bytes);
	const most = STREAM_BYTES.image * BASE64_RATIO + JSON_BUDGET.bytes;
	const cursor = new Cursor(withinSize(answer.body as AsyncIterable<Buffer>, most));
	try {
		for (let texts = 0; await cursor.more(); texts++) {
			if (texts > 2 * JSON_BUDGET.values) {
				throw answerFailure(`it contains more than ${JSON_BUDGET.values} values`);
			}
			const quote = cursor.bytes.indexOf(QUOTE);
			json.add(cursor.take(quote < 0 ? cursor.bytes.length : quote + 1));
			if (quote < 0) continue;

			const pieces = textPieces(cursor);
			const beginning = await beginningOf(pieces);
			const head = beginning.length < LONG_TEXT ? undefined : headOf(unescaped(beginning.toString('latin1')));
			if (head) {
				const key = `${keyPrefix}/${count++}`;
				files[key] = await store({
					mimeType: head.mimeType,
					bytes: decoded(head, pieces),
				});
				json.add(Buffer.from(key));
			} else {
				json.add(beginning);
				for await (const piece of pieces) json.add(piece);
			}
			if (cursor.insideText) break;
			json.add(Buffer.of(QUOTE));
		}
	} catch (error) {
		throw brokenOff(error, json.end(), answer);
	}
	const body = await parseBody(json.end(), answer);
	if (!hasResult(body, (text) => Object.hasOwn(files, text))) throwIfError(body, answer);
	return { body, files };
}

/** The file in a Base64 string, a data URI, or hexadecimal digits; undefined for any other string. */
export function fileOfText(text: string): { mimeType: string; bytes: Buffer } | undefined {
	const head = headOf(text);
	return head && { mimeType: head.mimeType, bytes: Buffer.from(head.letters, head.encoding) };
}

/** The beginning of a file that was sent as text. */
interface Head {
	mimeType: string;
	letters: string;
	encoding: 'base64' | 'hex';
}

/** The media type and the letters of a string or its beginning; undefined when it is no file. */
function headOf(text: string): Head | undefined {
	const [prefix = '', type = ''] =
		/^data:([\w.+-]{1,60}\/[\w.+-]{1,60})?(?:;[^,]{0,100})?;base64,/i.exec(text) ?? [];
	const letters = text.slice(prefix.length);
	if (isBlank(letters) || NOT_BASE64.test(letters)) return undefined;
	const isHex = prefix === '' && letters.length >= SHORTEST_HEX && !NOT_HEX.test(letters);
	return { mimeType: type.toLowerCase(), letters, encoding: isHex ? 'hex' : 'base64' };
}

/** `Buffer.from` also accepts the URL-safe characters and line breaks. With spaces, it is a text. */
const NOT_BASE64 = /[^A-Za-z0-9+/=_\r\n\t-]/;
const NOT_HEX = /[^0-9A-Fa-f]/;
/** No Base64 of this length has only these 22 of its 64 characters. */
const SHORTEST_HEX = 64;
/** The fewest characters that are whole bytes. */
const GROUP = { base64: 4, hex: 2 };

async function* decoded(head: Head, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	const { encoding } = head;
	const [other, name] = encoding === 'hex' ? [NOT_HEX, 'hexadecimal'] : [NOT_BASE64, 'Base64'];
	let rest = '';
	for await (const text of afterHead(head.letters, pieces)) {
		if (other.test(text)) throw answerFailure(`a file in it is not valid ${name}`);
		const letters = rest + text.replace(/[\s=]+/g, '');
		// The remainder waits for the next piece.
		const whole = letters.length - (letters.length % GROUP[encoding]);
		rest = letters.slice(whole);
		yield Buffer.from(letters.slice(0, whole), encoding);
	}
	yield Buffer.from(rest, encoding);
}

async function* afterHead(head: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
	yield head;
	for await (const piece of pieces) yield unescaped(piece.toString('latin1'));
}

/** Some encoders write a slash as `\/` and a plus sign as `\u002b`. */
function unescaped(text: string): string {
	if (!text.includes('\\')) return text;
	return text.replace(/\\(?:u([0-9a-f]{4})|\/|[nrt])/gi, (escape: string, code?: string) => {
		if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
		return escape === '\\/' ? '/' : '\n';
	});
}

/** Reads up to {@link LONG_TEXT} bytes or the end of the string; the rest can be read later. */
async function beginningOf(pieces: AsyncGenerator<Buffer>): Promise<Buffer> {
	const read = new ByteCollector();
	while (read.length < LONG_TEXT) {
		const next = await pieces.next();
		if (next.done) break;
		read.add(next.value);
	}
	return read.all();
}
