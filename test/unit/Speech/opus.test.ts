import { oggPage, oggPageLength, OggWriter } from '../../../nodes/Speech/audio/ogg';
import { samplesOf } from '../../../nodes/Speech/audio/opusReader';
import { oggChecksum, opusPackets } from '../../integration/emulator/audioFiles';
import { audioDuration, joined, packetsOf, spoken } from './joined';

interface MadeOptions {
	packets?: number;
	/** First byte of each packet: the length and number of its frames. */
	toc?: number;
	packetBytes?: number;
	preSkip?: number;
	endPadding?: number;
	channels?: number;
	gain?: number;
	serial?: number;
}

/** An Ogg Opus file with the given properties. */
function made({
	packets = 50,
	toc = 0x98,
	packetBytes = 40,
	preSkip = 312,
	endPadding = 0,
	channels = 1,
	gain = 0,
	serial = 7,
}: MadeOptions = {}): Buffer {
	const head = Buffer.alloc(19);
	head.write('OpusHead', 'latin1');
	head.set([1, channels], 8);
	head.writeUInt16LE(preSkip, 10);
	head.writeInt16LE(gain, 16);
	const writer = new OggWriter(serial);
	const pages = [writer.page([head], 0), writer.page([Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1')], 0)];
	const packet = Buffer.alloc(packetBytes, 1);
	packet[0] = toc;
	const samples = samplesOf(packet)!;
	for (let sent = 1; sent <= packets; sent++) {
		const isLast = sent === packets;
		pages.push(writer.page([packet], sent * samples - (isLast ? endPadding : 0), isLast));
	}
	return Buffer.concat(pages);
}

function pagesOf(bytes: Buffer) {
	const pages = [];
	for (let offset = 0; offset < bytes.length;) {
		const length = oggPageLength(bytes.subarray(offset)) ?? 0;
		const page = oggPage(bytes.subarray(offset, offset + length));
		if (!page) throw new Error(`No page at byte ${offset}`);
		pages.push({ ...page, length, sequence: bytes.readUInt32LE(offset + 18) });
		offset += length;
	}
	return pages;
}

async function join(parts: Buffer[]) {
	const { bytes, durationSeconds } = await joined(parts);
	return { bytes, durationSeconds, pages: pagesOf(bytes) };
}

/** A page with any segment table, which the writer never creates. */
function rawPage(
	sequence: number,
	flags: number,
	granule: bigint,
	segments: number[],
	content: Buffer,
): Buffer {
	const head = Buffer.alloc(27 + segments.length);
	head.write('OggS', 'latin1');
	head[5] = flags;
	head.writeBigUInt64LE(granule, 6);
	head.writeUInt32LE(7, 14);
	head.writeUInt32LE(sequence, 18);
	head[26] = segments.length;
	head.set(segments, 27);
	const page = Buffer.concat([head, content]);
	page.writeUInt32LE(oggChecksum(page), 22);
	return page;
}

describe('Opus joiner', () => {
	it('writes one logical stream with consistent serial numbers, sequence, positions, flags, and checksums, and loses no packet', async () => {
		const parts = ['Good morning, everybody.', 'Second part here.', 'And the last of the three!'].map(
			(text) => spoken(text.repeat(8), 'opus'),
		);
		const { bytes, pages, durationSeconds } = await join(parts);
		expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
		expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index));
		expect(pages.map(({ isFirst }) => isFirst)).toEqual(pages.map((_, index) => index === 0));
		expect(pages.map(({ isLast }) => isLast)).toEqual(pages.map((_, index) => index === pages.length - 1));
		expect(bytes.toString('latin1').match(/OpusHead/g)).toHaveLength(1);
		expect(bytes.toString('latin1').match(/OpusTags/g)).toHaveLength(1);
		// Players seek to the beginnings of pages, about one per second.
		const granules = pages.slice(2).map(({ granule }) => granule!);
		expect(
			Math.max(...granules.map((granule, index) => granule - (granules[index - 1] ?? 0))),
		).toBeLessThanOrEqual(49_000);

		// The emulator's own reader checks checksums and positions page by page.
		const read = opusPackets(bytes);
		expect(read.seconds).toBeCloseTo(durationSeconds, 6);
		const packets = parts.flatMap((part) => opusPackets(part).packets);
		expect(read.packets).toEqual(packets);
		expect(durationSeconds).toBeCloseTo((packets.length * 960) / 48_000, 6);
	});

	it('joins packets that span segments and pages, and concatenated files', async () => {
		const long = made({ packets: 300, packetBytes: 1020 });
		const { bytes, durationSeconds } = await join([
			long,
			Buffer.concat([made({ serial: 1 }), made({ serial: 2 })]),
		]);
		expect(durationSeconds).toBeCloseTo((300 + 50 + 50) * 0.02, 6);
		expect(packetsOf(bytes)!.filter((packet) => packet.bytes.length === 1020)).toHaveLength(300);
	});

	it('names the part that does not fit', async () => {
		await expect(joined([made(), made({ channels: 2 })])).rejects.toThrow(/part 2 differs from the first/);
		await expect(joined([made(), made({ gain: 256 })])).rejects.toThrow(/part 2 differs from the first/);
		const damaged = made();
		damaged[200] ^= 1;
		await expect(joined([made(), damaged])).rejects.toThrow(/part 2 is not a readable Ogg Opus file/);
		await expect(joined([made(), made().subarray(0, -10)])).rejects.toThrow(/part 2 is not a readable/);
		await expect(joined([made(), Buffer.from('OggS')])).rejects.toThrow(/part 2 is not a readable/);
	});
});

describe('Opus reader', () => {
	it('assembles a packet that spans three pages, and rejects one that never ends', async () => {
		const [head, tags] = pagesOf(made());
		const headers = made().subarray(0, head.length + tags.length);
		const packet = Buffer.alloc(600, 3);
		packet[0] = 0x98;
		const none = 0xffff_ffff_ffff_ffffn;
		const pages = [
			rawPage(2, 0, none, [255], packet.subarray(0, 255)),
			rawPage(3, 1, none, [255], packet.subarray(255, 510)),
			rawPage(4, 5, 960n, [90], packet.subarray(510)),
		];
		expect(packetsOf(Buffer.concat([headers, ...pages]))).toEqual([{ bytes: packet, samples: 960 }]);
		expect(audioDuration(Buffer.concat([headers, ...pages]))).toBe((960 - 312) / 48_000);
		expect(
			packetsOf(Buffer.concat([headers, pages[0], Buffer.from(pages[2]).fill(4, 5, 6)])),
		).toBeUndefined();
		expect(packetsOf(Buffer.concat([headers, pages[1], pages[2]]))).toBeUndefined();
	});
});

const PAGE_BYTES = 255 * 255;

describe('A header packet of an Ogg stream', () => {
	it.each([0, 254, 255, 256, PAGE_BYTES - 1, PAGE_BYTES, PAGE_BYTES + 1, 5 * PAGE_BYTES, 300_000])(
		'of %d bytes is written on as few pages as possible, and ends on the last one',
		(length) => {
			const packet = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
			const writer = new OggWriter(7);
			const first = writer.page([Buffer.from('OpusHead')], 0);
			const pages = pagesOf(Buffer.concat([first, ...writer.headerPages(packet)])).slice(1);
			const last = Math.floor(length / PAGE_BYTES);
			expect(Buffer.concat(pages.flatMap(({ pieces }) => pieces)).equals(packet)).toBe(true);
			expect(pages).toMatchObject(
				Array.from({ length: last + 1 }, (_, index) => ({
					sequence: index + 1,
					continues: index < last,
					isContinued: index > 0,
					isFirst: false,
					isLast: false,
					// A position is that of the last packet that ends on the page (RFC 3533, 6).
					granule: index < last ? undefined : 0,
				})),
			);
		},
	);
});
