/** A page of an Ogg file (RFC 3533). */
export interface OggPage {
	/** True if its first packet began on an earlier page. */
	isContinued: boolean;
	isFirst: boolean;
	/** Position at the end of the last packet that ends on the page; undefined if none does. */
	granule: number | undefined;
	serial: number;
	pieces: Buffer[];
	/** True if its last packet continues on the next page. */
	continues: boolean;
}

const HEAD_BYTES = 27;
const CHECKSUM_AT = 22;
const FLAGS = { continued: 1, first: 2, last: 4 };
const NO_GRANULE = 0xffff_ffff_ffff_ffffn;
export const MAX_SEGMENTS = 255;
/** Maximum length of the head of a page, which precedes its packets, in bytes. */
export const MAX_HEAD_BYTES = HEAD_BYTES + MAX_SEGMENTS;
/** Maximum length of a packet that fits on one page, in bytes. */
export const MAX_PACKET_BYTES = MAX_SEGMENTS * 255 - 1;

/** Ogg's checksum (polynomial 04C11DB7, not reflected), which differs from that of zip. */
const CHECKSUMS = Int32Array.from({ length: 256 }, (_, index) => {
	let value = index << 24;
	for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c1_1db7 : 0);
	return value;
});

function checksumOf(page: Buffer): number {
	// The checksum itself counts as zero.
	const bytes = Buffer.from(page).fill(0, CHECKSUM_AT, CHECKSUM_AT + 4);
	let value = 0;
	for (let index = 0; index < bytes.length; index++) {
		value = (value << 8) ^ CHECKSUMS[(value >>> 24) ^ bytes[index]];
	}
	return value >>> 0;
}

/** Returns the length of the page that these bytes begin ({@link MAX_HEAD_BYTES} are enough); undefined for none. */
export function oggPageLength(start: Buffer): number | undefined {
	const isPage = start.length >= HEAD_BYTES && start.toString('latin1', 0, 4) === 'OggS' && start[4] === 0;
	return isPage ? segmentTable(start).reduce((sum, segment) => sum + segment, headLength(start)) : undefined;
}

function headLength(page: Buffer): number {
	return HEAD_BYTES + page[HEAD_BYTES - 1];
}

function segmentTable(page: Buffer): Buffer {
	return page.subarray(HEAD_BYTES, headLength(page));
}

/** Reads the page that consists of these bytes; undefined if it is incomplete or damaged. */
export function oggPage(page: Buffer): OggPage | undefined {
	const length = oggPageLength(page);
	if (length !== page.length || page.readUInt32LE(CHECKSUM_AT) !== checksumOf(page)) return undefined;
	const pieces: Buffer[] = [];
	let start = headLength(page);
	let end = start;
	for (const segment of segmentTable(page)) {
		end += segment;
		if (segment === 255) continue;
		pieces.push(page.subarray(start, end));
		start = end;
	}
	const continues = start < end;
	if (continues) pieces.push(page.subarray(start, end));
	const granule = page.readBigUInt64LE(6);
	return {
		granule: granule === NO_GRANULE ? undefined : Number(granule),
		serial: page.readUInt32LE(14),
		isFirst: (page[5] & FLAGS.first) !== 0,
		isContinued: (page[5] & FLAGS.continued) !== 0,
		pieces,
		continues,
	};
}

/** Returns the number of segments of a packet: one per 255 bytes, and a shorter one. */
export function segmentsOf(packet: Buffer): number {
	return Math.floor(packet.length / 255) + 1;
}

export class OggWriter {
	private pages = 0;

	constructor(private readonly serial: number) {}

	/** Writes a page of whole packets, which have at most {@link MAX_SEGMENTS} segments together. */
	page(packets: Buffer[], granule: number, isLast = false): Buffer {
		return this.write(packets.flatMap(lacing), packets, BigInt(granule), isLast ? FLAGS.last : 0);
	}

	/** Writes a header packet of any length on as many pages as it needs. */
	headerPages(packet: Buffer): Buffer[] {
		const segments = lacing(packet);
		const pages: Buffer[] = [];
		for (let from = 0; from < segments.length; from += MAX_SEGMENTS) {
			const onPage = segments.slice(from, from + MAX_SEGMENTS);
			const isEnd = from + MAX_SEGMENTS >= segments.length;
			const piece = packet.subarray(from * 255, isEnd ? packet.length : (from + MAX_SEGMENTS) * 255);
			pages.push(this.write(onPage, [piece], isEnd ? 0n : NO_GRANULE, from > 0 ? FLAGS.continued : 0));
		}
		return pages;
	}

	private write(segments: number[], content: Buffer[], granule: bigint, flags: number): Buffer {
		const head = Buffer.alloc(HEAD_BYTES + segments.length);
		head.write('OggS', 0, 'latin1');
		head[5] = (this.pages === 0 ? FLAGS.first : 0) | flags;
		head.writeBigUInt64LE(granule, 6);
		head.writeUInt32LE(this.serial, 14);
		head.writeUInt32LE(this.pages++, 18);
		head[26] = segments.length;
		head.set(segments, HEAD_BYTES);
		const page = Buffer.concat([head, ...content]);
		page.writeUInt32LE(checksumOf(page), CHECKSUM_AT);
		return page;
	}
}

/** Returns the lengths of the segments of a packet. One below 255 ends it. */
function lacing(packet: Buffer): number[] {
	return Array.from({ length: segmentsOf(packet) }, (_, index) => Math.min(255, packet.length - 255 * index));
}
