import { AudioScanner, LONGEST_BARE_HEADER } from './audioFormat';

/** Facts about the sound of a WAV file, from its header. */
export interface WavFacts {
	/** The whole `fmt ` chunk without its header. */
	format: Buffer;
	/** 1 is PCM, 3 is floating point; the extensible format is resolved to its actual format. */
	formatTag: number;
	isUncompressed: boolean;
	channels: number;
	sampleRate: number;
	/** Bytes per second. */
	byteRate: number;
	/** Bytes of sound according to the header; undefined if the sound continues to the end of the file. */
	declaredLength: number | undefined;
}

/** The place of sound in a file, in bytes. */
export interface Span {
	offset: number;
	length: number;
}

const EXTENSIBLE = 0xfffe;
const UNCOMPRESSED = [1, 3];
/**
 * Servers that do not know the length write one that is longer than any speech, in bytes: FFFFFFFF
 * (https://github.com/speaches-ai/speaches/issues/493), almost 7FFFFFFF (https://github.com/langgenius/dify/issues/41456),
 * or 2,000,000,000 (https://github.com/kyutai-labs/pocket-tts/issues/229).
 */
const UNKNOWN_LENGTH = 1e9;
const CONTAINER = /^(RIFF|RF64)[^]{4}WAVE/;
const CONTAINER_BYTES = 12;
const CHUNK_NAME = /^[A-Za-z_][\w ]{3}$/;
/** The name and the size of a chunk. */
const HEAD_BYTES = 8;

/** Matches chunks that programs write after the sound, with a possible size, and the beginning of another file. */
const MARK =
	/RIFF[^]{4}WAVE|(?:LIST|INFO|id3 |ID3 |fact|cue |bext|iXML|_PMX|smpl|inst|PEAK|JUNK|junk|PAD |FLLR)[^]{3}\p{Cc}/u;
/** One more than the bytes of the longest {@link MARK}. */
const LOOK_AHEAD = 13;
/** The longest chunk after the sound, in bytes. Random bytes almost always stand for a longer one. */
const MAX_CHUNK_BYTES = 32_000_000;
/** The longest format, in bytes. The extensible one has 40; a much longer chunk is not a format. */
const MAX_FORMAT_BYTES = 4096;
/** The most chunks in all files of a response together. */
const MAX_CHUNKS = 100_000;
/** The number of bytes that are searched at once. */
const WINDOW_BYTES = 8_192;

/**
 * Finds all sound of a WAV response (RIFF, or RF64). Speech servers send a complete file for each
 * sentence (https://github.com/remsky/Kokoro-FastAPI/pull/94), and write headers before they know the size. Only what
 * follows the sound shows where it ends: another file, chunks, or the end of the response.
 */
export class WavScanner extends AudioScanner {
	/** The facts about the first file. */
	facts: WavFacts | undefined;
	readonly spans: Span[] = [];
	/** True if files with different formats follow each other. Reading stops where the format changes. */
	isMixed = false;
	private missingBytes = 0;
	private hasWrongSize = false;

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

	/** Reads chunk by chunk. Any chunks may precede the sound, and another file may follow it. */
	protected *read(): Generator<void, void> {
		let format: Buffer | undefined;
		for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
			const head = yield* this.peek(CONTAINER_BYTES);
			if (isFile(head)) {
				format = undefined;
				this.skip(CONTAINER_BYTES);
				continue;
			}
			if (this.position === 0 || head.length < HEAD_BYTES) return;
			const name = head.toString('latin1', 0, 4);
			const size = head.readUInt32LE(4);
			if (name === 'data') {
				const facts = format && factsOf(format, size);
				this.isMixed = facts !== undefined && this.facts !== undefined && !sameFormat(this.facts, facts);
				if (!facts || this.isMixed) return;
				this.facts ??= facts;
				this.skip(HEAD_BYTES);
				yield* this.readSound(facts, size);
				continue;
			}
			if (name === 'fmt ') {
				const chunk = yield* this.peek(HEAD_BYTES + Math.min(size, MAX_FORMAT_BYTES));
				format = Buffer.from(chunk.subarray(HEAD_BYTES));
			}
			this.skip(HEAD_BYTES + size);
			// Chunks begin at even offsets, but not all writers add the byte for it (jstrait/wavefile#8).
			if (size % 2 === 1 && chunkSize(yield* this.peek(HEAD_BYTES)) === undefined) this.skip(1);
		}
	}

	private *readSound(facts: WavFacts, size: number): Generator<void, void> {
		const { declaredLength, isUncompressed, byteRate, sampleRate } = facts;
		const offset = this.position;
		const { end, isCut } = yield* this.endOfSound(declaredLength);
		const block = Math.max(1, Math.round(byteRate / sampleRate));
		// Half a sample would shift the sound after it.
		const length = end - offset - ((end - offset) % block);
		if (length > 0) this.spans.push({ offset, length });
		if (isCut && declaredLength !== undefined) this.missingBytes += declaredLength - length;
		// Compressed sound cannot be written again, and programs play it to the end of the file.
		const isPlayable = !isUncompressed && size >= UNKNOWN_LENGTH;
		this.hasWrongSize ||= declaredLength !== length && !isPlayable;
	}

	/** Reads the sound up to another file or a chunk, or to the end of the response, before which it may be cut off. */
	private *endOfSound(declaredLength: number | undefined): Generator<void, { end: number; isCut: boolean }> {
		const limit = this.position + (declaredLength ?? Number.POSITIVE_INFINITY);
		/** Chunks that may be the end of the file: where they start, and where the next one must start. */
		let tail: { start: number; next: number } | undefined;
		for (;;) {
			yield* this.peek(LOOK_AHEAD);
			const { unread, position } = this;
			if (position === limit) {
				const padding = [0, 1].find((skipped) => isEnd(unread.subarray(skipped)));
				this.skip(padding ?? 0);
				if (padding !== undefined) return { end: limit, isCut: false };
			}
			const isOver = unread.length === 0;
			if (isOver || isFile(unread)) {
				// An odd chunk may have no padding.
				if (tail && Math.abs(position - tail.next) <= 1) return { end: tail.start, isCut: false };
				return { end: position, isCut: isOver && position < limit };
			}
			if (tail && position === tail.next) {
				const size = chunkSize(unread);
				tail = size === undefined ? undefined : { ...tail, next: afterChunk(position, size) };
			}
			const ahead = [limit, tail?.next ?? limit].filter((place) => place > position);
			const window = unread.subarray(0, WINDOW_BYTES);
			const mark = window.toString('latin1').search(MARK);
			const stop = Math.min(...ahead) - position;
			if (mark < 0 || mark >= stop) {
				// The last bytes may begin a mark.
				const isLast = this.hasEnded && window.length === unread.length;
				this.skip(Math.min(stop, isLast ? window.length : window.length - LOOK_AHEAD + 1));
			} else if (mark > 0) {
				this.skip(mark);
			} else {
				const size = chunkSize(unread) ?? 0;
				if (!tail && size <= MAX_CHUNK_BYTES) tail = { start: position, next: afterChunk(position, size) };
				this.skip(1);
			}
		}
	}
}

function afterChunk(position: number, size: number): number {
	return position + HEAD_BYTES + size + (size % 2);
}

/** Tells whether the sound may end before these bytes: at most a few bytes follow, a chunk, or another file. */
function isEnd(bytes: Buffer): boolean {
	const size = chunkSize(bytes);
	return bytes.length < HEAD_BYTES || isFile(bytes) || (size !== undefined && size <= MAX_CHUNK_BYTES);
}

function isFile(head: Buffer): boolean {
	return CONTAINER.test(head.toString('latin1', 0, CONTAINER_BYTES));
}

/** Returns the size that the chunk at these bytes declares; undefined if no chunk begins here. */
function chunkSize(head: Buffer): number | undefined {
	return head.length >= HEAD_BYTES && CHUNK_NAME.test(head.toString('latin1', 0, 4))
		? head.readUInt32LE(4)
		: undefined;
}

/** Reads the facts in a `fmt ` chunk; undefined if it does not reveal how long its sound is. */
export function factsOf(format: Buffer, size: number): WavFacts | undefined {
	if (format.length < 16) return undefined;
	const tag = format.readUInt16LE(0);
	const channels = format.readUInt16LE(2);
	const sampleRate = format.readUInt32LE(4);
	const bits = format.readUInt16LE(14);
	const formatTag = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
	const isUncompressed = UNCOMPRESSED.includes(formatTag);
	const byteRate = isUncompressed ? sampleRate * channels * Math.ceil(bits / 8) : format.readUInt32LE(8);
	if (channels === 0 || sampleRate === 0 || byteRate === 0) return undefined;
	const declaredLength = size > 0 && size < UNKNOWN_LENGTH ? size : undefined;
	return { format, formatTag, isUncompressed, channels, sampleRate, byteRate, declaredLength };
}

function sameFormat(one: WavFacts, other: WavFacts): boolean {
	const names = ['formatTag', 'channels', 'sampleRate', 'byteRate'] as const;
	return names.every((name) => one[name] === other[name]);
}
