import fc from 'fast-check';
import { spokenText } from '../../../nodes/Speech/spokenText/spokenText';
import { anyCharacter } from '../../anyCharacter';
import { isLinear } from '../growth';

type Case = [text: string, expected: string];

const HEADINGS: Case[] = [
	['# Markets\nStocks rose.\n## 今日要闻', 'Markets.\n\nStocks rose.\n\n今日要闻。'],
	['# Why now?\nBecause.\n## 结论：\n很好。', 'Why now?\n\nBecause.\n\n结论：\n\n很好。'],
	['##标题\n内容。\n##二\n好。', '标题。\n\n内容。\n\n二。\n\n好。'],
	['Big News\n========\nIt rains.\n\nTwo\nlines\n---\nEnd', 'Big News.\n\nIt rains.\n\nTwo\nlines.\n\nEnd'],
	['**Key points**\nIt rains.\n\n**要点：**\n下雨了。', 'Key points.\n\nIt rains.\n\n要点：\n\n下雨了。'],
	['#\nIt rains.', 'It rains.'],
	['One.\n\n---\n\nTwo.\n***\nThree.\n_ _ _\nFour.\n—━═+\nFive.', 'One.\n\nTwo.\n\nThree.\n\nFour.\nFive.'],
];

const EMPHASIS: Case[] = [
	['*Really* **very** ***big***, _really_ __very__ ___big___.', 'Really very big, really very big.'],
	['**bold *and italic* text** across\n**two\nlines**', 'bold and italic text across\ntwo\nlines'],
	['**“人工智能”**的时代，**注意：**请看', '“人工智能”的时代，注意：请看'],
	['Haus**tür**schlüssel', 'Haustürschlüssel'],
	['这是*重点*内容和_另一个_内容，第**3**季', '这是重点内容和另一个内容，第3季'],
	[
		'**Note: the market\n\nPrice* in euros\n\n*without tax\n\n重*点*中*文',
		'Note: the market\n\nPrice in euros\n\nwithout tax\n\n重点中文',
	],
	['~~$99~~ $79 today, 好的~~谢谢~~~', '$99 $79 today, 好的谢谢'],
	['Run `npm test`, the `<div>` tag, `<!--`, or ``a ` b``.', 'Run npm test, the <div> tag, <!--, or a b.'],
	['5 \\* 3, \\$5 and \\[sic\\], \\*not bold\\*', '5 * 3, $5 and [sic], not bold'],
	['#AI and #新闻 and #今天的话题#', 'AI and 新闻 and 今天的话题'],
	['#2024年度话题# #3月新闻#', '2024年度话题 3月新闻'],
];

const LISTS: Case[] = [
	['- Apples\n- Pears.\n- Plums!\n- 苹果\n- 梨子；', 'Apples.\nPears.\nPlums!\n苹果。\n梨子；'],
	['• One\n•Two\n● 三\n· 四', 'One.\nTwo.\n三。\n四。'],
	[[...'•‣⁃◦▪▫●○■□◆◇▶►➤➢·'].map((bullet) => `${bullet} One`).join('\n'), Array(17).fill('One.').join('\n')],
	['1. Yes\n2.\n3. ![x](y)', '1. Yes.\n2.'],
	['1. First\n2. Second.\n10) Tenth', '1. First.\n2. Second.\n10) Tenth.'],
	['1、经济\n2.科技\n二、体育\n3．天气', '1、经济。\n2.科技。\n二、体育。\n3．天气。'],
	['（三）天气\n（4）其他', '（三）天气。\n（4）其他。'],
	['1. Do:\n   - this\n     - that\n2. Rest\n\n- - Deep', '1. Do:\nthis.\nthat.\n2. Rest.\n\nDeep.'],
	['- [x] Done\n- [ ] Open\n1. [X] Both', 'Done.\nOpen.\n1. Both.'],
	['- One goes\n  on here\n- Two', 'One goes\non here.\nTwo.'],
	['Buy:\n- One\n\n  More of it\n\n- Two', 'Buy:\nOne.\n\nMore of it.\n\nTwo.'],
	['> To be\n> or not.\n> > Two\n>\n> - Three', 'To be\nor not.\nTwo\n\nThree.'],
];

const LINKS: Case[] = [
	['See [the report](https://a.example/b "Title") now.', 'See the report now.'],
	['请看[报告](https://a.example/报告)。', '请看报告。'],
	['[**Bold** link](x), a **[link](x)**', 'Bold link, a link'],
	['[Full][one], [One][], [one].\n\n[one]: https://a.example "T"\n[b]: /a\n[d]: tel:1', 'Full, One, one.'],
	['[Anna]: Hello.\n[Ben]: Hi.', '[Anna]: Hello.\n[Ben]: Hi.'],
	['See <ftp://a.example/b> ‘https://a.example’ (https://a.example; https://b.example).', 'See.'],
	['See <https://a.example/b>, https://a.example/b?c=d#e or www.a.example/b!', 'See, or!'],
	['See ftp://a.example/b.', 'See.'],
	['详情见https://a.example/b，谢谢。', '详情见，谢谢。'],
	['It rains (https://a.example/b_(c)). 下雨（https://a.example）。', 'It rains. 下雨。'],
	['<a_b@c.example>, mailto:d@e.example, mailto:f@g.example', 'a_b@c.example, d@e.example, f@g.example'],
	['Look: ![A chart](chart.png) here. [![Build](b.svg)](x) ![A][c]\n\n[c]: c.png', 'Look: here.'],
	['It rains[1]. It snows [2][13], [1, 20] and [103-105]. Wow![1]', 'It rains. It snows, and. Wow!'],
	['It rains[1，2] here[1、2].', 'It rains here.'],
	['下雨了【1】，下雪了【4:0†source】。', '下雨了，下雪了。'],
	['It rains [1](https://a.example) ([[2]](https://b.example)).', 'It rains.'],
	['It rains[^1] a lot[^2].\n\n[^1]: North\n[^2]: South', 'It rains a lot.\n\nNorth.\nSouth.'],
];

const TABLES: Case[] = [
	[
		'| City | Sky |\n|:---|--:|\n| Rome | clear |\n| Oslo | grey |',
		'City: Rome, Sky: clear.\nCity: Oslo, Sky: grey.',
	],
	['|城市|气温|\n|--|--|\n|北京|25°C|', '城市：北京，气温：25°C。'],
	['City | Sky\n--- | ---\nRome | clear', 'City: Rome, Sky: clear.'],
	['|**City:**|Sky|\n|-|-|\n|[Rome](x)<br>Lazio<br>Italy|`a\\|b`|', 'City: Rome, Lazio, Italy, Sky: a|b.'],
	['|City|Sky|\n|-|-|', 'City, Sky.'],
	['|City|Sky|\n|-|-|\n|Rome.|clear;|\n|||\n||grey|', 'City: Rome, Sky: clear;\nSky: grey.'],
	['|城市|气温|\n|-|-|\n|Rome|25|', '城市：Rome，气温：25。'],
];

const CODE: Case[] = [
	['Run:\n```bash\nnpm test\n```\nDone.', 'Run:\n\nDone.'],
	['~~~\n```\n~~~\nOne.\n````\n```\na\n```\n````\nTwo.', 'One.\n\nTwo.'],
	['```markdown\n# Title\n*Text*\n```', 'Title.\n\nText'],
	[
		'```txt\nOne.\n```\n```md\nTwo.\n```\n```plaintext\nThree.\n```\n```text\nFour.\n```',
		'One.\n\nTwo.\n\nThree.\n\nFour.',
	],
	['One.\n```js\nTwo.', 'One.\n\nTwo.'],
	['One:\n\n    Two.\n\n~~~js\nThree.', 'One:\n\nTwo.\n\nThree.'],
	['```\ncode\n```', ''],
];

const HTML: Case[] = [
	['<b>Big</b> <a href=/x title="a > b">news</a><br>\nIt <em>rains</em>', 'Big news\nIt rains'],
	['<p>One</p><p class="a">\n    Two&nbsp;**three**\n</p>', 'One\n\nTwo three'],
	['<h6>News</h6><ul>\n  <li><p>One</p></li>\n  <li><p>Two</p></li></ul>', 'News.\n\nOne.\n\nTwo.'],
	['<details open><summary>More</summary>\n\n- **Text**\n</details>', 'More.\n\nText.'],
	['<!DOCTYPE html>A<!-- no\n\nno --> <img alt="b"> <![CDATA[c & d]]>', 'A c & d'],
	['<script>let a;\n\nlet b;</script>One<style>p {}</style><!-- a -->Two', 'One Two'],
	['<think>\nHm,\n\nrain?\n</think>\nIt rains.', 'It rains.'],
	['<think>It rains.', ''],
	['Sun. <think>Hm</think> Rain. <think>Ok</think> Snow.', 'Sun. Rain. Snow.'],
	['m<sup>2</sup>, m<sup>3</sup>, H<sub>2</sub>O', 'm², m³, H2O'],
	[
		'<tr><th>Rome</th> <td>clear</td><td>20 °C</td></tr><dl><dt>Oslo<dd>grey</dl>',
		'Rome, clear, 20 °C.\n\nOslo.\ngrey.',
	],
	['<font color="red">Hi<o:p/> there', 'Hi there'],
	['<address>A</address>B<blockquote>C</blockquote>D<pre>E</pre>F', 'A\n\nB\n\nC\n\nD\n\nE\n\nF'],
	['R&amp;D &lt;5 &#39;a&#39; &#x4f60; 25&nbsp;&deg;C&nbsp;&euro;5 &Eacute;', "R&D <5 'a' 你 25 °C €5 É"],
	[
		'&lsquo;a&rsquo; &sbquo;b &ldquo;c&rdquo; &bdquo;d &lsaquo;e&rsaquo; &laquo;f&raquo; &quot;g&quot; h&hellip; i&ndash;j&mdash;k &sect;1 &copy; &reg; &trade; &cent; &pound; &yen; &micro;m &frac12; 2&times;3&divide;4 &plusmn;5 &minus;6 a&rarr;b &middot; &gt;',
		'‘a’ ‚b “c” „d ‹e› «f» "g" h… i–j—k §1 © ® ™ ¢ £ ¥ µm ½ 2×3÷4 ±5 −6 a→b · >',
	],
	['&iexcl;a &iquest;b &szlig;&aelig;&AElig;&oslash;&Oslash; نسخه&zwnj;ی', '¡a ¿b ßæÆøØ نسخه‌ی'],
	['&ntilde;&auml;&ccedil;&aring;&egrave;&ocirc;', 'ñäçåèô'],
	['a&#0;b&#x110000;c&#xD800;', 'abc'],
	['R&#38;amp;D &#x26;lt;', 'R&D <'],
	["<a href='x > y'>news</a>", 'news'],
	['A\n<thinking>\nB', 'A\n\nB'],
	...[
		...['article', 'aside', 'body', 'caption', 'center', 'details', 'div', 'dl', 'fieldset', 'figcaption'],
		...['figure', 'footer', 'form', 'head', 'header', 'html', 'legend', 'main', 'nav', 'ol', 'option', 'p'],
		...['section', 'table', 'tbody', 'tfoot', 'thead', 'title', 'ul'],
	].map((name): Case => [`A<${name}>B</${name}>C`, 'A\n\nB\n\nC']),
	['A<hr>B', 'A\n\nB'],
];

const EMOJI: Case[] = [
	['Good 🎉 morning!🎉Bye 好🎉的', 'Good morning! Bye 好的'],
	['Good morning 🎉. 早上好 🎉。It rains (☔️)', 'Good morning. 早上好。It rains'],
	['“🎉 Hi” ‘🎉 Hi’ so 🎉… مرحبا 🎉؟ 1️⃣2️⃣ #️⃣ A ↔️ B', '“Hi” ‘Hi’ so… مرحبا؟ 12 A B'],
	['A 👩‍👩‍👧 family, a 🏳️‍🌈 flag from 🇩🇪 or 🏴󠁧󠁢󠁥󠁮󠁧󠁿! می‌خواهم 😀 بروم', 'A family, a flag from or! می‌خواهم بروم'],
	['# 🚀 Start\n\n**🎯 Goal**\nText', 'Start.\n\nGoal.\n\nText'],
	['✅ Done\n🔹 Open', 'Done\nOpen'],
	['😀\n🎉', ''],
];

const CHARACTERS: Case[] = [
	['  One \t two\u00A0three  \n　　今天下雨。', 'One two three\n今天下雨。'],
	['One\r\ntwo\rthree\u2028four\u0085five\n \n\t\n\nSix\n\n', 'One\ntwo\nthree\nfour\nfive\n\nSix'],
	['\uFEFFNach\u00ADrich\0ten\u0007 a\uD800b\uDC00c', 'Nachrichten abc'],
];

const END_MARKS: Case[] = [
	['- Rain 雨 in the south', 'Rain 雨 in the south.'],
	['- 使用 TensorFlow 框架\n- Python 版', '使用 TensorFlow 框架。\nPython 版。'],
	['- 雨です', '雨です。'],
	['- 비가 온다', '비가 온다.'],
	['- مطر', 'مطر.'],
	['- بارش ہے', 'بارش ہے۔'],
	['- बारिश', 'बारिश।'],
	['- ฝนตก', 'ฝนตก'],
	['- անձրև', 'անձրև։'],
	['- বৃষ্টি\n- ਮੀਂਹ\n- ବର୍ଷା\n- ຝົນ\n- ភ្លៀង', 'বৃষ্টি।\nਮੀਂਹ।\nବର୍ଷା।\nຝົນ\nភ្លៀង។'],
	['- မိုး\n- ཆར\n- ዝናብ\n- 雨が降る ہے', 'မိုး။\nཆར།\nዝናብ።\n雨が降る ہے。'],
	[
		'- 《你。》\n- «Hi!»\n- a⋯\n- b，\n- c、\n- d～\n- e؟\n- f،',
		'《你。》\n«Hi!»\na⋯\nb，\nc、\nd～\ne؟\nf،',
	],
];

const KEPT = [
	'It costs $5 and $10, €3.50, £1,000, ¥12, or US$5-$10.',
	'$AAPL rose, and it cost $5, or 5$.',
	'Prices rose by 3.5% (+1.2 %), and −3 % or -3 % in May.',
	'It is 25°C, 25 °C, -3 °C, or 77 °F at 10:30.',
	'5 * 3 = 15, 2*3*4 = 24, 2**10, 5 *3, and a*b + c*d.',
	'6 ÷ 2 × 3 ± 1 ≠ 9, x < y, y > z, and x<y and y>z.',
	'C++, C#, F#, AT&T, R&D, snake_case, and Vector<int>.',
	'#1 by @name in § 5, Q&A: 50/50, 1/2, ½, and 24/7.',
	'100 m², 5 µm, 10 Ω, 5′, 20 km/h, ~5 km, and 3–5 kg.',
	'Write to news@example.com or user_name@example.com.',
	'© 2026 Example™, Mr. & Mrs. Lee, v1.2.3, A → B ↔ C ℹ.',
	'f(,) and print() return arr[0].',
	'《三体》和“引号”、「引号」都保留。',
	'价格￥12，涨幅3.5％，气温25℃，时间10：30；真的吗？！',
	'「今日は晴れ。」',
	'نسخه‌ی جدید می‌آید.',
	'क्‍ष और हिंदी १२३।',
	'هذا نص عربي، ١٢٣.',
	'ภาษาไทย ๑๒๓',
	'한국어 문장입니다.',
	'One line\nand another\n\nA paragraph',
	'A $$ hotel or a $$$ hotel',
	'$my_var and $other_var, $x=$5, and $5 = 5$ here',
	'The [2024] list[0] in [0, 1], [sic], 【快讯】今天下雨',
];

describe('Spoken text', () => {
	it.each(
		Object.entries({
			...{ HEADINGS, EMPHASIS, LISTS, LINKS, TABLES, CODE },
			...{ HTML, EMOJI, CHARACTERS, END_MARKS },
		}).flatMap(([group, cases]) => cases.map(([text, expected]) => ({ group, text, expected }))),
	)('is what a listener needs: $group, $text', ({ text, expected }) => {
		expect(spokenText(text)).toBe(expected);
	});

	it.each(KEPT)('keeps %s', (text) => {
		expect(spokenText(text)).toBe(text);
	});
});

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
	{ weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
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
				expect(read).not.toMatch(/\n{3}|^\n|\n$/);
				for (const line of read.split('\n')) {
					expect(line).toBe(line.trim());
					expect(line).not.toMatch(/ {2}|[\p{Cc}\p{Co}\p{Emoji_Presentation}]/u);
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	it('has all letters and digits of a text without links, tags, tables, and code', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...HARMLESS), { maxLength: 80 }), (characters) => {
				const text = characters.join('');
				expect(spoken(spokenText(text))).toEqual(spoken(text));
			}),
			{ numRuns: 1_000 },
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

	it('has neither code nor a new paragraph of a long text because it is read in sections', () => {
		expect(spokenText(`\`\`\`js\n${'a\n\n'.repeat(3_000)}\`\`\`\nOne.`)).toBe('One.');
		const lines = 'One line\n'.repeat(700).trim();
		expect(spokenText(lines)).toBe(lines);
	});

	it.each(['>', '1. ', '- * + '])('has the words of a text that is nested too deep: %s', (part) => {
		expect(spokenText(`${part.repeat(50_000)}\n\nOne of many words`)).toContain('One of many words');
	});
});

const LENGTH = 2_000;

/** Parts of texts, with ␣ and ⏎ for a space and a line end. */
const HOSTILE = (
	'*␣ *a␣**b␣ _a a* ~~ ` ```a⏎ \\ #␣ ! !- [ ](b [a](b [1] [^ [a]:␣/⏎ 【 【1† < <? <a␣x=" <!-- <think> <li><p> </td>␣ & &amp |␣⏎ ' +
	'|a|⏎|-|⏎ $x^ \\[ { http://( www. a@ (, 😀 1️⃣ ␣⏎ -␣a⏎⏎ ␣␣-␣a⏎ >␣ ---⏎ a␣中'
)
	.split(' ')
	.map((part) => part.replaceAll('␣', ' ').replaceAll('⏎', '\n'));

it.each(HOSTILE)('Spoken text of a hostile text takes linear time: %j', (part) => {
	const speak = (length: number) => {
		const many = part.repeat(length / part.length);
		const others = [`x${many}x`, `<${many}x`, `<a ${many}>`, many.replaceAll(part, `x${part} `)];
		for (const text of [many, ...others]) spokenText(text);
	};
	expect(isLinear(LENGTH, speak)).toBe(true);
});
