import { audioFailure } from './audioFailure';

/** Where the sound lies in a WAV file, and what it is. */
export interface WavFacts {
	/** The whole `fmt ` chunk without its header. */
	format: Buffer;
	channels: number;
	/** Hertz. */
	sampleRate: number;
	/** Bytes of one second. */
	byteRate: number;
	dataOffset: number;
	dataLength: number;
}

/**
 * Reads the header of a WAV file. Chunks in any order before `data`, odd chunk sizes with their pad byte and
 * streamed headers (size 0 or all ones: the sound runs to the end) are understood.
 *
 * @returns undefined when the bytes are no complete WAV file
 */
export function inspectWav(bytes: Buffer): WavFacts | undefined {
	const riff = bytes.toString('latin1', 0, 4);
	if ((riff !== 'RIFF' && riff !== 'RF64') || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
	let format: Buffer | undefined;
	for (let offset = 12; offset + 8 <= bytes.length;) {
		const name = bytes.toString('latin1', offset, offset + 4);
		const size = bytes.readUInt32LE(offset + 4);
		const start = offset + 8;
		if (name === 'fmt ') format = bytes.subarray(start, start + size);
		if (name === 'data') return format && factsOf(format, start, size, bytes.length);
		offset = start + size + (size % 2);
	}
	return undefined;
}

function factsOf(format: Buffer, dataOffset: number, size: number, fileLength: number): WavFacts | undefined {
	if (format.length < 16) return undefined;
	const streamed = size === 0 || size === 0xffffffff;
	const available = fileLength - dataOffset;
	const facts = {
		format,
		channels: format.readUInt16LE(2),
		sampleRate: format.readUInt32LE(4),
		byteRate: format.readUInt32LE(8),
		dataOffset,
		dataLength: streamed ? available : Math.min(size, available),
	};
	return facts.byteRate > 0 && facts.channels > 0 ? facts : undefined;
}

/** Joined or inspected sound. */
export interface Sound {
	bytes: Buffer;
	durationSeconds: number;
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
	const sound = facts.map(({ dataOffset, dataLength }, index) =>
		parts[index].subarray(dataOffset, dataOffset + dataLength),
	);
	const length = sound.reduce((sum, { length: bytes }) => sum + bytes, 0);
	const pad = Buffer.alloc(length % 2);
	return {
		bytes: Buffer.concat([header(first.format, length, pad.length), ...sound, pad]),
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
