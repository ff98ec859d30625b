import fc from 'fast-check';
import { spokenText } from '../../../../nodes/Speech/spokenText/spokenText';

const MARKUP = (
	'* ** *** _ __ ` ``` ~~ ~~~ # [ ![ ] ]( ](u) ( ) < > <b> </b> <br> <li> <p> <think> </think> <!-- --> <td> </td> ' +
	'| |-| --- === - + 1. [1] [^1] 【1】 & amp; &amp; &lt; &gt; &#38; \\ \\* $ $$ { } ^ = \\[ \\] ' +
	'http:// www. x.y a@b.c mailto: 😀 \u200D \uFE0F \u20E3 1️⃣ 🇩 • 一、'
).split(' ');
const WORDS = [
	...'ab1中文हاไ \n\t\r.,!。，"“”:/@%~()（）\0\u00A0\u200C—',
	...[' ', '25', '\n\n', '\n|', '# ', '- ', '1. ', '[1]: http://x', '[^1]: ', '\uD800', '\uE000'],
];
const texts = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.array(fc.constantFrom(...MARKUP, ...WORDS), { maxLength: 60 }).map((all) => all.join('')),
	},
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** Letters and signs of which none makes a link, a tag, a table, code, or a formula. */
const HARMLESS = [...'abcßéЖ中文カ한हाไا0123٣½ \n*_#-+=>.,!?;\'"(){}^%@/。，！？“”《》‌‍🎉', '👩‍👧', '\n\n'];

const spoken = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? [];

describe('Spoken text', () => {
	it('is well-formed and in paragraphs, whatever the text', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const read = spokenText(text);
				expect(read.isWellFormed()).toBe(true);
				expect(read).toMatch(/^$|[\p{L}\p{N}]/u);
				for (const paragraph of read.split('\n\n')) {
					for (const line of paragraph.split('\n')) {
						expect(line === '' && read !== '').toBe(false);
						expect(line).toBe(line.trim());
						expect(line).not.toMatch(/ {2}|[\p{Cc}\p{Co}\p{Emoji_Presentation}]/u);
					}
				}
			}),
			{ numRuns: 3_000 },
		);
	});

	it('is not much longer than the text', () => {
		fc.assert(
			fc.property(texts, (text) => {
				// An item of one letter and its line end become an item with a full stop.
				expect(spokenText(text).length).toBeLessThanOrEqual(2 * text.length + 2);
			}),
			{ numRuns: 3_000 },
		);
	});

	it('has all letters and digits of a text without links, tags, tables, and code', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...HARMLESS), { maxLength: 80 }), (characters) => {
				const text = characters.join('');
				expect(spoken(spokenText(text))).toEqual(spoken(text));
			}),
			{ numRuns: 3_000 },
		);
	});

	it.each([
		['prose in one line', 'One of many words. ', 'One of many words. '],
		['Chinese in one line', '今天天气很好。', '今天天气很好。'],
		['paragraphs', 'One of many words.\n\n', 'One of many words.\n\n'],
		['marks in one line', '**One** of [many](x) words. ', 'One of many words. '],
		['links and their references', '[One][a] of many words.\n\n', 'One of many words.\n\n'],
	])('has all words of a long text: %s', (_what, part, spokenPart) => {
		const read = spokenText(`${part.repeat(20_000)}\n\n[a]: https://a.example`);
		// Not `toBe` with the texts, which would print both.
		expect(read === spokenPart.repeat(20_000).trim()).toBe(true);
	});

	it.each(['>', '1. ', '- * + '])('has the words of a text that is nested too deep: %s', (part) => {
		expect(spokenText(`${part.repeat(50_000)}\n\nOne of many words`)).toContain('One of many words');
	});

	it('has what follows a long code block', () => {
		const code = `\`\`\`js\n${'a();\n\n'.repeat(5_000)}\`\`\``;
		expect(spokenText(`One.\n${code}\nTwo.\n${code}\nThree.`)).toBe('One.\n\nTwo.\n\nThree.');
	});
});

const LENGTH = 50_000;
/** Of processor time: far above what linear work takes, and far below what quadratic work would take. */
const MOST_MICROSECONDS = 4_000_000;

/** Parts of texts, with ␣ and ⏎ for a space and a line end. */
const HOSTILE = (
	'* **a a* _a *a␣**b␣ ~ ~~a ` `< ``a ```⏎ ```a⏎ ~~~⏎ \\ \\* # #␣ #a [ ![ ] ]( [a]( [a](b ](a␣" ](a]( [1] [^ [a]:␣ [a]:␣/⏎ ' +
	'【 【1† [[a](b) < <a <a␣ <a␣x= <a␣x=" </ <!-- <!- <? <think> <div>⏎⏎ <li><p> </td>␣ <td> ␣<br & &amp &amp; &#38; | |␣⏎ ' +
	'|-|⏎ |a|⏎|-|⏎ $ $$ $x^ \\[ \\frac{ { ^ http:// http://( http://a.!. www. a@ mailto: <a@ ( (, ! !- 😀 a😀 \u200D 1️⃣ ' +
	'\uD800 ␣ \t ⏎ ␣⏎ - -␣ -␣⏎ -␣a⏎⏎ ␣␣-␣a⏎ > >␣ >␣-␣ 1.␣ = ---⏎a:␣b⏎ a 中 a␣ 。'
)
	.split(' ')
	.map((part) => part.replaceAll('␣', ' ').replaceAll('⏎', '\n'));

it.each(HOSTILE)('Spoken text of a hostile text takes linear time: %j', (part) => {
	const many = part.repeat(LENGTH / part.length);
	const before = process.cpuUsage();
	for (const text of [many, `x${many}x`, `<${many}x`, `<a ${many}>`, many.replaceAll(part, `x${part} `)]) {
		spokenText(text);
	}
	expect(process.cpuUsage(before).user).toBeLessThan(MOST_MICROSECONDS);
});
