import fc from 'fast-check';
import {
	type Cue,
	cuesOf as stepsToCues,
	LINE_WIDTH,
	type SpokenPart,
	widthOf,
	srt,
	webVtt,
} from '../../../nodes/Speech/subtitles';

const part = (text: string, endSeconds = text.length / 10): SpokenPart => ({
	text,
	startSeconds: 0,
	endSeconds,
});
const cuesOf = (parts: SpokenPart[]): Cue[] => {
	const steps = stepsToCues(parts);
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
};
const linesOf = (text: string) => cuesOf([part(text)]).map(({ lines }) => lines);
const shown = (cues: Cue[]) =>
	cues
		.flatMap(({ lines }) => lines)
		.join('')
		.replace(/\s/gu, '');

describe('Subtitles', () => {
	it.each([
		[
			'English',
			'Good morning! Today is Monday, and the markets rose by 3.5 % after the central bank – for the first time in many years – lowered its rates. Dr. Lee said: "We are glad."',
			[
				['Good morning!'],
				['Today is Monday, and the markets rose', 'by 3.5 % after the central bank –'],
				['for the first time in many years –', 'lowered its rates.'],
				['Dr. Lee said: "We are glad."'],
			],
		],
		[
			'Chinese',
			'央行多年来首次降息，股市上涨了3.5%，投资者对此表示欢迎，但也有专家提醒，短期的上涨并不意味着经济已经全面复苏。真的吗？',
			[
				['央行多年来首次降息，', '股市上涨了3.5%，投资者对此表示欢迎，'],
				['但也有专家提醒，', '短期的上涨并不意味着经济已经全面复苏。'],
				['真的吗？'],
			],
		],
		[
			'Japanese',
			'東京では雨が降っていますが、午後には晴れるでしょう。気温は25度です。',
			[['東京では雨が降っていますが、', '午後には晴れるでしょう。'], ['気温は25度です。']],
		],
		['Hindi', 'सुप्रभात। आज सोमवार है।', [['सुप्रभात।'], ['आज सोमवार है।']]],
		[
			'Thai',
			'วันนี้อากาศดีมากและตลาดหุ้นปรับตัวสูงขึ้นหลังจากธนาคารกลางลดอัตราดอกเบี้ย',
			[['วันนี้อากาศดีมากและตลาดหุ้นปรับตัวสูง', 'ขึ้นหลังจากธนาคารกลางลดอัตราดอกเบี้ย']],
		],
		['Chinese with English', '今天 OpenAI 发布了 GPT-5.1 模型。', [['今天 OpenAI 发布了 GPT-5.1 模型。']]],
		['Spanish', '¿Qué tal? ¡Buenos días, España!', [['¿Qué tal?'], ['¡Buenos días, España!']]],
	])('in %s have whole sentences, or parts of them, in at most two lines', (_language, text, expected) => {
		expect(linesOf(text)).toEqual(expected);
	});

	it.each([
		['as much time to equal sentences', 'One two three. One two three.', 0.5],
		['more time to a longer one', 'One two three. One two three four five six.', 0.39],
		['more time to pauses', '“One,” “two,” three. One two three.', 0.59],
		['more time to numbers and signs', '50 % + 2 = $500. One two three.', 0.76],
		['more time to Chinese characters', '一二三四五六七。One two three.', 0.62],
		['more time to letters that are syllables', 'こんにちは。One two three.', 0.51],
		['as much time to letters of other alphabets', 'Жи Ωμ Ար გა สวัสดีครับ. One two three.', 0.57],
	])('give %s', (_what, text, share) => {
		expect(cuesOf([part(text, 10)])[1].startSeconds / 10).toBeCloseTo(share, 2);
	});

	it('fill a line of 42 columns, of which wide characters take two', () => {
		expect(cuesOf([part('Nothing is heard.', 0)])).toEqual([]);
		const line = 'Good morning to all of you in our old city';
		expect([line, `${line}!`].map((text) => linesOf(text)[0].length)).toEqual([1, 2]);
		expect(['한', '🎉', 'Ａ', '。', 'e\u0301', 'ها\u200c', 'かカ'].map(widthOf)).toEqual([
			2, 2, 2, 2, 1, 2, 4,
		]);
	});

	it('begin anew with each line of a text', () => {
		expect(linesOf('First verse\nSecond verse')).toEqual([['First verse'], ['Second verse']]);
	});
});

const PIECES =
	'Hello|world,|Dr. Lee|3.5 %|今天天气很好。|“引号”|สวัสดีครับ|مرحبا|नमस्ते।|👩‍👩‍👧|e\u0301|(a)|—|...|-->'.split('|');
/** Texts of all kinds, with what is hard about them. */
const text = fc
	.array(
		fc.oneof(
			fc.constantFrom(...PIECES, '\n\n', 'x'.repeat(50)),
			fc.string({ unit: 'grapheme', maxLength: 8 }),
		),
		{ maxLength: 60 },
	)
	.map((words) => words.join(' '));
const parts = fc
	.array(fc.tuple(text, fc.double({ min: 0, max: 30, noNaN: true }), fc.constantFrom(0, 0.7)), {
		maxLength: 5,
	})
	.map((all) => {
		let at = 0;
		return all.map(([words, seconds, pause]): SpokenPart => {
			const spoken = { text: words, startSeconds: at, endSeconds: at + seconds };
			at += seconds + pause;
			return spoken;
		});
	});

describe('All subtitles', () => {
	it('have at most two lines that fit, in order, without an overlap, and never of two parts', () => {
		fc.assert(
			fc.property(parts, (all) => {
				let last = 0;
				const cues = cuesOf(all);
				const isHeard = (one: SpokenPart) =>
					one.endSeconds > one.startSeconds && /[\p{L}\p{N}]/u.test(one.text);
				expect(cues.length > 0 || !all.some(isHeard)).toBe(true);
				for (const { startSeconds, endSeconds, lines } of cues) {
					expect(startSeconds).toBeGreaterThanOrEqual(last - 1e-9);
					expect(endSeconds).toBeGreaterThanOrEqual(startSeconds - 1e-9);
					last = endSeconds;
					expect(lines.length === 1 || lines.length === 2).toBe(true);
					expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(LINE_WIDTH);
					const shownText = lines.join('').replace(/\s/gu, '');
					expect(all.some((one) => one.text.replace(/\s/gu, '').includes(shownText))).toBe(true);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('show each character of a text that is spoken', () => {
		fc.assert(
			fc.property(text, (words) => {
				fc.pre(/[\p{L}\p{N}]/u.test(words));
				expect(shown(cuesOf([part(words, 30)]))).toBe(words.replace(/\s/gu, ''));
			}),
			{ numRuns: 300 },
		);
	});

	it.each(['👍🏽', '中', '! '])('come of 50,000 pieces, too: %j', (piece) => {
		const cues = cuesOf([part(piece.repeat(50_000), 100)]);
		expect(cues.length).toBeGreaterThan(500);
		const times = cues.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);
		expect(times.every(Number.isFinite)).toBe(true);
		expect(Math.max(...cues.flatMap(({ lines }) => lines.map(widthOf)))).toBeLessThanOrEqual(LINE_WIDTH);
	});
});

const CUES: Cue[] = [
	{ startSeconds: 0, endSeconds: 1.2345, lines: ['Good morning!'] },
	// What ends a cue, or is no character.
	{
		startSeconds: 3661.5,
		endSeconds: 3662.9996,
		lines: ['a << b && c >>\r\nd\0e\u2028', 'f \ud83d \ud83d --> --> g'],
	},
];

describe('A subtitle file', () => {
	it('is SRT with numbers, commas, and line breaks of Windows', () => {
		expect(srt(CUES)).toBe(
			'1\r\n00:00:00,000 --> 00:00:01,235\r\nGood morning!\r\n\r\n2\r\n01:01:01,500 --> 01:01:03,000\r\na << b && c >> d e \r\nf \ufffd \ufffd → → g\r\n',
		);
	});

	it('is WebVTT with escaped marks', () => {
		expect(webVtt(CUES)).toBe(
			'WEBVTT\n\n00:00:00.000 --> 00:00:01.235\nGood morning!\n\n01:01:01.500 --> 01:01:03.000\na &lt;&lt; b &amp;&amp; c &gt;&gt; d e \nf \ufffd \ufffd → → g\n',
		);
	});
});
