import fc from 'fast-check';
import { fileNameFrom, firstWords } from '../../nodes/shared/files/storeFile';
import { firstSentence, splitText } from '../../nodes/Speech/splitText';
import { hostileText } from './hostileValues';
import { property, type Property } from './property';

const PIECES = [
	...[
		'. ',
		'。',
		'!? ',
		'...',
		'\n\n',
		'\r\n \r\n',
		', ',
		' ',
		'"',
		') ',
		'Dr. ',
		'e.g. ',
		'\t',
		'؟ ',
		': — ',
	],
	...['word', 'Wort', '文字', '👩‍👩‍👧', 'e\u0301', '\ud83d', '\ude00', 'a'.repeat(30), '。'.repeat(20)],
];
const text = fc
	.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, hostileText), { maxLength: 40 })
	.map((pieces) => pieces.join(''));

const NAME_PIECES = [
	...[
		'CON',
		'nul',
		'com1',
		'LPT¹',
		'.',
		'..',
		'/',
		'\\',
		':',
		'*',
		'?',
		'"',
		'<',
		'|',
		' ',
		'-',
		'~',
		'$',
		'\0',
	],
	...[
		'é',
		'e\u0301',
		'字'.repeat(90),
		'👩‍👩‍👧',
		'\ud800',
		'a'.repeat(300),
		'\u0301'.repeat(200),
		'𝒳'.repeat(100),
	],
	...['\u202e', 'ﷺ', 'x'],
];
const name = fc
	.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAME_PIECES) }, hostileText), { maxLength: 8 })
	.map((pieces) => pieces.join(''));

const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i;
const MAX_NAME_BYTES = 255;

function expectFileName(fileName: string): void {
	const problems = [
		/[<>:"/\\|?*\p{Cc}\p{Cs}]/u.test(fileName) && 'has forbidden characters',
		/^[.\s-]|[.\s]$/.test(fileName) && 'begins or ends wrongly',
		RESERVED.test(fileName) && 'is reserved on Windows',
		Buffer.byteLength(fileName) > MAX_NAME_BYTES && 'is too long',
	].filter(Boolean);
	if (problems.length > 0) throw new Error(`${JSON.stringify(fileName)} ${problems.join(', ')}`);
}

const withoutSpaces = (one: string) => one.replace(/\s+/g, '');

export const textProperties: Property[] = [
	property(
		'is split into parts that fit and lose nothing',
		[text, fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(500, 4096))],
		(whole, limit) => {
			const parts = splitText(whole, limit);
			// A pair of surrogates exceeds a limit of 1.
			const long = parts.find((part) => part.length > Math.max(limit, 2) || part.trim() === '');
			if (long !== undefined) throw new Error(`A part has ${long.length} characters`);
			if (withoutSpaces(parts.join('')) !== withoutSpaces(whole)) throw new Error('A part is lost');
			if (parts.length > whole.length) throw new Error('There are too many parts');
		},
	),
	property('begins with a sentence that fits', [text, fc.integer({ min: 2, max: 80 })], (whole, limit) => {
		const sentence = firstSentence(whole, limit);
		if (sentence.length > Math.max(limit, 3)) throw new Error(`It has ${sentence.length} characters`);
	}),
	property(
		'is a valid name on every system',
		[name, fc.constantFrom('mp3', 'png', 'bin'), fc.boolean()],
		(about, extension, isLong) => {
			expectFileName(fileNameFrom(isLong ? firstWords(about) : about, 'file', extension));
		},
	),
];
