import { chunkSize, isFile, type WavFacts, WavScanner } from './wavScanner';

/** Where sound is in a file, in bytes. */
export interface Span {
	offset: number;
	length: number;
}

/** Chunks that programs write behind the sound, and the beginning of another file. */
const MARK =
	/RIFF[^]{4}WAVE|(?:LIST|INFO|id3 |ID3 |fact|cue |bext|iXML|_PMX|smpl|inst|PEAK|JUNK|junk|PAD |FLLR)[^]{4}/g;
/** One more than the bytes of the longest {@link MARK}. */
const LOOK_AHEAD = 13;
/** The name and the size of a chunk. */
const HEAD_BYTES = 8;
/** No chunk behind the sound is longer than this, in bytes; a random one almost always is. */
const MAX_CHUNK_BYTES = 32_000_000;
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
		this.facts ??= facts;
		this.isMixed = !sameFormat(this.facts, facts);
		if (this.isMixed) return false;
		const { declaredLength, dataOffset, byteRate } = facts;
		const end = yield* this.endOfSound(declaredLength);
		const length = end - dataOffset;
		const block = Math.max(1, Math.round(byteRate / facts.sampleRate));
		// Half a sample would shift what follows.
		if (length >= block) this.spans.push({ offset: dataOffset, length: length - (length % block) });
		const missing = Math.max(0, (declaredLength ?? 0) - length);
		this.missingBytes += missing;
		this.hasWrongSize ||=
			declaredLength === undefined || declaredLength < length || missing > TOLERATED_SECONDS * byteRate;
		return true;
	}

	/** Reads the sound. @returns the position of its end; the next byte is that of the next file or chunk, if any */
	private *endOfSound(declaredLength: number | undefined): Generator<void, number> {
		let limit = declaredLength === undefined ? Number.POSITIVE_INFINITY : this.position + declaredLength;
		/** Chunks that may be the end of the file: where they begin, and where the next one has to. */
		let tail: { start: number; next: number } | undefined;
		for (;;) {
			yield* this.peek(LOOK_AHEAD);
			const { available, position } = this;
			if (position === limit) {
				const padding = [0, 1].find((skipped) => isEnd(available.subarray(skipped)));
				if (padding !== undefined) {
					this.skip(padding);
					return limit;
				}
				limit = Number.POSITIVE_INFINITY;
			}
			if (available.length === 0) {
				// An odd chunk may have no padding.
				const isTail = tail !== undefined && Math.abs(position - tail.next) <= 1;
				return isTail ? tail!.start : position;
			}
			const stop = Math.min(limit, tail?.next ?? Number.POSITIVE_INFINITY) - position;
			if (tail && stop <= 0) {
				const size = chunkSize(available);
				if (isFile(available)) return tail.start;
				if (size === undefined) tail = undefined;
				else tail.next = position + HEAD_BYTES + size + (size % 2);
				continue;
			}
			const mark = markIn(available, stop, limit === Number.POSITIVE_INFINITY && tail === undefined);
			if (mark !== undefined && isFile(available.subarray(mark))) {
				this.skip(mark);
				return position + mark;
			}
			if (mark === undefined) {
				const known = this.hasEnded ? available.length : available.length - LOOK_AHEAD + 1;
				this.skip(Math.min(known, stop));
				continue;
			}
			const size = chunkSize(available.subarray(mark))!;
			if (size <= MAX_CHUNK_BYTES)
				tail = { start: position + mark, next: position + mark + HEAD_BYTES + size + (size % 2) };
			this.skip(mark + 4);
		}
	}
}

/** Whether the sound may end before these bytes: nothing that matters follows, a chunk, or another file. */
function isEnd(bytes: Buffer): boolean {
	const size = chunkSize(bytes);
	return bytes.length < HEAD_BYTES || isFile(bytes) || (size !== undefined && size <= MAX_CHUNK_BYTES);
}

/** The first place where a file, or one of the known chunks, begins. @param stop places behind it do not count */
function markIn(bytes: Buffer, stop: number, withChunks: boolean): number | undefined {
	for (const { index, 0: mark } of bytes.toString('latin1').matchAll(MARK)) {
		if (index >= stop) return undefined;
		if (withChunks || mark.startsWith('RIFF')) return index;
	}
	return undefined;
}

function sameFormat(one: WavFacts, other: WavFacts): boolean {
	const kinds = [one, other].map(({ formatTag, channels, sampleRate, byteRate }) => [
		formatTag,
		channels,
		sampleRate,
		byteRate,
	]);
	return String(kinds[0]) === String(kinds[1]);
}
