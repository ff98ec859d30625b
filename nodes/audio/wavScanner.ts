import { AudioScanner } from './audioScanner';

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

	/** Reads a file, only up to its sound if its length is known. */
	override async readAll(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
		for await (const chunk of chunks) {
			this.add(chunk);
			if (this.isDone && (this.size !== undefined || !this.facts)) return;
		}
		this.end();
	}

	protected *read(): Generator<void, void> {
		const container = yield* this.peek(12);
		if (!/^(RIFF|RF64)[\s\S]{4}WAVE$/.test(container.toString('latin1'))) return;
		this.skip(12);
		let format: Buffer | undefined;
		let longDataSize: number | undefined;
		while (this.position < MAX_HEADER_BYTES) {
			const head = yield* this.peek(8);
			if (head.length < 8) return;
			const name = head.toString('latin1', 0, 4);
			const size = head.readUInt32LE(4);
			if (name === 'data') {
				this.facts = format && factsOf(format, this.position + 8, size, longDataSize);
				return;
			}
			if (name === 'fmt ' || name === 'ds64') {
				const chunk = yield* this.peek(8 + Math.min(size, MAX_FORMAT_BYTES));
				const content = Buffer.from(chunk.subarray(8));
				if (name === 'fmt ') format = content;
				else if (content.length >= 16) longDataSize = Number(content.readBigUInt64LE(8));
			}
			// Chunks begin at even offsets.
			this.skip(8 + size + (size % 2));
		}
	}
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
	// Servers that do not know the length in advance write zero, or a length that no file has.
	const declaredLength = (size === 0xffff_ffff && longDataSize) || size || undefined;
	return { format, formatTag, isUncompressed, channels, sampleRate, byteRate, dataOffset, declaredLength };
}
