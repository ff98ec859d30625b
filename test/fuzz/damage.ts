import fc from 'fast-check';

/** What happens to bytes on their way. */
interface Damage {
	at: number;
	how: 'cut' | 'flip' | 'insert' | 'remove' | 'repeat';
	byte: number;
}

const one: fc.Arbitrary<Damage> = fc.record({
	at: fc.nat(),
	how: fc.constantFrom('cut', 'flip', 'insert', 'remove', 'repeat'),
	byte: fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\ 0-e\n\r\0\xff')), fc.nat({ max: 255 })),
});

/** Damages to bytes, mostly one or two. */
export const damages: fc.Arbitrary<Damage[]> = fc.array(one, { minLength: 1, maxLength: 4 });

/** Bytes with all damages. */
export function damaged(bytes: Buffer, all: Damage[]): Buffer {
	return all.reduce((before, { at, how, byte }) => {
		const place = at % (before.length + 1);
		const [head, rest] = [before.subarray(0, place), before.subarray(place)];
		if (how === 'cut') return head;
		if (how === 'insert') return Buffer.concat([head, Buffer.of(byte), rest]);
		if (how === 'repeat') return Buffer.concat([head, rest.subarray(0, byte), rest]);
		const changed = how === 'flip' && rest.length > 0 ? Buffer.of(rest[0] ^ (byte || 1)) : Buffer.alloc(0);
		return Buffer.concat([head, changed, rest.subarray(1)]);
	}, bytes);
}

/** Sizes of chunks; the last one repeats. */
export const chunkSizes: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 60 }), {
	minLength: 1,
	maxLength: 20,
});

/** Bytes in chunks of these sizes. */
export function* inChunks(bytes: Buffer, sizes: number[]): Generator<Buffer> {
	let from = 0;
	for (let index = 0; from < bytes.length; index++) {
		const size = sizes[Math.min(index, sizes.length - 1)];
		yield bytes.subarray(from, from + size);
		from += size;
	}
}
