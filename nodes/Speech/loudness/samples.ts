import { isUncompressed, type WavFacts } from '../../shared/audio/wavScanner';

/** How samples are written in a file; their values are between -1 and 1. */
export interface SampleFormat {
	/** Bytes of one sample of one channel. */
	bytes: number;
	read: (from: Buffer, offset: number) => number;
	write: (to: Buffer, offset: number, value: number) => void;
}

const FLOATING_POINT = 3;

/** Whole numbers with a sign, in two's complement. */
function signed(bytes: number): SampleFormat {
	const full = 2 ** (8 * bytes - 1);
	return {
		bytes,
		read: (from, offset) => from.readIntLE(offset, bytes) / full,
		write: (to, offset, value) => void to.writeIntLE(whole(value, full), offset, bytes),
	};
}

function whole(value: number, full: number): number {
	return Math.max(-full, Math.min(full - 1, Math.round(value * full)));
}

const UNSIGNED: SampleFormat = {
	bytes: 1,
	read: (from, offset) => (from[offset] - 128) / 128,
	write: (to, offset, value) => void to.writeUInt8(whole(value, 128) + 128, offset),
};

const FLOATS: Record<number, SampleFormat> = {
	32: {
		bytes: 4,
		read: (from, offset) => from.readFloatLE(offset),
		write: (to, offset, value) => void to.writeFloatLE(value, offset),
	},
	64: {
		bytes: 8,
		read: (from, offset) => from.readDoubleLE(offset),
		write: (to, offset, value) => void to.writeDoubleLE(value, offset),
	},
};

/** How the samples of a WAV file are written; undefined for a format that is compressed or not known. */
export function sampleFormatOf(facts: WavFacts): SampleFormat | undefined {
	if (!isUncompressed(facts)) return undefined;
	const bits = facts.format.readUInt16LE(14);
	if (facts.formatTag === FLOATING_POINT) return FLOATS[bits];
	if (bits === 8) return UNSIGNED;
	return bits === 16 || bits === 24 || bits === 32 ? signed(bits / 8) : undefined;
}

/** Chunks that contain whole blocks of samples only. @param blockBytes bytes of one sample of all channels */
export async function* wholeBlocks(
	chunks: AsyncIterable<Buffer>,
	blockBytes: number,
): AsyncGenerator<Buffer> {
	let rest: Buffer = Buffer.alloc(0);
	for await (const chunk of chunks) {
		const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
		const end = bytes.length - (bytes.length % blockBytes);
		if (end > 0) yield bytes.subarray(0, end);
		rest = bytes.subarray(end);
	}
	// A part of a block at the end of a damaged file stays as it is.
	if (rest.length > 0) yield rest;
}

/** Sound with another loudness. @param gain factor of all samples */
export async function* amplified(
	chunks: AsyncIterable<Buffer>,
	format: SampleFormat,
	channels: number,
	gain: number,
): AsyncGenerator<Buffer> {
	for await (const block of wholeBlocks(chunks, format.bytes * channels)) {
		const louder = Buffer.from(block);
		for (let offset = 0; offset + format.bytes <= louder.length; offset += format.bytes) {
			format.write(louder, offset, format.read(louder, offset) * gain);
		}
		yield louder;
	}
}
