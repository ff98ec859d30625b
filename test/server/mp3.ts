/** The contents of an MP3 file. */
export interface Mp3Summary {
	frames: number;
	seconds: number;
}

const bitratesOfMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesOfMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRatesOfMpeg1 = [44_100, 48_000, 32_000];

/**
 * Reads all frames of an MP3 file (MPEG 1, 2 and 2.5, layer III). An ID3v2 tag is allowed only at the start.
 *
 * @throws Error with the offset of the first byte that is not part of a frame, or of a frame that is cut off
 */
export function inspectMp3(bytes: Buffer): Mp3Summary {
	let offset = lengthOfTag(bytes);
	let frames = 0;
	let seconds = 0;
	while (offset < bytes.length) {
		const frame = readFrame(bytes, offset);
		if (offset + frame.bytes > bytes.length) throw new Error(`The frame at byte ${offset} is cut off.`);
		offset += frame.bytes;
		frames += 1;
		seconds += frame.seconds;
	}
	return { frames, seconds };
}

/** An ID3v2 header has ten bytes; the last four contain the length of the rest, seven bits each. */
function lengthOfTag(bytes: Buffer): number {
	if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
	return 10 + bytes.subarray(6, 10).reduce((length, byte) => length * 128 + byte, 0);
}

function readFrame(bytes: Buffer, offset: number): { bytes: number; seconds: number } {
	if (offset + 4 > bytes.length) throw new Error(`The frame at byte ${offset} is cut off.`);
	const header = bytes.readUInt32BE(offset);
	const version = (header >>> 19) & 3;
	const layer = (header >>> 17) & 3;
	const isFrame = header >>> 21 === 0x7ff && version !== 1 && layer === 1;
	const isMpeg1 = version === 3;
	const bitrate = (isMpeg1 ? bitratesOfMpeg1 : bitratesOfMpeg2)[(header >>> 12) & 15];
	// MPEG 2 halves the rates of MPEG 1, MPEG 2.5 halves them again.
	const sampleRate = sampleRatesOfMpeg1[(header >>> 10) & 3] / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
	if (!isFrame || !bitrate || !sampleRate) {
		throw new Error(`No MPEG frame at byte ${offset}: ${bytes.toString('hex', offset, offset + 4)}`);
	}
	const samples = isMpeg1 ? 1152 : 576;
	const padding = (header >>> 9) & 1;
	return {
		bytes: Math.floor((samples / 8) * ((bitrate * 1000) / sampleRate)) + padding,
		seconds: samples / sampleRate,
	};
}
