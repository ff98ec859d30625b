import { spokenText } from '../../../../nodes/Speech/spokenText/spokenText';

type Case = [what: string, text: string, expected: string];

const HEADINGS: Case[] = [
	['a heading', '# Markets\nStocks rose.', 'Markets.\n\nStocks rose.'],
	['a Chinese heading', '## 今日要闻\n股市上涨。', '今日要闻。\n\n股市上涨。'],
	['a heading with marks at its end', '### Weather ###', 'Weather.'],
	['a heading that ends with a sharp', '# Learn C#', 'Learn C#.'],
	['a heading with a mark of its own', '# Why now?\nBecause.', 'Why now?\n\nBecause.'],
	['a heading with a colon', '## 结论：\n很好。', '结论：\n\n很好。'],
	['a heading without a space', '##标题\n内容。', '标题。\n\n内容。'],
	['a heading underlined with =', 'Big News\n========\nIt rains.', 'Big News.\n\nIt rains.'],
	['a heading underlined with -', 'Two\nlines\n---\nIt rains.', 'Two\nlines.\n\nIt rains.'],
	['a bold line as a heading', '**Key points**\nIt rains.', 'Key points.\n\nIt rains.'],
	['a bold line with a colon', '**要点：**\n下雨了。', '要点：\n\n下雨了。'],
	['an empty heading', '#\nIt rains.', 'It rains.'],
	['a rule', 'One.\n\n---\n\nTwo.', 'One.\n\nTwo.'],
	['rules of other marks', 'One.\n***\nTwo.\n_ _ _\nThree.\n————\nFour.', 'One.\n\nTwo.\n\nThree.\n\nFour.'],
];

const EMPHASIS: Case[] = [
	['emphasis with asterisks', 'This is *really* **very** ***big***.', 'This is really very big.'],
	['emphasis with underscores', 'This is _really_ __very__ ___big___.', 'This is really very big.'],
	['nested emphasis', '**bold *and italic* text**', 'bold and italic text'],
	['emphasis across lines', 'A **long\nword** here.', 'A long\nword here.'],
	['bold text next to Chinese marks', '**“人工智能”**的时代，**注意：**请看', '“人工智能”的时代，注意：请看'],
	['emphasis inside Chinese', '这是*重点*内容和_另一个_内容', '这是重点内容和另一个内容'],
	['bold text inside a word', 'Haus**tür**schlüssel', 'Haustürschlüssel'],
	['emphasis without an end', '**Note: the market', 'Note: the market'],
	['bold text with spaces inside', 'A ** bold ** word', 'A bold word'],
	['strikethrough marks', '~~$99~~ $79 today', '$99 $79 today'],
	['tildes for a tone', '好的~~谢谢~~', '好的谢谢'],
	['inline code', 'Run `npm test` or ``a ` b``.', 'Run npm test or a b.'],
	['tags as inline code', 'The `<div>` and `</a>` tags', 'The div and a tags'],
	['escaped marks', '5 \\* 3, \\$5 and \\[sic\\]', '5 * 3, $5 and [sic]'],
	['escaped emphasis', '\\*not bold\\*', 'not bold'],
	['hard breaks', 'One  \ntwo\\\nthree', 'One\ntwo\nthree'],
	['a footnote asterisk', 'Price* in euros\n\n*without tax', 'Price in euros\n\nwithout tax'],
	['an asterisk before a product', '*note: 5 * 3 = 15', 'note: 5 * 3 = 15'],
	['an asterisk after a product', 'Total: 5 * 3*', 'Total: 5 * 3'],
	['a third asterisk', '重*点*中*文', '重点中*文'],
	['a line of marks', 'One\n**\ntwo', 'One\ntwo'],
	['hashtags', '#AI and #新闻 and #话题#', 'AI and 新闻 and 话题'],
];

const LISTS: Case[] = [
	['bullets', '- Apples\n* Pears\n+ Plums!', 'Apples.\nPears.\nPlums!'],
	['Chinese bullets', '- 苹果\n- 梨子；\n- 李子', '苹果。\n梨子；\n李子。'],
	['bullets of other texts', '• One\n•Two\n● 三\n· 四', 'One.\nTwo.\n三。\n四。'],
	['numbers', '1. First\n2. Second.\n10) Tenth', '1. First.\n2. Second.\n10) Tenth.'],
	[
		'Chinese numbers',
		'1、经济\n2.科技\n二、体育\n（三）天气\n（4）其他',
		'1、经济。\n2.科技。\n二、体育。\n（三）天气。\n（4）其他。',
	],
	['nested lists', '- Fruit\n  - Apples\n    - Green\n- Bread', 'Fruit.\nApples.\nGreen.\nBread.'],
	['a list inside a numbered one', '1. Do:\n   - this\n   - that\n2. Rest', '1. Do:\nthis.\nthat.\n2. Rest.'],
	['tasks', '- [x] Done\n- [ ] Open\n1. [X] Both', 'Done.\nOpen.\n1. Both.'],
	['a bullet in a bullet', '- - - Deep', 'Deep.'],
	['items of several lines', '- One goes\n  on here\n- Two', 'One goes\non here.\nTwo.'],
	['loose lists', '- One\n\n- Two', 'One.\n\nTwo.'],
	['items with quotation marks', '- “你好”\n- He said "hello"\n- (No.)', '“你好”。\nHe said "hello".\n(No.)'],
	['items that end with a comma', '- one,\n- two;\n- three', 'one,\ntwo;\nthree.'],
	['a list after a paragraph', 'Buy:\n- milk', 'Buy:\nmilk.'],
	['emoji as bullets', '✅ Done\n🔹 Open', 'Done.\nOpen.'],
	['keycaps as numbers', '1️⃣ First\n2️⃣ 第二\n1️⃣0️⃣ Tenth', '1. First.\n2. 第二。\n10. Tenth.'],
	['an empty item', 'One\n- \n- milk', 'One\nmilk.'],
	['an item of marks', 'Buy\n\n- **\n- milk', 'Buy\n\nmilk.'],
	['an empty item in a paragraph', 'One\n-\ntwo', 'One\ntwo'],
	['a heading in an item', '- # Title', 'Title.'],
];

const QUOTATIONS: Case[] = [
	['a quotation', '> To be\n> or not.', 'To be\nor not.'],
	['nested quotations', '> One\n> > Two\n>>> Three', 'One\nTwo\nThree'],
	['a list in a quotation', '> - One\n> - Two', 'One.\nTwo.'],
	['a quotation in a list', '- > One', 'One.'],
	['paragraphs in a quotation', '> One.\n>\n> Two.', 'One.\n\nTwo.'],
	['a note of GitHub', '> [!NOTE]\n> Take care.', 'NOTE.\n\nTake care.'],
];

const LINKS: Case[] = [
	['a link', 'See [the report](https://a.example/b "Title") now.', 'See the report now.'],
	['a link with brackets in its address', '[Mercury](https://a.example/Mercury_(planet)).', 'Mercury.'],
	['a link with an address in angle brackets', '[It](<a b.html>) rains.', 'It rains.'],
	['a Chinese link', '请看[报告](https://a.example/报告)。', '请看报告。'],
	['emphasis in a link', '[**Bold** link](x)', 'Bold link'],
	['a link in emphasis', 'A **[link](x)**', 'A link'],
	['brackets in a link', '[a [b] c](x)', 'a [b] c'],
	['references', '[Full][one], [One][], [one].\n\n[one]: https://a.example "T"', 'Full, One, one.'],
	['a definition in angle brackets', 'See [it].\n\n[it]: <https://a.example>', 'See it.'],
	['what is no definition', '[Anna]: Hello.', '[Anna]: Hello.'],
	['an autolink', 'See <https://a.example/b> now.', 'See now.'],
	['a URL', 'See https://a.example/b?c=d#e.', 'See.'],
	['a URL before Chinese text', '详情见https://a.example/b，谢谢。', '详情见，谢谢。'],
	['a URL with "www."', 'See www.a.example/b!', 'See!'],
	['a URL in brackets', 'It rains (https://a.example/b). 下雨（https://a.example）。', 'It rains. 下雨。'],
	['a URL with brackets', 'It (https://a.example/b_(c)) rains', 'It rains'],
	['a URL as the text of a link', '[https://a.example](https://a.example) says so', 'says so'],
	['a list of URLs', 'Sources:\n1. https://a.example\n2. https://b.example', 'Sources:'],
	['a host without a scheme', 'Shop at a.example today.', 'Shop at a.example today.'],
	['e-mail addresses', '<a_b@c.example>, mailto:d@e.example', 'a_b@c.example, d@e.example'],
	['an image', 'Look: ![A chart](chart.png) here.', 'Look: here.'],
	['a linked image', '[![Build](b.svg)](https://a.example) It rains.', 'It rains.'],
	['an image by reference', '![A chart][c]\n\n[c]: c.png', ''],
];

const CITATIONS: Case[] = [
	['a citation', 'It rains[1]. It snows [2][3].', 'It rains. It snows.'],
	['several numbers', 'It rains [1, 2] and snows [3-5].', 'It rains and snows.'],
	['full-width citations', '下雨了【1】，下雪了【4:0†source】。', '下雨了，下雪了。'],
	['a linked citation', 'It rains [1](https://a.example) ([[2]](https://b.example)).', 'It rains.'],
	['a citation after an exclamation', 'Wow![1]', 'Wow!'],
	['a footnote', 'It rains[^1].\n\n[^1]: In the north', 'It rains.\n\nIn the north.'],
	['numbers of sources', '[1] First source\n【2】第二个来源', '1. First source.\n2. 第二个来源。'],
	['years and indexes in brackets', 'The [2024] list[0] in [0, 1]', 'The [2024] list[0] in [0, 1]'],
	['words in brackets', '[sic] and 【快讯】今天下雨', '[sic] and 【快讯】今天下雨'],
];

const TABLES: Case[] = [
	[
		'a table',
		'| City | Sky |\n|---|---|\n| Rome | clear |\n| Oslo | grey |',
		'City: Rome, Sky: clear.\nCity: Oslo, Sky: grey.',
	],
	['alignments', '|City|Sky|\n|:--|:-:|\n|Rome|clear|', 'City: Rome, Sky: clear.'],
	['a Chinese table', '|城市|气温|\n|--|--|\n|北京|25°C|', '城市：北京，气温：25°C。'],
	['a table without pipes at its edges', 'City | Sky\n--- | ---\nRome | clear', 'City: Rome, Sky: clear.'],
	['marks in cells', '|**City:**|Sky|\n|-|-|\n|[Rome](x).|`a\\|b`|', 'City: Rome, Sky: a|b.'],
	['empty cells', '|City|Sky|\n|-|-|\n||grey|\n|Oslo||', 'Sky: grey.\nCity: Oslo.'],
	['a table with names only', '|City|Sky|\n|-|-|', 'City, Sky.'],
	['a table without a line of hyphens', '|Rome|clear|\n|Oslo|grey|', 'Rome, clear.\nOslo, grey.'],
	['several lines of hyphens', '|City|\n|-|\n|Rome|\n|-|\n|Oslo|', 'City: Rome.\nCity: Oslo.'],
	['a line of hyphens above', '|--|\n|--|\n|Rome|', 'Rome.'],
	['line breaks in cells', '|City|\n|-|\n|Rome<br>Italy|', 'City: Rome, Italy.'],
	['text around a table', 'Now:\n|City|\n|-|\n|Rome|\nEnd.', 'Now:\n\nCity: Rome.\n\nEnd.'],
	['what is no table', 'Today | Weather', 'Today | Weather'],
];

const CODE: Case[] = [
	['a code block', 'Run:\n```bash\nnpm test\n```\nDone.', 'Run:\n\nDone.'],
	['a code block of tildes', '~~~\n```\n~~~\nDone.', 'Done.'],
	['a longer fence', '````\n```\na\n```\n````\nDone.', 'Done.'],
	['a fence in a code block', '```\n~~~\na\n```\nOne.', 'One.'],
	['the beginning of a fence in a code block', '```\n```js\na\n```\nDone.', 'Done.'],
	['a code block in a list', '- One\n  ```\n  a\n  ```\n- Two', 'One.\n\nTwo.'],
	['a code block in a quotation', '> ```\n> a\n> ```\nDone.', 'Done.'],
	['Markdown in a code block', '```markdown\n# Title\n**Text**\n```', 'Title.\n\nText.'],
	['a fence that nothing closes', 'One.\n```js\nTwo.', 'One.\n\nTwo.'],
	['a code block only', '```\ncode\n```', ''],
	['indented lines', '    Not code.', 'Not code.'],
	['front matter after blank lines', '\n\n---\na: b\n---\nIt rains.', 'It rains.'],
	['front matter', '---\ntitle: News\ntags:\n  - a\n---\nIt rains.', 'It rains.'],
	['front matter in TOML', '+++\ntitle = "News"\n+++\nIt rains.', 'It rains.'],
	['a dialogue between rules', '---\nHost: Welcome.\n---\nIt rains.', 'Host: Welcome.\n\nIt rains.'],
];

describe.each([
	['Headings and rules', HEADINGS],
	['Emphasis', EMPHASIS],
	['Lists', LISTS],
	['Quotations', QUOTATIONS],
	['Links', LINKS],
	['Citations', CITATIONS],
	['Tables', TABLES],
	['Code', CODE],
])('%s of a readable text', (_name, cases) => {
	it.each(cases)('are read as a listener needs them: %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});
});
