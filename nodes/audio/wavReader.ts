import { chunkSize, isFile, type WavFacts, WavScanner } from './wavScanner';

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
/** The name and the size of a chunk. */
const HEAD_BYTES = 8;
/** No chunk behind the sound is longer than this, in bytes; a random one almost always is. */
const MAX_CHUNK_BYTES = 32_000_000;
/** As many bytes are searched at once. */
const WINDOW_BYTES = 8_192;
const TOLERATED_SECONDS = 0.1;

/**
 * Finds all sound of a WAV response. Speech servers send a complete file for each sentence
 * (https://github.com/remsky/Kokoro-FastAPI/pull/94), and write headers before they know the size, so only what stands
 * behind the sound shows where it ends: another file, chunks, or the end of the response.
 */
export class WavReader extends WavScanner {
	readonly spans: Span[] = [];
	/** Whether files with different formats follow each other: what follows the first one is not read. */
	isMixed = false;
	private missingBytes = 0;
	private hasWrongSize = false;

	override get soundLength(): number {
		return this.spans.reduce((sum, { length }) => sum + length, 0);
	}

	override get missingSeconds(): number {
		return this.facts ? this.missingBytes / this.facts.byteRate : 0;
	}

	override get isMisleading(): boolean {
		return this.hasWrongSize || this.spans.length > 1;
	}

	protected override *readSound(facts: WavFacts): Generator<void, boolean> {
		this.isMixed = this.facts !== undefined && !sameFormat(this.facts, facts);
		if (this.isMixed) return false;
		const { declaredLength, dataOffset, byteRate, sampleRate } = facts;
		const { end, isCut } = yield* this.endOfSound(declaredLength);
		const block = Math.max(1, Math.round(byteRate / sampleRate));
		// Half a sample would shift what follows.
		const length = end - dataOffset - ((end - dataOffset) % block);
		if (length > 0) this.spans.push({ offset: dataOffset, length });
		const missing = isCut && declaredLength !== undefined ? declaredLength - length : 0;
		this.missingBytes += missing;
		const isTolerated = missing > 0 && missing < TOLERATED_SECONDS * byteRate;
		this.hasWrongSize ||= declaredLength !== length && !isTolerated;
		return true;
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

/** Whether the sound may end before these bytes: nothing that matters follows, a chunk, or another file. */
function isEnd(bytes: Buffer): boolean {
	const size = chunkSize(bytes);
	return bytes.length < HEAD_BYTES || isFile(bytes) || (size !== undefined && size <= MAX_CHUNK_BYTES);
}

function sameFormat(one: WavFacts, other: WavFacts): boolean {
	const names = ['formatTag', 'channels', 'sampleRate', 'byteRate'] as const;
	return names.every((name) => one[name] === other[name]);
}
