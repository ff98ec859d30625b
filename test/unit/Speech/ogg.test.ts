import fc from 'fast-check';
import { oggPageAt, OggWriter } from '../../../nodes/Speech/audio/ogg';

function pagesOf(bytes: Buffer) {
	const pages = [];
	for (let offset = 0; offset < bytes.length;) {
		const page = oggPageAt(bytes, offset);
		if (!page) throw new Error(`No page at byte ${offset}`);
		pages.push({ ...page, number: bytes.readUInt32LE(offset + 18), segments: bytes[offset + 26] });
		offset += page.length;
	}
	return pages;
}

const PAGE_BYTES = 255 * 255;

describe('A header packet of an Ogg stream', () => {
	it('of any length is written on as few pages as possible, and ends on the last one', () => {
		const lengths = fc.oneof(
			fc.nat({ max: 400_000 }),
			fc.constantFrom(0, 1, 254, 255, 256, 300_000),
			fc
				.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -1, max: 1 }))
				.map(([pages, more]) => pages * PAGE_BYTES + more),
		);
		fc.assert(
			fc.property(lengths, (length) => {
				const packet = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
				const writer = new OggWriter(7);
				const first = writer.page([Buffer.from('OpusHead')], 0);
				const pages = pagesOf(Buffer.concat([first, ...writer.headerPages(packet)])).slice(1);
				const last = pages.length - 1;
				expect(pages).toHaveLength(Math.floor(length / PAGE_BYTES) + 1);
				expect(Buffer.concat(pages.flatMap(({ pieces }) => pieces)).equals(packet)).toBe(true);
				expect(pages.map(({ number }) => number)).toEqual(pages.map((_, index) => index + 1));
				expect(pages.map(({ continues }) => continues)).toEqual(pages.map((_, index) => index < last));
				expect(pages.map(({ isContinued }) => isContinued)).toEqual(pages.map((_, index) => index > 0));
				// A position is that of the last packet that ends on the page (RFC 3533, 6).
				expect(pages.map(({ granule }) => granule)).toEqual(
					pages.map((_, index) => (index < last ? undefined : 0)),
				);
				for (const { isFirst, isLast, segments } of pages) {
					expect([isFirst, isLast]).toEqual([false, false]);
					expect(segments).toBeGreaterThan(0);
				}
			}),
			{ numRuns: 60 },
		);
	});
});
