import { AudioScanner } from './audioScanner';

/** The format of the sound in a WAV file, and where the sound is. */
export interface WavFacts {
	/** The whole `fmt ` chunk without its header. */
	format: Buffer;
	/** 1 is PCM, 3 is floating point; the extensible format is resolved to its actual format. */
	formatTag: number;
	channels: number;
	/** Hertz. */
	sampleRate: number;
	/** Bytes per second. */
	byteRate: number;
	dataOffset: number;
	/** Bytes of sound according to the header; undefined for a streamed file, whose sound continues to the end. */
	declaredLength: number | undefined;
}

const EXTENSIBLE = 0xfffe;
const UNCOMPRESSED = [1, 3];
/** The extensible format has 40 bytes; a much longer chunk is not a format. */
const MAX_FORMAT_BYTES = 4096;
/** Servers that do not know the length in advance write the maximum, or nearly the maximum. */
const STREAMED_FROM = 0x7fff_0000;

/** Reads the header of a WAV file (RIFF, or RF64 with 64-bit sizes). Any chunks may precede the sound. */
export class WavScanner extends AudioScanner {
	/** Available as soon as the header has been read. */
	facts: WavFacts | undefined;
	private format: Buffer | undefined;
	private longDataSize: number | undefined;
	private done = false;

	/** Whether the header has been read, or cannot be read; further bytes change nothing. */
	get isDone(): boolean {
		return this.done;
	}

	get seconds(): number | undefined {
		return this.facts && secondsOf(this.facts, this.window.fileLength);
	}

	protected step(): boolean {
		if (this.done) {
			// Only the length of the file still matters.
			this.window.skip(this.window.available.length);
			return false;
		}
		return this.window.position === 0 ? this.container() : this.chunk();
	}

	private container(): boolean {
		const head = this.window.peek(12);
		if (!head) return false;
		const isWav = /^(RIFF|RF64)[\s\S]{4}WAVE$/.test(head.toString('latin1'));
		if (!isWav) return this.finish();
		this.window.skip(12);
		return true;
	}

	private chunk(): boolean {
		const head = this.window.peek(8);
		if (!head) return false;
		if (head.length < 8) return this.finish();
		const name = head.toString('latin1', 0, 4);
		const size = head.readUInt32LE(4);
		if (name === 'data') return this.data(size);
		if (name === 'fmt ' || name === 'ds64') {
			const length = Math.min(size, MAX_FORMAT_BYTES);
			const chunk = this.window.peek(8 + length);
			if (!chunk) return false;
			const content = Buffer.from(chunk.subarray(8));
			if (name === 'fmt ') this.format = content;
			else if (content.length >= 16) this.longDataSize = Number(content.readBigUInt64LE(8));
		}
		// Chunks begin at even offsets.
		this.window.skip(8 + size + (size % 2));
		return true;
	}

	private data(size: number): boolean {
		const { format } = this;
		if (!format || format.length < 16) return this.finish();
		const tag = format.readUInt16LE(0);
		const channels = format.readUInt16LE(2);
		const sampleRate = format.readUInt32LE(4);
		const bits = format.readUInt16LE(14);
		const formatTag = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
		const byteRate = UNCOMPRESSED.includes(formatTag)
			? sampleRate * channels * Math.ceil(bits / 8)
			: format.readUInt32LE(8);
		if (channels === 0 || sampleRate === 0 || byteRate === 0) return this.finish();
		const long = size === 0xffff_ffff ? this.longDataSize : undefined;
		const streamed = size === 0 || size >= STREAMED_FROM;
		this.facts = {
			format,
			formatTag,
			channels,
			sampleRate,
			byteRate,
			dataOffset: this.window.position + 8,
			declaredLength: long ?? (streamed ? undefined : size),
		};
		return this.finish();
	}

	private finish(): boolean {
		this.done = true;
		return true;
	}
}

/**
 * Bytes of sound in a WAV file: the length in the header, limited to what the file contains.
 *
 * @param fileLength in bytes
 */
export function soundLength({ dataOffset, declaredLength }: WavFacts, fileLength: number): number {
	return Math.max(0, Math.min(declaredLength ?? Number.POSITIVE_INFINITY, fileLength - dataOffset));
}

/**
 * Duration of a WAV file in seconds.
 *
 * @param fileLength in bytes
 */
export function secondsOf(facts: WavFacts, fileLength: number): number {
	return soundLength(facts, fileLength) / facts.byteRate;
}

/** Whether the sound is not compressed (PCM or floating point). */
export function isUncompressed({ formatTag }: WavFacts): boolean {
	return UNCOMPRESSED.includes(formatTag);
}
