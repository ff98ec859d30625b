import { audioFailure } from './audioFailure';
import type { Sound } from './wav';

interface Frame {
	offset: number;
	length: number;
	sampleRate: number;
	samples: number;
	channels: number;
	bitRate: number;
}

/** kbit/s by index, for MPEG 1 and for MPEG 2 and 2.5, layers I to III. */
const BIT_RATES: Record<'one' | 'two', number[][]> = {
	one: [
		[32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
		[32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
		[32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	],
	two: [
		[32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
		[8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
		[8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
	],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** The frame that begins at an offset, or undefined when none does. */
function frameAt(bytes: Buffer, offset: number): Frame | undefined {
	if (offset + 4 > bytes.length || bytes[offset] !== 0xff || (bytes[offset + 1] & 0xe0) !== 0xe0)
		return undefined;
	const version = (bytes[offset + 1] >> 3) & 3;
	const layer = 4 - ((bytes[offset + 1] >> 1) & 3);
	const bitRateIndex = bytes[offset + 2] >> 4;
	const sampleRateIndex = (bytes[offset + 2] >> 2) & 3;
	if (version === 1 || layer === 4 || bitRateIndex === 0 || bitRateIndex === 15 || sampleRateIndex === 3) {
		return undefined;
	}
	const one = version === 3;
	const bitRate = BIT_RATES[one ? 'one' : 'two'][layer - 1][bitRateIndex - 1] * 1000;
	const sampleRate = SAMPLE_RATES[sampleRateIndex] / (one ? 1 : version === 2 ? 2 : 4);
	const padding = (bytes[offset + 2] >> 1) & 1;
	const samples = layer === 1 ? 384 : layer === 3 && !one ? 576 : 1152;
	const length =
		layer === 1
			? (Math.floor((12 * bitRate) / sampleRate) + padding) * 4
			: Math.floor(((samples / 8) * bitRate) / sampleRate) + padding;
	const channels = bytes[offset + 3] >> 6 === 3 ? 1 : 2;
	return { offset, length, sampleRate, samples, channels, bitRate };
}

/** The complete sound frames of an MP3 file; tags, headers of variable bit rate and junk are passed over. */
export function soundFrames(bytes: Buffer): Frame[] {
	const frames: Frame[] = [];
	let offset = afterId3(bytes);
	while (offset + 4 <= bytes.length) {
		const frame = frameAt(bytes, offset);
		const follows =
			frame &&
			(offset + frame.length === bytes.length || frameAt(bytes, offset + frame.length) !== undefined);
		// A chance match of the sync pattern in junk has no frame behind it; the last frame has none either.
		if (!frame || (!follows && frames.length === 0) || offset + frame.length > bytes.length) {
			offset += 1;
			continue;
		}
		if (frames.length > 0 || !isInfoFrame(bytes, frame)) frames.push(frame);
		offset += frame.length;
	}
	return frames;
}

/** Seconds of sound in frames. */
export function durationOf(frames: Frame[]): number {
	return frames.reduce((seconds, { samples, sampleRate }) => seconds + samples / sampleRate, 0);
}

/**
 * Joins MP3 files into one that holds sound frames only: no tag or header of a part stands in the middle,
 * where players would stumble over it or show the length of the first part.
 *
 * @throws GatewayFailure (kind `answer`) that names the part that does not fit
 */
export function joinMp3(parts: Buffer[]): Sound {
	const framesOf = parts.map((part, index) => {
		const frames = soundFrames(part);
		if (frames.length === 0) throw audioFailure(index, 'is not a readable MP3 file');
		return frames;
	});
	const [[first]] = framesOf;
	framesOf.forEach(([{ sampleRate, channels }], index) => {
		if (sampleRate !== first.sampleRate || channels !== first.channels) {
			throw audioFailure(
				index,
				`differs from the first (${sampleRate} Hz, ${channels} channels instead of ${first.sampleRate} Hz, ${first.channels} channels)`,
			);
		}
	});
	const sound = framesOf.flatMap((frames, index) =>
		frames.map(({ offset, length }) => parts[index].subarray(offset, offset + length)),
	);
	const frames = framesOf.flat();
	const variable = frames.some(({ bitRate }) => bitRate !== first.bitRate);
	const head = variable ? [variableRateHeader(parts[0], first, frames)] : [];
	return { bytes: Buffer.concat([...head, ...sound]), durationSeconds: durationOf(frames) };
}

/** Without this frame players guess the length of a file with variable bit rate from its first frame. */
function variableRateHeader(source: Buffer, first: Frame, frames: Frame[]): Buffer {
	const frame = Buffer.alloc(first.length);
	source.copy(frame, 0, first.offset, first.offset + 4);
	// The protection bit set: a frame without checksum, since its content is new.
	frame[1] |= 1;
	const at = 4 + sideInfoLength(first);
	if (at + 16 > frame.length) return Buffer.alloc(0);
	frame.write('Xing', at, 'latin1');
	frame.writeUInt32BE(3, at + 4);
	frame.writeUInt32BE(frames.length, at + 8);
	frame.writeUInt32BE(
		frames.reduce((sum, { length }) => sum + length, first.length),
		at + 12,
	);
	return frame;
}

function isInfoFrame(bytes: Buffer, frame: Frame): boolean {
	const at = frame.offset + 4 + sideInfoLength(frame);
	const name = bytes.toString('latin1', at, at + 4);
	return (
		name === 'Xing' ||
		name === 'Info' ||
		bytes.toString('latin1', frame.offset + 36, frame.offset + 40) === 'VBRI'
	);
}

function sideInfoLength({ samples, channels }: Frame): number {
	if (samples === 1152) return channels === 1 ? 17 : 32;
	return channels === 1 ? 9 : 17;
}

function afterId3(bytes: Buffer): number {
	if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0;
	const size = (bytes[6] << 21) | (bytes[7] << 14) | (bytes[8] << 7) | bytes[9];
	const footer = bytes[5] & 0x10 ? 10 : 0;
	return 10 + size + footer;
}
