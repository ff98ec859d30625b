import { createCipheriv, createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const chunkOverhead = 12;

function chunk(type: string, content: Buffer): Buffer {
	const bytes = Buffer.alloc(content.length + chunkOverhead);
	bytes.writeUInt32BE(content.length, 0);
	bytes.write(type, 4, 'latin1');
	content.copy(bytes, 8);
	bytes.writeUInt32BE(crc32(bytes.subarray(4, bytes.length - 4)), bytes.length - 4);
	return bytes;
}

/** A picture with at most 16 colors. Each byte of `pixels` contains two pixels; each row begins with a zero byte. */
export interface Picture {
	width: number;
	height: number;
	/** The red, green, and blue values of each color. */
	palette: ReadonlyArray<readonly number[]>;
	pixels: Buffer;
	/** A description that is written into the file. */
	description: string;
}

/**
 * Creates a PNG file.
 * @param fileBytes the target size, reached with a private chunk of noise; ignored if it is too small
 */
export function pngFile({ width, height, palette, pixels, description }: Picture, fileBytes = 0): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// Four bits per pixel, with a palette.
	header.set([4, 3, 0, 0, 0], 8);
	const chunks = [
		signature,
		chunk('IHDR', header),
		chunk('PLTE', Buffer.from(palette.flat())),
		chunk('iTXt', Buffer.from(`Description\0\0\0\0\0${description}`)),
		chunk('IDAT', deflateSync(pixels, { level: 1 })),
		chunk('IEND', Buffer.alloc(0)),
	];
	const missing = fileBytes - chunks.reduce((sum, { length }) => sum + length, chunkOverhead);
	// Lower-case letters mark the chunk as private and optional.
	if (missing >= 0) chunks.splice(-1, 0, chunk('noIs', noise(missing, description)));
	return Buffer.concat(chunks);
}

/** Returns incompressible bytes, which are always the same for the same seed. */
function noise(length: number, seed: string): Buffer {
	const key = createHash('sha256').update(seed).digest();
	return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));
}
