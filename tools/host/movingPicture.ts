import { crc32 } from 'node:zlib';

/** A piece of a PNG file (PNG, section 5.3). */
interface Chunk {
	type: string;
	data: Buffer;
}

const SIGNATURE_LENGTH = 8;

/**
 * Pictures of the same size as one that moves: an APNG file (PNG, third edition, section 11.3.6), whose frames are the data
 * of the pictures as it is. Pure.
 *
 * @param pictures PNG files
 * @param shownForMs how long each of them is shown
 */
export function movingPicture(pictures: Buffer[], shownForMs: number): Buffer {
	const [first] = pictures;
	const header = chunksOf(first).find(({ type }) => type === 'IHDR')!.data;
	let number = 0;
	const frames = pictures.flatMap((picture, index) => {
		const control = Buffer.alloc(26);
		control.writeUInt32BE(number++, 0);
		header.copy(control, 4, 0, 8);
		control.writeUInt16BE(shownForMs, 20);
		control.writeUInt16BE(1_000, 22);
		const parts = chunksOf(picture).filter(({ type }) => type === 'IDAT');
		const data = parts.map((part) => {
			if (index === 0) return part;
			const counted = Buffer.alloc(4);
			counted.writeUInt32BE(number++);
			return { type: 'fdAT', data: Buffer.concat([counted, part.data]) };
		});
		return [{ type: 'fcTL', data: control }, ...data];
	});
	const count = Buffer.alloc(8);
	count.writeUInt32BE(pictures.length);
	const chunks = [
		{ type: 'IHDR', data: header },
		{ type: 'acTL', data: count },
		...frames,
		{ type: 'IEND', data: Buffer.alloc(0) },
	];
	return Buffer.concat([first.subarray(0, SIGNATURE_LENGTH), ...chunks.map(bytesOf)]);
}

/** The chunks of a PNG file. */
export function chunksOf(picture: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = SIGNATURE_LENGTH; at < picture.length;) {
		const end = at + 8 + picture.readUInt32BE(at);
		chunks.push({ type: picture.toString('latin1', at + 4, at + 8), data: picture.subarray(at + 8, end) });
		at = end + 4;
	}
	return chunks;
}

function bytesOf({ type, data }: Chunk): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}
