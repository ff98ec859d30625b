import { audioFailure, mismatchFailure, type JoinedAudio } from './joinedAudio';
import { frameAt, sideInfoLength, soundFrames, type Frame } from './mp3Frames';

/** Length of a variable bit rate header: name, flags, frames, bytes, and a hundred seek positions. */
const XING_BYTES = 16 + 100;

/**
 * Joins MP3 files into one that contains only sound frames. A tag or header of a part in the middle would confuse
 * players, or make them show the duration of the first part.
 *
 * @throws GatewayFailure (kind `answer`) for the first part that does not fit
 */
export function joinMp3(parts: Buffer[]): JoinedAudio {
	const framesOf = parts.map((part, index) => {
		const frames = soundFrames(part);
		if (frames.length === 0) throw audioFailure(index, 'is not a readable MP3 file');
		return frames;
	});
	const [[first]] = framesOf;
	framesOf.forEach(([found], index) => {
		const matches = found.sampleRate === first.sampleRate && found.channels === first.channels;
		if (!matches) throw mismatchFailure(index, found, first);
	});
	const sound = framesOf.flatMap((frames, index) => runsOf(parts[index], frames));
	const frames = framesOf.flat();
	const variable = frames.some(({ bitRate }) => bitRate !== first.bitRate);
	const head = variable ? [variableRateHeader(parts[0], first, frames)] : [];
	const durationSeconds = frames.reduce((sum, { samples, sampleRate }) => sum + samples / sampleRate, 0);
	return { chunks: [...head, ...sound], durationSeconds };
}

/** The bytes of frames; adjacent frames become one piece. */
function runsOf(bytes: Buffer, frames: Frame[]): Buffer[] {
	const runs: Array<{ start: number; end: number }> = [];
	for (const { offset, length } of frames) {
		const last = runs.at(-1);
		if (last?.end === offset) last.end += length;
		else runs.push({ start: offset, end: offset + length });
	}
	return runs.map(({ start, end }) => bytes.subarray(start, end));
}

/**
 * Without this frame, players guess the duration of a file with a variable bit rate from its first frame, and seek to
 * the wrong position.
 */
function variableRateHeader(source: Buffer, first: Frame, frames: Frame[]): Buffer {
	const at = 4 + sideInfoLength(first);
	const frame = emptyFrame(source.subarray(first.offset, first.offset + 4), at + XING_BYTES);
	const total = frames.reduce((sum, { length }) => sum + length, frame.length);
	frame.write('Xing', at, 'latin1');
	frame.writeUInt32BE(7, at + 4);
	frame.writeUInt32BE(frames.length, at + 8);
	frame.writeUInt32BE(total, at + 12);
	let position = frame.length;
	let percent = 0;
	frames.forEach(({ length }, index) => {
		for (; percent < 100 && percent * frames.length <= index * 100; percent++) {
			frame[at + 16 + percent] = Math.min(255, Math.floor((256 * position) / total));
		}
		position += length;
	});
	for (; percent < 100; percent++) frame[at + 16 + percent] = 255;
	return frame;
}

/**
 * A silent frame of the same kind, with the lowest bit rate that leaves enough room.
 *
 * @param like header of a frame of this kind
 * @param bytes minimum length
 */
function emptyFrame(like: Buffer, bytes: number): Buffer {
	const head = Buffer.from(like);
	// A set protection bit means that the frame has no checksum.
	head[1] |= 1;
	for (let index = 1; ; index++) {
		head[2] = (index << 4) | (like[2] & 0x0c);
		const length = frameAt(head, 0)?.length ?? 0;
		if (length < bytes && index < 14) continue;
		const frame = Buffer.alloc(length);
		head.copy(frame);
		return frame;
	}
}
