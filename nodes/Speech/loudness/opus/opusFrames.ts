/** How the frames of a packet are encoded, by its first byte (RFC 6716, 3.1). */
export interface OpusMode {
	/** For speech at low bit rates, for any sound, or lower frequencies the one and higher ones the other way. */
	layer: 'silk' | 'hybrid' | 'celt';
	/** Samples of a frame at 48 kHz. */
	samples: number;
	/** Bands of any sound. */
	bands: number;
	channels: number;
}

/** Bands by bandwidth: narrow, wide, super wide, full. */
const BANDS = [13, 17, 19, 21];
const MILLISECOND = 48;

export function modeOf(packet: Buffer): OpusMode {
	const mode = packet[0] >> 3;
	const channels = (packet[0] & 4) === 0 ? 1 : 2;
	if (mode < 12)
		return { layer: 'silk', samples: [10, 20, 40, 60][mode & 3] * MILLISECOND, bands: 0, channels };
	if (mode < 16) return { layer: 'hybrid', samples: [10, 20][mode & 1] * MILLISECOND, bands: 0, channels };
	const samples = [2.5, 5, 10, 20][mode & 3] * MILLISECOND;
	return { layer: 'celt', samples, bands: BANDS[(mode - 16) >> 2], channels };
}

/** The frames of a packet (RFC 6716, 3.2); those that are cut off are empty. */
export function framesOf(packet: Buffer): Buffer[] {
	const code = packet[0] & 3;
	const rest = packet.subarray(1);
	if (code === 0) return [rest];
	if (code === 1) return equalFrames(rest, 2);
	if (code === 2) {
		const { length, bytes } = lengthAt(rest, 0);
		return [rest.subarray(bytes, bytes + length), rest.subarray(bytes + length)];
	}
	return manyFrames(rest);
}

function manyFrames(rest: Buffer): Buffer[] {
	const count = rest[0] & 0x3f;
	const hasLengths = (rest[0] & 0x80) !== 0;
	let position = 1;
	let padding = 0;
	if ((rest[0] & 0x40) !== 0) {
		let byte: number;
		do {
			byte = rest[position++] ?? 0;
			padding += Math.min(byte, 254);
		} while (byte === 255);
	}
	const end = Math.max(position, rest.length - padding);
	if (!hasLengths) return equalFrames(rest.subarray(position, end), count);
	const lengths: number[] = [];
	while (lengths.length < count - 1) {
		const { length, bytes } = lengthAt(rest, position);
		lengths.push(length);
		position += bytes;
	}
	const frames = [...lengths, end].map((length) => {
		const frame = rest.subarray(position, Math.min(end, position + length));
		position += length;
		return frame;
	});
	return frames;
}

function equalFrames(bytes: Buffer, count: number): Buffer[] {
	const length = Math.floor(bytes.length / count);
	return Array.from({ length: count }, (_, index) => bytes.subarray(index * length, (index + 1) * length));
}

/** The length of a frame, and how many bytes say it. */
function lengthAt(bytes: Buffer, position: number): { length: number; bytes: number } {
	const first = bytes[position] ?? 0;
	if (first < 252) return { length: first, bytes: 1 };
	return { length: 4 * (bytes[position + 1] ?? 0) + first, bytes: 2 };
}
