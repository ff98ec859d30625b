import { spokenText } from '../../../../nodes/Speech/spokenText/spokenText';

const ENGLISH_ANSWER = `
# 🌍 Morning Briefing — *Monday*

Good morning! Here are the **three** stories you asked for:

1. **Gold** rose by 3.5% to $2,345.60 an ounce [1](https://news.example/gold).
2. **Weather**: 25 °C in the south, −3 °C in the mountains [2][3]
3. _Sport_: The final ended 3:2 ⚽

## Prices at a glance 📈

| Metal  | Price      | Change |
|:-------|-----------:|:------:|
| Gold   | **$2,345** | +3.5%  |
| Silver | $29.10     | −0.4%  |

> "We did not expect this," said Ann Lee of AT&T.

\`\`\`json
{ "gold": 2345.6 }
\`\`\`

---

**Bottom line**
Rates stay between 4% and 5%, see [the chart](https://a.example/c_(1).png "Chart").

- [x] Checked by @desk
- [ ] Read it at <https://news.example>

![Gold chart](gold.png)

[3]: https://weather.example "Weather"
`;

const ENGLISH_EXPECTED = `Morning Briefing — Monday.

Good morning! Here are the three stories you asked for:

1. Gold rose by 3.5% to $2,345.60 an ounce.
2. Weather: 25 °C in the south, −3 °C in the mountains.
3. Sport: The final ended 3:2.

Prices at a glance.

Metal: Gold, Price: $2,345, Change: +3.5%.
Metal: Silver, Price: $29.10, Change: −0.4%.

"We did not expect this," said Ann Lee of AT&T.

Bottom line.

Rates stay between 4% and 5%, see the chart.

Checked by @desk.
Read it at.`;

const CHINESE_ANSWER = `
好的！以下是为您整理的**今日早报** 📰：

### 一、财经
- **黄金**：上涨3.5%，报每盎司$2,345.60【1】
- **汇率**：1美元兑7.1元人民币（来自[外汇网](https://fx.example/usd)）

### 二、天气 🌤️
今天北京晴，25°C～30°C，详情见https://weather.example/beijing。

| 城市 | 天气 | 气温 |
| --- | --- | --- |
| 北京 | 晴 ☀️ | 25°C |
| 上海 | 小雨 | 22°C |

### 三、读书
推荐《三体》，作者说：“**想象力**是无穷的。”【2:0†书评.pdf】

> 提示：使用 \`npm start\` 查看示例

~~~python
print("不读代码")
~~~

#早报# 祝您愉快~~ 😊
`;

const CHINESE_EXPECTED = `好的！以下是为您整理的今日早报：

一、财经。

黄金：上涨3.5%，报每盎司$2,345.60。
汇率：1美元兑7.1元人民币（来自外汇网）。

二、天气。

今天北京晴，25°C～30°C，详情见。

城市：北京，天气：晴，气温：25°C。
城市：上海，天气：小雨，气温：22°C。

三、读书。

推荐《三体》，作者说：“想象力是无穷的。”

提示：使用 npm start 查看示例

早报 祝您愉快`;

const REASONED_ANSWER = `<think>
The user wants *two* steps. 😀
</think>

\`\`\`markdown
**Step 1:** Mix $x^2$ grams of salt with 5 * 3 grams of sugar[^1].

**Step 2:** Set the oven to 180&nbsp;&deg;C for 10:30 minutes.

[^1]: Brown sugar also works
\`\`\``;

const REASONED_EXPECTED = `Step 1: Mix x² grams of salt with 5 * 3 grams of sugar.

Step 2: Set the oven to 180 °C for 10:30 minutes.

Brown sugar also works.`;

const FEED_ENTRY =
	'&lt;p&gt;&lt;img src="https://a.example/1.jpg" alt="Harbor" /&gt;The &lt;strong&gt;harbor&lt;/strong&gt; of R&amp;amp;D Bay &lt;a href="https://a.example"&gt;reopens&lt;/a&gt;.&lt;/p&gt;\n' +
	'&lt;ul&gt;&lt;li&gt;Ferries from 6:15 a.m.&lt;/li&gt;&lt;li&gt;Tickets: &#36;12 &amp;ndash; &#36;15&lt;/li&gt;&lt;/ul&gt;&lt;!-- ad --&gt;';

const FEED_EXPECTED = `The harbor of R&D Bay reopens.

Ferries from 6:15 a.m.
Tickets: $12 – $15.`;

const BILINGUAL_POST = `🚀 New release v2.0 | 新版本发布
✅ Faster: 3× speed
✅ 更省电：功耗降低 20%
❌ No more ads!

👉 Download: https://app.example/get?id=1 (www.app.example)
Contact: help@app.example 📧`;

const BILINGUAL_EXPECTED = `New release v2.0 | 新版本发布。
Faster: 3× speed.
更省电：功耗降低 20%。
No more ads!

Download:
Contact: help@app.example.`;

describe('Spoken text', () => {
	it.each([
		['an English answer of a model', ENGLISH_ANSWER, ENGLISH_EXPECTED],
		['a Chinese answer of a model', CHINESE_ANSWER, CHINESE_EXPECTED],
		['an answer with thoughts and in a code block', REASONED_ANSWER, REASONED_EXPECTED],
		['an entry of a feed', FEED_ENTRY, FEED_EXPECTED],
		['a post in two languages', BILINGUAL_POST, BILINGUAL_EXPECTED],
	])('is what a presenter would read of %s', (_what, text, expected) => {
		expect(spokenText(text)).toBe(expected);
	});
});
