import { frameAt, sideInfoLength, type Frame } from './mp3Frames';

/** Length of the header: name, flags, frames, bytes, and a hundred seek positions. */
const XING_BYTES = 16 + 100;

/** What a header says of the frames after it. */
interface SoundFacts {
	/** Whether the frames differ in their bit rate. */
	isVariable: boolean;
	frames: number;
	bytes: number;
	/** Bytes before a frame. */
	offsetOf(this: void, frame: number): number;
}

/**
 * A silent frame that says how long the sound is. Without it, players guess the duration from the bit rate of the first
 * frame, and seek to the wrong position if others differ.
 *
 * @param head header of the first frame
 */
export function headerFrame(
	head: Buffer,
	first: Frame,
	{ isVariable, frames, bytes, offsetOf }: SoundFacts,
): Buffer {
	const at = 4 + sideInfoLength(first);
	const frame = emptyFrame(head, at + XING_BYTES);
	const total = bytes + frame.length;
	frame.write(isVariable ? 'Xing' : 'Info', at, 'latin1');
	frame.writeUInt32BE(7, at + 4);
	frame.writeUInt32BE(frames, at + 8);
	frame.writeUInt32BE(total, at + 12);
	for (let percent = 0; percent < 100; percent++) {
		const index = Math.min(frames - 1, Math.ceil((percent * frames) / 100));
		const position = frame.length + offsetOf(index);
		frame[at + 16 + percent] = Math.min(255, Math.floor((256 * position) / total));
	}
	return frame;
}

/** A silent frame of the same kind and bit rate. @param like header of a frame of this kind */
export function silentFrame(like: Buffer): Buffer {
	return frameWith(headWith(like, like[2] >> 4));
}

/**
 * A silent frame of the same kind, with the lowest bit rate that leaves enough room.
 *
 * @param like header of a frame of this kind
 * @param bytes minimum length
 */
function emptyFrame(like: Buffer, bytes: number): Buffer {
	for (let index = 1; ; index++) {
		const frame = frameWith(headWith(like, index));
		if (frame.length >= bytes || index === 14) return frame;
	}
}

/** A frame header with another bit rate, without padding. */
function headWith(like: Buffer, bitRateIndex: number): Buffer {
	const head = Buffer.from(like);
	// A set protection bit means that the frame has no checksum.
	head[1] |= 1;
	head[2] = (bitRateIndex << 4) | (like[2] & 0x0c);
	return head;
}

function frameWith(head: Buffer): Buffer {
	const frame = Buffer.alloc(frameAt(head, 0)?.length ?? 0);
	head.copy(frame);
	return frame;
}
