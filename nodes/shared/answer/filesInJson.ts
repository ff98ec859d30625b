import { randomUUID } from 'crypto';
import { answerFailure } from '../failure/words';
import { toFailure } from '../failure/failure';
import { brokenOff, keptAnswer, parseBody, throwIfError, type Answer } from './answerReaders';
import { JSON_BUDGET, KEPT_ANSWER_LENGTH, STREAM_BYTES } from '../plain/budgets';
import { ByteCollector, TextCollector, withinSize } from './byteStream';
import { Turns } from '../plain/turns';
import { type FileText, FileTextDecoder, fileTextOf } from '../plain/fileText';

const QUOTE = 0x22;
/** Matches the content of a JSON string, up to an escape sequence that is not whole. */
const CONTENT = /^[^"\\]*(?:\\(?:u[^]{4}|[^u])[^"\\]*)*/;
/** The maximum in UTF-8. */
const BYTES_PER_CHARACTER = 4;
/** The bytes examined after a quote, which may be escaped. At least as many as in an escape sequence. */
const AFTER_QUOTE = 1_000;

/** Reads the raw bytes of the JSON string at the cursor. No piece ends within an escape sequence. */
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
	/** The first bytes taken, for the details of a failure. */
	private readonly first = new ByteCollector();
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
		if (this.first.length < KEPT_ANSWER_LENGTH * BYTES_PER_CHARACTER) this.first.add(taken);
		return taken;
	}

	get beginning(): string {
		return new TextDecoder().decode(this.first.all());
	}
}

/** Base64 strings of at least this many bytes are decoded while they arrive. */
const LONG_TEXT = 16_384;
const BASE64_RATIO = 4 / 3;

/** Matches the media type of sound without a header, which Gemini sends before the sound (python-genai #837). */
const RATED = /^audio\/[^/]{1,99};\s*rate=/i;

/** A file in a JSON response, as Base64 or a data URI. */
export interface InlineFile {
	/** Media type of the data URI, or of sound without a header; empty for other plain Base64. */
	mimeType: string;
	bytes: AsyncIterable<Buffer>;
}

export interface JsonWithFiles<T> {
	body: unknown;
	/** The stored files, by the keys that stand for them in `body`. */
	files: Record<string, T>;
	/** The keys of files whose text has characters that do not belong there. */
	damaged: string[];
	/** The beginning of a response with files as it was sent, for its failure: the keys would tell nobody anything. */
	sent?: string;
}

/** Describes a damaged file, as the rest of a sentence. */
export const DAMAGED_TEXT =
	'may be damaged: its text in the response has characters that do not belong there';

/**
 * Reads a JSON response, and passes long Base64 strings in it to `store` while they arrive, so that they are never in
 * memory as a whole. A key of `files` replaces each of them. Short ones stay; see `fileOfText`. @param hasResult tells
 * whether a key is where a result belongs: that is paid for, so an error beside it does not count
 */
export async function readJsonWithFiles<T>(
	answer: Answer,
	store: (file: InlineFile) => Promise<T>,
	hasResult: (body: unknown, isKey: (text: string) => boolean) => boolean,
): Promise<JsonWithFiles<T>> {
	const files: Record<string, T> = {};
	const damaged: string[] = [];
	let count = 0;
	// Random, so that no string of the response can be the same.
	const keyPrefix = randomUUID();
	let rated = '';
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
			const beginning = await firstBytesOf(pieces);
			const isLong = beginning.length >= LONG_TEXT;
			const head = isLong ? fileTextOf(unescaped(beginning.toString('latin1'))) : undefined;
			// Text that is not Base64 is rarely this long, and may contain any characters.
			if (head && head.encoding !== 'percent') {
				const key = `${keyPrefix}/${count++}`;
				files[key] = await store({
					mimeType: head.mimeType || rated,
					bytes: decoded(head, pieces, () => damaged.push(key)),
				});
				json.add(Buffer.from(key));
			} else {
				const text = unescaped(beginning.toString('latin1', 0, 200));
				if (RATED.test(text)) rated = text;
				json.add(beginning);
				for await (const piece of pieces) json.add(piece);
			}
			if (cursor.insideText) break;
			json.add(Buffer.of(QUOTE));
		}
	} catch (error) {
		throw brokenOff(error, cursor.beginning, answer);
	}
	const sent = count > 0 ? cursor.beginning : undefined;
	try {
		const body = await parseBody(json.end(), answer);
		if (!hasResult(body, (text) => Object.hasOwn(files, text))) throwIfError(body, answer);
		return { body, files, damaged, sent };
	} catch (error) {
		const failure = toFailure(error);
		throw failure.facts.partial ? failure.with(keptAnswer(sent)) : failure;
	}
}

/** Decodes a file that begins with `head`. A damaged one is kept, because it was paid for, and `note` is called. */
async function* decoded(
	head: FileText,
	pieces: AsyncIterable<Buffer>,
	note: () => void,
): AsyncGenerator<Buffer> {
	const decoder = new FileTextDecoder(head);
	yield decoder.add(head.content);
	for await (const piece of pieces) yield decoder.add(unescaped(piece.toString('latin1')));
	yield decoder.end();
	if (decoder.isDamaged) note();
}

/** Resolves escape sequences: some encoders write a slash as `\/` and a plus sign as `\u002b`. */
function unescaped(text: string): string {
	if (!text.includes('\\')) return text;
	return text.replace(/\\(?:u([0-9a-f]{4})|["/]|[nrt])/gi, (escape: string, code?: string) => {
		if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
		return /["/]/.test(escape) ? escape.slice(1) : '\n';
	});
}

/** Reads up to {@link LONG_TEXT} bytes or the end of the string; the rest can be read later. */
async function firstBytesOf(pieces: AsyncGenerator<Buffer>): Promise<Buffer> {
	const read = new ByteCollector();
	while (read.length < LONG_TEXT) {
		const next = await pieces.next();
		if (next.done) break;
		read.add(next.value);
	}
	return read.all();
}
