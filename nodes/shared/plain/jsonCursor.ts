import { Turns } from './turns';

export const QUOTE = 0x22;
/** The content of a JSON string, as far as its escape sequences are whole. */
const CONTENT = /^[^"\\]*(?:\\(?:u[^]{4}|[^u])[^"\\]*)*/;
/** Bytes after a quote that are looked at together with it, because it may be escaped. At least an escape sequence. */
const AFTER_QUOTE = 1_000;

/**
 * The raw bytes of the JSON string at the cursor, which then moves past the closing quote. No piece ends within an
 * escape sequence.
 */
export async function* textPieces(cursor: Cursor): AsyncGenerator<Buffer> {
	cursor.insideText = true;
	while (await cursor.more()) {
		const quote = cursor.bytes.indexOf(QUOTE);
		const near = quote < 0 ? undefined : quote + AFTER_QUOTE;
		const { length } = CONTENT.exec(cursor.bytes.toString('latin1', 0, near))![0];
		if (length > 0) yield cursor.take(length);
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
export class Cursor {
	/** Bytes that have arrived and have not been taken yet. */
	bytes: Buffer = Buffer.alloc(0);
	insideText = false;
	/** Whether it waits for the stream; that stays so when the stream breaks. */
	isWaiting = false;
	private readonly chunks: AsyncIterator<Buffer>;
	private readonly turns = new Turns();

	constructor(stream: AsyncIterable<Buffer>) {
		this.chunks = stream[Symbol.asyncIterator]();
	}

	/** Waits for bytes if there are none; false at the end of the stream. */
	async more(): Promise<boolean> {
		while (this.bytes.length === 0) if (!(await this.extend())) return false;
		return true;
	}

	/** Waits for the next bytes; false at the end of the stream. */
	async extend(): Promise<boolean> {
		if (this.turns.isOver) await this.turns.next();
		this.isWaiting = true;
		const next = await this.chunks.next();
		this.isWaiting = false;
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
