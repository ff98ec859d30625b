import fc from 'fast-check';

/** Code points that are no characters, but halves of characters in UTF-16. */
const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/** Any character of Unicode. fast-check's unit `binary` takes 2.5 s and 90 MB when it is used for the first time. */
export const anyCharacter: fc.Arbitrary<string> = fc
	.integer({ min: 0, max: LAST - SURROGATES.count })
	.map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count));
