import fc from 'fast-check';

/** What happens to bytes on their way: so many at a place are replaced. */
interface Damage {
	at: number;
	removed: number;
	inserted: Uint8Array;
}

const byte = fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\ 0-e\n\r\0\xff')), fc.nat({ max: 255 }));

/** Damages to bytes, mostly one or two. */
export const damages: fc.Arbitrary<Damage[]> = fc.array(
	fc.record({
		at: fc.nat(),
		removed: fc.constantFrom(0, 0, 1, Number.POSITIVE_INFINITY),
		inserted: fc.array(byte, { maxLength: 2 }).map((bytes) => Uint8Array.from(bytes)),
	}),
	{ minLength: 1, maxLength: 4 },
);

/** Bytes with all damages. */
export function damaged(bytes: Buffer, all: Damage[]): Buffer {
	return all.reduce((before, { at, removed, inserted }) => {
		const place = at % (before.length + 1);
		return Buffer.concat([before.subarray(0, place), inserted, before.subarray(place + removed)]);
	}, bytes);
}

/** Sizes of chunks; the last one repeats. */
export const chunkSizes: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 60 }), {
	minLength: 1,
	maxLength: 20,
});
