import type { Frame } from '../../audio/mp3Frames';
import { sideInfoOf } from './sideInfo';

/** One step of the gain of a granule, as a factor of its samples. */
const STEP = 2 ** (1 / 4);
const MAX_GAIN = 255;

/** The number of whole steps nearest to a gain. @param gain a factor of samples */
export function stepsOf(gain: number): number {
	return Math.round(Math.log(gain) / Math.log(STEP));
}

/** The gain of whole steps nearest to another one. */
export function wholeGain(gain: number): number {
	return STEP ** stepsOf(gain);
}

/**
 * A frame that sounds louder or quieter. Only a number in it changes, so that nothing is lost, and the change can be
 * undone.
 *
 * @param bytes the whole frame
 */
export function amplifiedFrame(frame: Frame, bytes: Buffer, steps: number): Buffer {
	const changed = Buffer.from(bytes);
	const info = sideInfoOf(bytes, frame);
	for (const { gain, gainPosition } of info.granules.flat()) {
		writeBits(changed, gainPosition, Math.max(0, Math.min(MAX_GAIN, gain + steps)));
	}
	const hasChecksum = (bytes[1] & 1) === 0;
	if (hasChecksum) changed.writeUInt16BE(checksum(changed, info.length), 4);
	return changed;
}

/** Writes a byte that begins at any bit. */
function writeBits(bytes: Buffer, position: number, value: number): void {
	const at = position >> 3;
	const shift = 8 - (position & 7);
	const both = bytes.readUInt16BE(at);
	bytes.writeUInt16BE((both & ~(0xff << shift)) | (value << shift), at);
}

/** CRC-16 of the header's second half and the side information (ISO/IEC 11172-3, 2.4.3.1). */
function checksum(bytes: Buffer, end: number): number {
	let value = 0xffff;
	for (let index = 2; index < end; index++) {
		// The checksum itself stands between the two.
		if (index === 4 || index === 5) continue;
		value ^= bytes[index] << 8;
		for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & 0x8000 ? 0x8005 : 0)) & 0xffff;
	}
	return value;
}
