import { Turns } from '../pacing/turns';

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** `\uXXXX` */
const LONGEST_ESCAPE = 6;

/**
 * The raw bytes of the JSON string at the cursor, which then moves past the closing quote. No piece ends within an
 * escape sequence.
 */
export async function* textPieces(cursor: Cursor): AsyncGenerator<Buffer> {
	cursor.insideText = true;
	while (await cursor.more()) {
		const end = closingQuote(cursor.bytes);
		if (end >= 0) {
			if (end > 0) yield cursor.take(end);
			cursor.take(1);
			cursor.insideText = false;
			return;
		}
		const whole = lengthOfWholeEscapes(cursor.bytes);
		if (whole > 0) yield cursor.take(whole);
		else if (!(await cursor.extend())) return;
	}
}

/** The index of the quote that ends the string, or -1. The bytes must not start within an escape sequence. */
function closingQuote(bytes: Buffer): number {
	const quote = bytes.indexOf(QUOTE);
	const backslash = bytes.indexOf(BACKSLASH);
	if (quote < 0 || backslash < 0 || quote < backslash) return quote;
	for (let index = backslash; index < bytes.length; index++) {
		if (bytes[index] === BACKSLASH) index += 1;
		else if (bytes[index] === QUOTE) return index;
	}
	return -1;
}

function lengthOfWholeEscapes(bytes: Buffer): number {
	const last = bytes.lastIndexOf(BACKSLASH);
	if (last < 0 || bytes.length - last >= LONGEST_ESCAPE || backslashesBefore(bytes, last) % 2 === 1) {
		return bytes.length;
	}
	const isWhole = last + 1 < bytes.length && bytes[last + 1] !== LETTER_U;
	return isWhole ? bytes.length : last;
}

function backslashesBefore(bytes: Buffer, position: number): number {
	let start = position;
	while (start > 0 && bytes[start - 1] === BACKSLASH) start--;
	return position - start;
}

const SLICE_BYTES = 65_536;

/** Reads a stream piece by piece, in turns of the event loop. */
export class Cursor {
	/** Bytes that have arrived and have not been taken yet. */
	bytes: Buffer = Buffer.alloc(0);
	/** Whether the cursor is inside a JSON string. */
	insideText = false;
	/** Whether it waits for the stream; that stays so when the stream breaks. */
	isWaiting = false;
	private readonly chunks: AsyncIterator<Buffer | string>;
	/** What has arrived and is not looked at yet. */
	private rest: Buffer = Buffer.alloc(0);
	private readonly turns = new Turns();

	constructor(stream: AsyncIterable<Buffer | string>) {
		this.chunks = stream[Symbol.asyncIterator]();
	}

	/** Waits for bytes if there are none; false at the end of the stream. */
	async more(): Promise<boolean> {
		while (this.bytes.length === 0) if (!(await this.extend())) return false;
		return true;
	}

	/** Waits for the next bytes, not too many at once; false at the end of the stream. */
	async extend(): Promise<boolean> {
		if (this.turns.isOver) await this.turns.next();
		while (this.rest.length === 0) {
			this.isWaiting = true;
			const next = await this.chunks.next();
			this.isWaiting = false;
			if (next.done) return false;
			this.rest = Buffer.isBuffer(next.value) ? next.value : Buffer.from(next.value);
		}
		const chunk = this.rest.subarray(0, SLICE_BYTES);
		this.rest = this.rest.subarray(SLICE_BYTES);
		this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
		return true;
	}

	take(length: number): Buffer {
		const taken = this.bytes.subarray(0, length);
		this.bytes = this.bytes.subarray(length);
		return taken;
	}
}
