export interface Pixels {
	width: number;
	height: number;
}

type Reader = (bytes: Buffer) => Pixels | undefined;

const READERS: Array<[RegExp, Reader]> = [
	[/^\x89PNG\r\n[\s\S]{6}IHDR/, (bytes) => sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20))],
	[/^GIF8[79]a/, (bytes) => sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8))],
	[/^\xff\xd8\xff/, pixelsOfJpeg],
	[/^RIFF[\s\S]{4}WEBPVP8X/, (bytes) => sized(1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3))],
	[/^RIFF[\s\S]{4}WEBPVP8L/, pixelsOfLossless],
	[
		/^RIFF[\s\S]{4}WEBPVP8 /,
		(bytes) => sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff),
	],
];
/** All readers but that of JPEG look no further. */
const HEADER_BYTES = 32;

/**
 * The size of an image, from the beginning of its file: PNG, GIF, JPEG, or WebP.
 *
 * @returns undefined for other files, and when the size stands further back
 */
export function pixelsOf(firstBytes: Buffer): Pixels | undefined {
	if (firstBytes.length < HEADER_BYTES) return undefined;
	const header = firstBytes.toString('latin1', 0, HEADER_BYTES);
	return READERS.find(([signature]) => signature.test(header))?.[1](firstBytes);
}

function sized(width: number, height: number): Pixels | undefined {
	return width > 0 && height > 0 ? { width, height } : undefined;
}

/** 14 bits for each side, less one. */
function pixelsOfLossless(bytes: Buffer): Pixels | undefined {
	const bits = bytes.readUInt32LE(21);
	return sized(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
}

/** Markers of a frame, apart from those for tables (C4, C8, CC). */
const FRAME = /[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]/;
const MARKER = 0xff;

/** A JPEG is a list of segments, each with its length; that of the frame has the size. */
function pixelsOfJpeg(bytes: Buffer): Pixels | undefined {
	for (let at = 2; at + 9 <= bytes.length && bytes[at] === MARKER; at += 2 + bytes.readUInt16BE(at + 2)) {
		// Markers may follow any number of fill bytes.
		while (bytes[at + 1] === MARKER && at + 10 <= bytes.length) at += 1;
		if (FRAME.test(String.fromCharCode(bytes[at + 1]))) {
			return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
		}
	}
	return undefined;
}
