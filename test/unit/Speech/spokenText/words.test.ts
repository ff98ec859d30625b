import { spokenText } from '../../../../nodes/Speech/spokenText/spokenText';

const KEPT = [
	'It costs $5 and $10, €3.50, £1,000, ¥12, or US$5-$10.',
	'$AAPL rose, and it cost $5, or 5$.',
	'HK$5 = ¥4.6 and $1 = ¥7.',
	'Prices rose by 3.5% (+1.2 %), and −3 % or -3 % in May.',
	'It is 25°C, 25 °C, -3 °C, or 77 °F at 10:30.',
	'5 * 3 = 15, 2*3*4 = 24, 2**10, 5 *3, and a*b + c*d.',
	'6 ÷ 2 × 3 ± 1 ≠ 9, x < y, y > z, and x<y and y>z.',
	'C++, C#, F#, AT&T, R&D, snake_case, and Vector<int>.',
	'#1 by @name in § 5, Q&A: 50/50, 1/2, ½, and 24/7.',
	'100 m², 5 µm, 10 Ω, 5′, 20 km/h, ~5 km, and 3–5 kg.',
	'Write to news@example.com or user_name@example.com.',
	'© 2026 Example™, Mr. & Mrs. Lee, v1.2.3, A → B.',
	'f() and print() return arr[0].',
	'《三体》和“引号”、「引号」都保留。',
	'价格￥12，涨幅3.5％，气温25℃，时间10：30；真的吗？！',
	'5~6天，7~8天，一、二、三……',
	'「今日は晴れ。」',
	'نسخه‌ی جدید می‌آید.',
	'क्‍ष और हिंदी १२३।',
	'هذا نص عربي، ١٢٣.',
	'ภาษาไทย ๑๒๓',
	'한국어 문장입니다.',
	'葛\u{E0100}城市',
	'One line\nand another\n\nA paragraph',
	'I <3 you, <your name>',
	'AT&T; and &unknown; stay.',
	'M*A*S*H, x**2, 2**3**4, and a * b',
	'f( ), (;), and [2[a]]',
	'The host mail.www.example.com',
	'A $$ hotel or a $$$ hotel',
	'$my_var and $other_var, $x=$5, and $5 = 5$ here',
	'[one\n\ntwo](three)',
	'Nothing changes here',
];

type Case = [what: string, text: string, expected: string];

const EMOJI: Case[] = [
	['between words', 'Good 🎉 morning', 'Good morning'],
	['before a full stop', 'Good morning 🎉. 早上好 🎉。', 'Good morning. 早上好。'],
	['at the end', 'Good morning! 😀😀 👍🏽', 'Good morning!'],
	['without spaces', 'Good🎉morning!🎉Bye 好🎉的', 'Good morning! Bye 好的'],
	['with joiners', 'A 👩‍👩‍👧 family, a 🏳️‍🌈 flag', 'A family, a flag'],
	['of flags', 'From 🇩🇪 to 🏴󠁧󠁢󠁥󠁮󠁧󠁿!', 'From to!'],
	['in brackets', 'It rains (☔️)', 'It rains'],
	['after a bracket', 'It (😀 really) rains', 'It (really) rains'],
	['between scripts', 'Hi🎉好🎉Hi', 'Hi好Hi'],
	['that are newer than Unicode 15', 'A \u{1FAFD} b', 'A b'],
	['in a heading', '# 🚀 Start', 'Start.'],
	['in Persian text', 'می‌خواهم 😀 بروم', 'می‌خواهم بروم'],
	['with a text selector', 'Sun ☀︎ and heart ❤', 'Sun and heart'],
	['in keycaps', 'Press 5️⃣, then #️⃣, then 🔟', 'Press 5, then, then 10'],
	['made of signs', 'A ©️ ®️ ™️ ‼️ ↔ → ↔️ ➡️', 'A © ® ™ ‼ ↔ →'],
	['that stand alone', '😀\n🎉', ''],
];

const FORMULAS: Case[] = [
	['inline', 'Area $x^2$ and $x$', 'Area x² and x'],
	['with commands', '$\\frac{a}{b} \\times \\alpha \\leq 5$', 'a/b × alpha ≤ 5'],
	['displayed', '$$E = mc^2$$', 'E = mc²'],
	['in brackets', 'So \\(x \\neq y\\) and \\[a^3 = b\\]', 'So x ≠ y and a³ = b'],
	['with units', '$25^\\circ\\text{C}$', '25°C'],
	['with asterisks', '$a*b*c = d$', 'a×b×c = d'],
	['next to prices', '$5 and $x^2$ and $10', '$5 and x² and $10'],
	['of unknown commands', '$\\constructor_1$', 'constructor_1'],
	['without an end', 'From $x^2 on', 'From $x^2 on'],
	['in brackets that do not match', 'a \\[x^2\\) b', 'a [x^2) b'],
];

const HTML: Case[] = [
	['inline tags', '<b>Big</b> <a href="x">news</a><br>It <em>rains</em>', 'Big news\nIt rains'],
	['paragraphs', '<p>One</p><p class="a">Two&nbsp;three</p>', 'One\n\nTwo three'],
	['headings and lists', '<h2>News</h2><ul>\n<li>One</li>\n<li><p>Two</p></li></ul>', 'News.\n\nOne.\nTwo.'],
	['tables', '<table><tr><th>A</th>\n<th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A, B.\n1, 2.'],
	['tags without quotation marks', '<a href=/a/b target=_blank>link</a>', 'link'],
	['images', 'A <img src="a.png" alt="chart">.', 'A.'],
	['comments and declarations', '<!DOCTYPE html><?xml version="1"?>One<!-- no\n\nno -->', 'One'],
	['scripts and styles', '<script>let a;</script>One<style>p {}</style>', 'One'],
	['the thoughts of a model', '<think>\nHm, rain?\n</think>\nIt rains.', 'It rains.'],
	['hidden sections inside others', '<!-- <style> -->One<style>p {}</style>', 'One'],
	['thoughts without an end', '<think>It rains.', 'It rains.'],
	['a section that ends twice', '<!-- a -->One<!-- b -->Two', 'One Two'],
	['attributes without a value', '<details open><summary>More</summary>Text</details>', 'More.\n\nText'],
	['line breaks before a line end', 'One<br>\ntwo', 'One\ntwo'],
	['SSML', '<speak>One<break time="1s"/> two</speak>', 'One two'],
	['powers and indexes', 'm<sup>2</sup>, H<sub>2</sub>O', 'm², H2O'],
	[
		'entities',
		'R&amp;D &lt;5 &#39;a&#39; &#x4e2d; 25&nbsp;&deg;C &euro;5 &Eacute;',
		"R&D <5 'a' 中 25 °C €5 É",
	],
	['entities that hide entities', 'R&amp;amp;D &amp;quot;x&amp;quot;', 'R&D "x"'],
	['entities far inside entities', `&${'amp;'.repeat(50)}lt;5`, '<5'],
	['tags as entities', '&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;', 'One\n\nTwo'],
	['entities out of range', 'a&#0;b&#x110000;c&#xD800;', 'abc'],
	['sections for data', '<![CDATA[One & two]]>', 'One & two'],
	['tags of its own', '<my-tag>One</my-tag> <x/>', '<my-tag>One'],
];

const CHARACTERS: Case[] = [
	['spaces', '  One \t two\u00A0three  ', 'One two three'],
	['line ends', 'One\r\ntwo\rthree\u2028four\u0085five', 'One\ntwo\nthree\nfour\nfive'],
	['blank lines', '\n\nOne\n \n\t\n\nTwo\n\n', 'One\n\nTwo'],
	['silent characters', '\uFEFFNach\u00ADrich\0ten\u0007', 'Nachrichten'],
	['lone surrogates', 'a\uD800b\uDC00c', 'abc'],
	['Chinese indents', '　　今天下雨。\n　　明天晴。', '今天下雨。\n明天晴。'],
];

const END_MARKS: Case[] = [
	['English', '- Rain 雨 in the south', 'Rain 雨 in the south.'],
	['Chinese', '- 使用 TensorFlow 框架', '使用 TensorFlow 框架。'],
	['as many words of both', '- Python 版', 'Python 版。'],
	['Japanese', '- 雨です', '雨です。'],
	['Korean', '- 비가 온다', '비가 온다.'],
	['Arabic', '- مطر', 'مطر.'],
	['Urdu', '- بارش ہے', 'بارش ہے۔'],
	['Hindi', '- बारिश', 'बारिश।'],
	['Thai', '- ฝนตก', 'ฝนตก'],
	['Armenian', '- անձրև', 'անձրև։'],
	['Khmer', '- ភ្លៀង', 'ភ្លៀង។'],
	['Burmese', '- မိုး', 'မိုး။'],
	['Tibetan', '- ཆར་པ', 'ཆར་པ།'],
	['Amharic', '- ዝናብ', 'ዝናብ።'],
	['Russian', '- Дождь', 'Дождь.'],
	['numbers', '- 25', '25.'],
	['signs only', '- (…)\n- →\n- one', '(…)\n→\none.'],
];

describe('Readable text', () => {
	it.each(KEPT)('keeps %s', (text) => {
		expect(spokenText(text)).toBe(text);
	});

	it.each(EMOJI)('has no emoji %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});

	it.each(FORMULAS)('has formulas as plain signs: %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});

	it.each(HTML)('has no HTML: %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});

	it.each(CHARACTERS)('has only characters with a meaning: %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});

	it.each(END_MARKS)('ends items with the full stop of their script: %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});
});
