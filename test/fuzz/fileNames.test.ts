import fc from 'fast-check';
import { fileNameFrom, firstWords } from '../../nodes/shared/files/storeFile';
import { hostileText } from './hostileValues';

const PIECES = [
	...'./\\:*?"<| -~$\0',
	...['CON', 'nul', 'com1', 'LPT¹', '..', 'x', 'é', 'e\u0301', '👩‍👩‍👧', '\ud800', '\u202e', 'ﷺ'],
	...['字'.repeat(90), 'a'.repeat(300), '\u0301'.repeat(200), '𝒳'.repeat(100)],
];
const about = fc
	.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, hostileText), { maxLength: 8 })
	.map((pieces) => pieces.join(''));

/** What no system takes as the name of a file. */
const FORBIDDEN = [
	/[<>:"/\\|?*\p{Cc}\p{Cs}]/u,
	/^[.\s-]|[.\s]$/,
	// Windows reserves these names.
	/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i,
];
const MAX_BYTES = 255;

it('A file name is valid on every system, whatever the file is about', () => {
	const property = fc.property(about, fc.boolean(), (text, isLong) => {
		const fileName = fileNameFrom(isLong ? firstWords(text) : text, 'file', 'mp3');
		expect(FORBIDDEN.filter((pattern) => pattern.test(fileName))).toEqual([]);
		expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(MAX_BYTES);
	});
	fc.assert(property, { numRuns: 1_000 });
});
