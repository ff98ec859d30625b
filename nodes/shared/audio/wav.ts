import { AudioScanner, scanned } from './audioScanner';
import { audioFailure } from './audioFailure';
import type { Sound } from './sound';

/** Where the sound lies in a WAV file, and what it is. */
export interface WavFacts {
	/** The whole `fmt ` chunk without its header. */
	format: Buffer;
	/** 1 is PCM, 3 is floating point; an extensible format is resolved to what it stands for. */
	formatTag: number;
	channels: number;
	/** Hertz. */
	sampleRate: number;
	/** Bytes of one second. */
	byteRate: number;
	dataOffset: number;
	/** Bytes of sound that the header tells; undefined for a streamed file, whose sound runs to the end. */
	declaredLength: number | undefined;
}

const EXTENSIBLE = 0xfffe;
const UNCOMPRESSED = [1, 3];
/** The extensible format has 40 bytes; a chunk far beyond that is no format. */
const MAX_FORMAT_BYTES = 4096;
/** Servers that do not know the length in advance write the largest one, or nearly so. */
const STREAMED_FROM = 0x7fff_0000;
const MAX_WAV_BYTES = 0xffff_ffff;

/** Reads the header of a WAV file (RIFF, or RF64 with 64-bit sizes), with chunks of any kind before its sound. */
export class WavScanner extends AudioScanner {
	/** Known as soon as the header was read. */
	facts: WavFacts | undefined;
	private format: Buffer | undefined;
	private longDataSize: number | undefined;
	private done = false;

	/** Whether the header was read, or cannot be: more bytes tell nothing new about it. */
	get isDone(): boolean {
		return this.done;
	}

	get seconds(): number | undefined {
		return this.facts && secondsOf(this.facts, this.window.fileLength);
	}

	protected step(): boolean {
		if (this.done) {
			// Only counted.
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
		// Chunks begin at even positions.
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

/** Bytes of sound in a WAV file of so many bytes: what the header tells, but no more than is there. */
export function soundLength({ dataOffset, declaredLength }: WavFacts, fileLength: number): number {
	return Math.max(0, Math.min(declaredLength ?? Number.POSITIVE_INFINITY, fileLength - dataOffset));
}

/** Seconds of sound in a WAV file of so many bytes. */
export function secondsOf(facts: WavFacts, fileLength: number): number {
	return soundLength(facts, fileLength) / facts.byteRate;
}

/** Whether the sound is stored as it is (PCM or floating point). */
export function isUncompressed({ formatTag }: WavFacts): boolean {
	return UNCOMPRESSED.includes(formatTag);
}

/**
 * Reads the header of a WAV file.
 *
 * @returns undefined when the bytes are no WAV file with sound
 */
export function inspectWav(bytes: Buffer): WavFacts | undefined {
	return scanned(new WavScanner(), bytes).facts;
}

/**
 * Joins WAV files of one format into one with a single header of the right sizes.
 *
 * @throws GatewayFailure (kind `answer`) that names the part that does not fit
 */
export function joinWav(parts: Buffer[]): Sound {
	const facts = parts.map((part, index) => {
		const found = inspectWav(part);
		if (!found) throw audioFailure(index, 'is not a readable WAV file');
		return found;
	});
	const [first] = facts;
	facts.forEach(({ format, sampleRate, channels }, index) => {
		if (!format.equals(first.format)) {
			throw audioFailure(
				index,
				`differs from the first (${sampleRate} Hz, ${channels} channels instead of ${first.sampleRate} Hz, ${first.channels} channels)`,
			);
		}
	});
	const sound = parts.map((part, index) => {
		const { dataOffset } = facts[index];
		return part.subarray(dataOffset, dataOffset + soundLength(facts[index], part.length));
	});
	const length = sound.reduce((sum, { length: bytes }) => sum + bytes, 0);
	const pad = Buffer.alloc(length % 2);
	if (length + 10_000 > MAX_WAV_BYTES) {
		throw audioFailure(parts.length - 1, 'makes the WAV file longer than 4 GB; choose MP3 or Opus');
	}
	return {
		chunks: [header(first.format, length, pad.length), ...sound, pad],
		durationSeconds: length / first.byteRate,
	};
}

function header(format: Buffer, dataLength: number, padLength: number): Buffer {
	const formatPad = format.length % 2;
	const head = Buffer.alloc(20 + format.length + formatPad + 8);
	head.write('RIFF', 0, 'latin1');
	head.writeUInt32LE(head.length - 8 + dataLength + padLength, 4);
	head.write('WAVEfmt ', 8, 'latin1');
	head.writeUInt32LE(format.length, 16);
	format.copy(head, 20);
	head.write('data', head.length - 8, 'latin1');
	head.writeUInt32LE(dataLength, head.length - 4);
	return head;
}
