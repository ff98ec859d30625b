import { AudioScanner, LONGEST_BARE_HEADER } from './audioScanner';

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
	dataOffset: number;
	/** Bytes of sound according to the header; undefined when the sound continues to the end of the file. */
	declaredLength: number | undefined;
}

const EXTENSIBLE = 0xfffe;
const UNCOMPRESSED = [1, 3];
/** The extensible format has 40 bytes; a much longer chunk is not a format. */
const MAX_FORMAT_BYTES = 4096;
/** Maximum length of what precedes the sound; it may contain cover pictures and notes. */
const MAX_HEADER_BYTES = 32_000_000;
/**
 * Servers that do not know the length write one that is longer than any speech, in bytes: FFFFFFFF
 * (https://github.com/speaches-ai/speaches/issues/493), almost 7FFFFFFF (https://github.com/langgenius/dify/issues/41456),
 * or 2,000,000,000 (https://github.com/kyutai-labs/pocket-tts/issues/229).
 */
const UNKNOWN_LENGTH = 1e9;
const CONTAINER = /^(RIFF|RF64)[^]{4}WAVE/;
const CONTAINER_BYTES = 12;
const CHUNK_NAME = /^[A-Za-z][\w ]{3}$/;

/** Reads the header of a WAV file (RIFF, or RF64 with 64-bit sizes). Any chunks may precede the sound. */
export class WavScanner extends AudioScanner {
	facts: WavFacts | undefined;

	/** @param size length of the whole file in bytes; otherwise the bytes that arrive are counted */
	constructor(private readonly size?: number) {
		super();
	}

	/** Bytes of sound: the length in the header, limited to what the file contains. */
	get soundLength(): number {
		if (!this.facts) return 0;
		const { dataOffset, declaredLength = Number.POSITIVE_INFINITY } = this.facts;
		return Math.max(0, Math.min(declaredLength, (this.size ?? this.arrived) - dataOffset));
	}

	get seconds(): number | undefined {
		return this.facts && this.soundLength / this.facts.byteRate;
	}

	get isEmpty(): boolean {
		return this.facts ? this.soundLength === 0 : this.arrived < LONGEST_BARE_HEADER;
	}

	get isMisleading(): boolean {
		return false;
	}

	/** Reads a file, only up to its sound if its length is known. */
	override async readAll(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
		for await (const chunk of chunks) {
			this.add(chunk);
			if (this.isDone && (this.size !== undefined || !this.facts)) return;
		}
		this.end();
	}

	/** Reads chunk by chunk; behind the sound, another file may begin. */
	protected *read(): Generator<void, void> {
		let start = 0;
		let format: Buffer | undefined;
		let longDataSize: number | undefined;
		for (;;) {
			const head = yield* this.peek(CONTAINER_BYTES);
			if (isFile(head)) {
				start = this.position;
				format = longDataSize = undefined;
				this.skip(CONTAINER_BYTES);
				continue;
			}
			const size = chunkSize(head);
			if (this.position === 0 || size === undefined || this.position - start >= MAX_HEADER_BYTES) return;
			const name = head.toString('latin1', 0, 4);
			if (name === 'data') {
				const facts = format && factsOf(format, this.position + 8, size, longDataSize);
				if (!facts) return;
				this.facts ??= facts;
				this.skip(8);
				if (!this.readSound || !(yield* this.readSound(facts))) return;
				start = this.position;
				continue;
			}
			if (name === 'fmt ' || name === 'ds64') {
				const chunk = yield* this.peek(8 + Math.min(size, MAX_FORMAT_BYTES));
				const content = Buffer.from(chunk.subarray(8));
				if (name === 'fmt ') format = content;
				else if (content.length >= 16) longDataSize = Number(content.readBigUInt64LE(8));
			}
			this.skip(8 + size);
			yield* this.skipPadding(size);
		}
	}

	/** Chunks begin at even offsets; some writers forget it. */
	protected *skipPadding(size: number): Generator<void, void> {
		if (size % 2 === 0) return;
		const [byte] = yield* this.peek(1);
		if (byte === 0) this.skip(1);
	}

	/** Reads the sound, whose first byte is the next one. @returns whether to go on behind it */
	protected readSound?(facts: WavFacts): Generator<void, boolean>;
}

/** Whether a file begins with these bytes. */
export function isFile(head: Buffer): boolean {
	return CONTAINER.test(head.toString('latin1', 0, CONTAINER_BYTES));
}

/** The size of the chunk that begins with these bytes, as it says; undefined when no chunk begins here. */
export function chunkSize(head: Buffer): number | undefined {
	return head.length >= 8 && CHUNK_NAME.test(head.toString('latin1', 0, 4))
		? head.readUInt32LE(4)
		: undefined;
}

/** @returns undefined for a format that does not say how long its sound is */
function factsOf(
	format: Buffer,
	dataOffset: number,
	size: number,
	longDataSize: number | undefined,
): WavFacts | undefined {
	if (format.length < 16) return undefined;
	const tag = format.readUInt16LE(0);
	const channels = format.readUInt16LE(2);
	const sampleRate = format.readUInt32LE(4);
	const bits = format.readUInt16LE(14);
	const formatTag = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
	const isUncompressed = UNCOMPRESSED.includes(formatTag);
	const byteRate = isUncompressed ? sampleRate * channels * Math.ceil(bits / 8) : format.readUInt32LE(8);
	if (channels === 0 || sampleRate === 0 || byteRate === 0) return undefined;
	const length = (size === 0xffff_ffff && longDataSize) || size;
	const declaredLength = length > 0 && length < UNKNOWN_LENGTH ? length : undefined;
	return { format, formatTag, isUncompressed, channels, sampleRate, byteRate, dataOffset, declaredLength };
}
