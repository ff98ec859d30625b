import fc from 'fast-check';
import { spokenText } from '../../../../nodes/Speech/spokenText/spokenText';

const MARKUP = [
	...[
		'*',
		'**',
		'***',
		'_',
		'__',
		'`',
		'```',
		'~~',
		'~~~',
		'# ',
		'#',
		'[',
		'![',
		']',
		'](',
		'](u)',
		'(',
		')',
	],
	...['<', '>', '<b>', '</b>', '<br>', '<li>', '<p>', '<think>', '</think>', '<!--', '-->', '<td>', '</td>'],
	...['|', '\n|', '|-|', '---', '===', '- ', '+ ', '1. ', '[1]', '[^1]', '[1]: http://x', '【1】', '[^1]: '],
	...[
		'&',
		'amp;',
		'&amp;',
		'&lt;',
		'&gt;',
		'&#38;',
		'\\',
		'\\*',
		'$',
		'$$',
		'{',
		'}',
		'^',
		'=',
		'\\[',
		'\\]',
	],
	...[
		'http://',
		'www.',
		'x.y',
		'a@b.c',
		'mailto:',
		'😀',
		'\u200D',
		'\uFE0F',
		'\u20E3',
		'1️⃣',
		'🇩',
		'•',
		'一、',
	],
];
const WORDS = [
	...[
		'a',
		'b',
		'1',
		'25',
		'中',
		'文',
		'ह',
		'ا',
		'ไ',
		' ',
		' ',
		'\n',
		'\n\n',
		'\t',
		'\r',
		'.',
		',',
		'!',
		'。',
		'，',
	],
	...['"', '“', '”', ':', '/', '@', '%', '~', '(', ')', '（', '）', '\0', '\uD800', '\u00A0', '\u200C', '—'],
];
const texts = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.array(fc.constantFrom(...MARKUP, ...WORDS), { maxLength: 60 }).map((all) => all.join('')),
	},
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** Letters and signs of which none makes a link, a tag, a table, code, or a formula. */
const HARMLESS = [
	...'abcßéЖ中文カ한हाไا0123٣½',
	...' \n*_#-+=>.,!?;\'"(){}^%@/。，！？“”《》‌‍',
	'🎉',
	'👩‍👧',
	'\n\n',
];

const spoken = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? [];

describe('Readable text', () => {
	it('stays as it is when it is made readable again', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const readable = spokenText(text);
				expect(spokenText(readable)).toBe(readable);
			}),
			{ numRuns: 5_000 },
		);
	});

	it('is well-formed and in paragraphs, whatever the text', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const readable = spokenText(text);
				expect(readable.isWellFormed()).toBe(true);
				expect(readable).toMatch(/^$|[\p{L}\p{N}]/u);
				for (const paragraph of readable.split('\n\n')) {
					for (const line of paragraph.split('\n')) {
						expect(line === '' && readable !== '').toBe(false);
						expect(line).toBe(line.trim());
						expect(line).not.toMatch(/ {2}|[\p{Cc}\p{Emoji_Presentation}]/u);
					}
				}
			}),
			{ numRuns: 5_000 },
		);
	});

	it('has all letters and digits of a text without links, tags, tables, and code', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...HARMLESS), { maxLength: 80 }), (characters) => {
				const text = characters.join('');
				expect(spoken(spokenText(text))).toEqual(spoken(text));
			}),
			{ numRuns: 5_000 },
		);
	});

	it('has no mark of what hides marks again and again', () => {
		const depth = 50;
		expect(spokenText(`${'<'.repeat(depth)}${'b>'.repeat(depth)}c`)).toMatch(/^(b )+c$/);
	});
});

const LENGTH = 100_000;
/** Of processor time: far above what linear work takes, and far below what quadratic work would take. */
const MOST_MICROSECONDS = 4_000_000;

const HOSTILE = [
	...['*', '**a', 'a*', '_', '~', '`', '`<', '```\n', '```a\n', '~~~\n', '\\', '\\*', '#', '# ', '#a'],
	...[
		'[',
		'![',
		']',
		'](',
		'[a](',
		'](a "',
		'](a](',
		'[1]',
		'[^',
		'[a]: ',
		'[a]: /\n',
		'【',
		'【1†',
		'[[a](b)',
	],
	...['<', '<a', '<a ', '<a x=', '<a x="', '</', '<!--', '<think>', '<li><p>', '</td> ', '  <br', '<td>'],
	...[
		'&',
		'&amp',
		'&amp;',
		'&#38;',
		'#38;',
		'|',
		'| \n',
		'|-|\n',
		'$',
		'$$',
		'$x^',
		'\\[',
		'\\frac{',
		'{',
		'^',
	],
	...[
		'http://',
		'http://(',
		'www.',
		'a@',
		'mailto:',
		'<a@',
		'(',
		'(,',
		'😀',
		'a😀',
		'\u200D',
		'1️⃣',
		'\uD800',
	],
	...[
		' ',
		'\t',
		'\n',
		' \n',
		'-',
		'- ',
		'> ',
		'1. ',
		'=',
		'---\na: b\n---\n',
		'---\na: b\n',
		'a',
		'中',
		'a ',
		'。',
	],
];

describe('Readable text of a hostile text', () => {
	it.each(HOSTILE)('takes linear time: %j', (part) => {
		const many = part.repeat(LENGTH / part.length);
		const before = process.cpuUsage();
		for (const text of [many, `x${many}x`, `<${many}x`, `<a ${many}>`, many.replaceAll(part, `x${part} `)]) {
			spokenText(text);
		}
		expect(process.cpuUsage(before).user).toBeLessThan(MOST_MICROSECONDS);
	});

	it.each(HOSTILE)('stays as it is when it is made readable again: %j', (part) => {
		const readable = spokenText(part.repeat(5_000));
		// Not `toBe` with the texts, which would print both.
		expect(spokenText(readable) === readable).toBe(true);
	});
});
