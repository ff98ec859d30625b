import { frameAt, sideInfoLength } from './mp3Frames';

/** Frames one after another in a joined file: a file, or silence that consists of equal frames. */
export interface Mp3Piece {
	frames: number;
	bytes: number;
	chunks(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Length of the header: name, flags, frames, bytes, and a hundred seek positions. */
const XING_BYTES = 16 + 100;

/**
 * A silent frame that says how long the sound is. Without it, players guess the duration from the bit rate of the first
 * frame, and seek to the wrong position if others differ.
 *
 * @param like header of a frame of the sound
 * @param isVariable whether the frames differ in their bit rate
 */
export function headerFrame(like: Buffer, pieces: Mp3Piece[], isVariable: boolean): Buffer {
	const first = frameAt(like);
	const at = 4 + (first ? sideInfoLength(first) : 0);
	const frame = emptyFrame(like, at + XING_BYTES);
	const frames = pieces.reduce((sum, piece) => sum + piece.frames, 0);
	const total = pieces.reduce((sum, piece) => sum + piece.bytes, frame.length);
	frame.write(isVariable ? 'Xing' : 'Info', at, 'latin1');
	frame.writeUInt32BE(7, at + 4);
	frame.writeUInt32BE(frames, at + 8);
	frame.writeUInt32BE(total, at + 12);
	for (let percent = 0; percent < 100; percent++) {
		const index = Math.min(frames - 1, Math.ceil((percent * frames) / 100));
		const position = frame.length + offsetOf(index, pieces);
		frame[at + 16 + percent] = Math.min(255, Math.floor((256 * position) / total));
	}
	return frame;
}

/** Bytes before a frame: exact where a piece begins, as a chapter does, and where its frames are equally long. */
function offsetOf(frame: number, pieces: Mp3Piece[]): number {
	let offset = 0;
	let framesLeft = frame;
	for (const { frames, bytes } of pieces) {
		if (framesLeft < frames) return offset + (framesLeft * bytes) / frames;
		framesLeft -= frames;
		offset += bytes;
	}
	return offset;
}

/**
 * A silent frame of the same kind, with the lowest bit rate that leaves enough room.
 *
 * @param bytes minimum length
 */
function emptyFrame(like: Buffer, bytes: number): Buffer {
	for (let index = 1; ; index++) {
		const frame = silentFrame(like, index);
		if (frame.length >= bytes || index === 14) return frame;
	}
}

/**
 * A silent frame of the same kind, without padding.
 *
 * @param like header of a frame of this kind
 */
export function silentFrame(like: Buffer, bitRateIndex = like[2] >> 4): Buffer {
	const head = Buffer.from(like);
	// A set protection bit means that the frame has no checksum.
	head[1] |= 1;
	head[2] = (bitRateIndex << 4) | (like[2] & 0x0c);
	const frame = Buffer.alloc(frameAt(head)?.length ?? 0);
	head.copy(frame);
	return frame;
}
