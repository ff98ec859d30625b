import { AudioScanner, LONGEST_BARE_HEADER } from './audioScanner';
import {
	chunkSize,
	CONTAINER_BYTES,
	factsOf,
	HEAD_BYTES,
	isFile,
	sameFormat,
	type WavFacts,
} from './wavHeader';

/** Where sound is in a file, in bytes. */
export interface Span {
	offset: number;
	length: number;
}

/** Chunks that programs write behind the sound, with a size that is possible, and the beginning of another file. */
const MARK =
	/RIFF[^]{4}WAVE|(?:LIST|INFO|id3 |ID3 |fact|cue |bext|iXML|_PMX|smpl|inst|PEAK|JUNK|junk|PAD |FLLR)[^]{3}\p{Cc}/u;
/** One more than the bytes of the longest {@link MARK}. */
const LOOK_AHEAD = 13;
/** No chunk behind the sound is longer than this, in bytes; a random one almost always is. */
const MAX_CHUNK_BYTES = 32_000_000;
/** The extensible format has 40 bytes; a much longer chunk is not a format. */
const MAX_FORMAT_BYTES = 4096;
/** Of all files of a response together. */
const MAX_CHUNKS = 100_000;
/** As many bytes are searched at once. */
const WINDOW_BYTES = 8_192;
const TOLERATED_SECONDS = 0.1;

/**
 * Finds all sound of a WAV response (RIFF, or RF64 with 64-bit sizes). Speech servers send a complete file for each
 * sentence (https://github.com/remsky/Kokoro-FastAPI/pull/94), and write headers before they know the size, so only what
 * stands behind the sound shows where it ends: another file, chunks, or the end of the response.
 */
export class WavScanner extends AudioScanner {
	/** Of the first file. */
	facts: WavFacts | undefined;
	readonly spans: Span[] = [];
	/** True if files with different formats follow each other: what follows the first one is not read. */
	isMixed = false;
	private missingBytes = 0;
	private hasWrongSize = false;

	/** Bytes of sound. */
	get soundLength(): number {
		return this.spans.reduce((sum, { length }) => sum + length, 0);
	}

	get seconds(): number | undefined {
		return this.facts && this.soundLength / this.facts.byteRate;
	}

	get isEmpty(): boolean {
		return this.facts ? this.soundLength === 0 : this.arrived < LONGEST_BARE_HEADER;
	}

	override get missingSeconds(): number {
		return this.facts ? this.missingBytes / this.facts.byteRate : 0;
	}

	get isMisleading(): boolean {
		return this.hasWrongSize || this.isMixed || this.spans.length > 1;
	}

	/** Reads chunk by chunk. Any chunks may precede the sound; behind it, another file may begin. */
	protected *read(): Generator<void, void> {
		let format: Buffer | undefined;
		let longDataSize: number | undefined;
		for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
			const head = yield* this.peek(CONTAINER_BYTES);
			if (isFile(head)) {
				format = longDataSize = undefined;
				this.skip(CONTAINER_BYTES);
				continue;
			}
			if (this.position === 0 || head.length < HEAD_BYTES) return;
			const name = head.toString('latin1', 0, 4);
			const size = head.readUInt32LE(4);
			if (name === 'data') {
				const facts = format && factsOf(format, this.position + HEAD_BYTES, size, longDataSize);
				this.isMixed = facts !== undefined && this.facts !== undefined && !sameFormat(this.facts, facts);
				if (!facts || this.isMixed) return;
				this.facts ??= facts;
				this.skip(HEAD_BYTES);
				yield* this.readSound(facts);
				continue;
			}
			if (name === 'fmt ' || name === 'ds64') {
				const chunk = yield* this.peek(HEAD_BYTES + Math.min(size, MAX_FORMAT_BYTES));
				const content = Buffer.from(chunk.subarray(HEAD_BYTES));
				if (name === 'fmt ') format = content;
				else if (content.length >= 16) longDataSize = Number(content.readBigUInt64LE(8));
			}
			this.skip(HEAD_BYTES + size);
			// Chunks begin at even offsets, but some writers forget it.
			if (size % 2 === 1 && chunkSize(yield* this.peek(HEAD_BYTES)) === undefined) this.skip(1);
		}
	}

	private *readSound({ declaredLength, dataOffset, byteRate, sampleRate }: WavFacts): Generator<void, void> {
		const { end, isCut } = yield* this.endOfSound(declaredLength);
		const block = Math.max(1, Math.round(byteRate / sampleRate));
		// Half a sample would shift what follows.
		const length = end - dataOffset - ((end - dataOffset) % block);
		if (length > 0) this.spans.push({ offset: dataOffset, length });
		const missing = isCut && declaredLength !== undefined ? declaredLength - length : 0;
		this.missingBytes += missing;
		const isTolerated = missing > 0 && missing < TOLERATED_SECONDS * byteRate;
		this.hasWrongSize ||= declaredLength !== length && !isTolerated;
	}

	/** Reads the sound. Behind its end, the next byte is that of a file or a chunk; it is cut if the response ends before. */
	private *endOfSound(declaredLength: number | undefined): Generator<void, { end: number; isCut: boolean }> {
		const limit = this.position + (declaredLength ?? Number.POSITIVE_INFINITY);
		/** Chunks that may be the end of the file: where they begin, and where the next one has to. */
		let tail: { start: number; next: number } | undefined;
		for (;;) {
			yield* this.peek(LOOK_AHEAD);
			const { available, position } = this;
			if (position === limit) {
				const padding = [0, 1].find((skipped) => isEnd(available.subarray(skipped)));
				this.skip(padding ?? 0);
				if (padding !== undefined) return { end: limit, isCut: false };
			}
			const isOver = available.length === 0;
			if (isOver || isFile(available)) {
				// An odd chunk may have no padding.
				if (tail && Math.abs(position - tail.next) <= 1) return { end: tail.start, isCut: false };
				return { end: position, isCut: isOver && position < limit };
			}
			if (tail && position === tail.next) {
				const size = chunkSize(available);
				tail = size === undefined ? undefined : { ...tail, next: afterChunk(position, size) };
			}
			const ahead = [limit, tail?.next ?? limit].filter((place) => place > position);
			const window = available.subarray(0, WINDOW_BYTES);
			const mark = window.toString('latin1').search(MARK);
			const stop = Math.min(...ahead) - position;
			if (mark < 0 || mark >= stop) {
				// The last bytes may begin a mark.
				const isLast = this.hasEnded && window.length === available.length;
				this.skip(Math.min(stop, isLast ? window.length : window.length - LOOK_AHEAD + 1));
			} else if (mark > 0) {
				this.skip(mark);
			} else {
				const size = chunkSize(available) ?? 0;
				if (!tail && size <= MAX_CHUNK_BYTES) tail = { start: position, next: afterChunk(position, size) };
				this.skip(1);
			}
		}
	}
}

/** Where the next chunk begins. */
function afterChunk(position: number, size: number): number {
	return position + HEAD_BYTES + size + (size % 2);
}

/** Tells whether the sound may end before these bytes: nothing that matters follows, a chunk, or another file. */
function isEnd(bytes: Buffer): boolean {
	const size = chunkSize(bytes);
	return bytes.length < HEAD_BYTES || isFile(bytes) || (size !== undefined && size <= MAX_CHUNK_BYTES);
}
