import fc from 'fast-check';
import { type Cue, cuesOf as stepsToCues, type SpokenPart } from '../../../../nodes/Speech/subtitles/cues';
import { LINE_WIDTH } from '../../../../nodes/Speech/subtitles/lines';
import { widthOf } from '../../../../nodes/Speech/subtitles/words';
import { finished } from './finished';

const part = (text: string, seconds = text.length / 10): SpokenPart => ({
	text,
	startSeconds: 0,
	endSeconds: seconds,
	story: 0,
});
const cuesOf = (parts: SpokenPart[]) => finished(stepsToCues(parts));
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
		[
			'Korean',
			'오늘은 날씨가 맑겠습니다. 기온은 25도까지 오르겠습니다.',
			[['오늘은 날씨가 맑겠습니다.'], ['기온은 25도까지 오르겠습니다.']],
		],
		[
			'Arabic',
			'صباح الخير. ارتفعت الأسواق اليوم بنسبة ثلاثة في المئة.',
			[['صباح الخير.'], ['ارتفعت الأسواق اليوم بنسبة ثلاثة في المئة.']],
		],
		['Hebrew', 'בוקר טוב. היום יום שני.', [['בוקר טוב.'], ['היום יום שני.']]],
		[
			'German',
			'Guten Morgen! Das Wetter bleibt heute, z. B. in Köln, freundlich.',
			[['Guten Morgen!'], ['Das Wetter bleibt heute,', 'z. B. in Köln, freundlich.']],
		],
		['Russian', 'Доброе утро! Сегодня понедельник.', [['Доброе утро!'], ['Сегодня понедельник.']]],
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

	it('begin with their part, and stay a little longer in a pause', () => {
		const cues = cuesOf([
			{ text: 'Yes.', startSeconds: 1, endSeconds: 1.4, story: 0 },
			{ text: 'A second story that begins later.', startSeconds: 5, endSeconds: 7, story: 1 },
		]);
		expect(cues.map(({ startSeconds }) => startSeconds)).toEqual([1, 5]);
		expect(cues[0].endSeconds).toBeCloseTo(2, 6);
	});

	it('stay no longer than the sound, and not into the next story', () => {
		const [first, last] = cuesOf([
			{ text: 'Yes.', startSeconds: 0, endSeconds: 0.4, story: 0 },
			{ text: 'No.', startSeconds: 0.6, endSeconds: 1.2, story: 1 },
		]);
		expect(first.endSeconds).toBeLessThanOrEqual(0.6);
		expect(last.endSeconds).toBeLessThanOrEqual(1.2);
	});

	it('show a very short sentence together with the next one of its story', () => {
		const spoken = (story: number) => [
			{ text: '早上好！', startSeconds: 0, endSeconds: 0.6, story: 0 },
			{ text: '今天是星期一。', startSeconds: 0.6, endSeconds: 2, story },
		];
		expect(cuesOf(spoken(0))).toEqual([
			{ startSeconds: expect.any(Number), endSeconds: expect.any(Number), lines: ['早上好！今天是星期一。'] },
		]);
		expect(cuesOf(spoken(1)).map(({ lines }) => lines)).toEqual([['早上好！'], ['今天是星期一。']]);
		const english = [part('Yes.', 0.4), { ...part('We can.', 1), startSeconds: 0.4 }];
		expect(cuesOf(english).map(({ lines }) => lines)).toEqual([['Yes. We can.']]);
	});

	it.each([
		['as much time to equal sentences', 'One two three. One two three.', 0.5],
		['more time to a longer one', 'One two three. One two three four five six.', 0.39],
		['more time to pauses', 'One, two, three. One two three.', 0.59],
		['more time to numbers', '2,345,678. One two three.', 0.7],
		['more time to Chinese characters', '一二三四五六七。One two three.', 0.62],
		['more time to letters that are syllables', 'こんにちは。One two three.', 0.51],
	])('give %s', (_what, text, share) => {
		expect(cuesOf([part(text, 10)])[1].startSeconds / 10).toBeCloseTo(share, 2);
	});
});

/** Texts of all kinds, with what is hard about them. */
const text = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				'Hello',
				'world,',
				'Dr. Lee',
				'3.5 %',
				'今天天气很好。',
				'“引号”',
				'สวัสดีครับ',
				'مرحبا',
				'नमस्ते।',
				'👩‍👩‍👧',
				'e\u0301',
				'(a)',
				'—',
				'...',
				'\n\n',
				'-->',
				'x'.repeat(50),
			),
			fc.string({ unit: 'grapheme', maxLength: 8 }),
		),
		{ maxLength: 60 },
	)
	.map((words) => words.join(' '));
const parts = fc
	.array(fc.tuple(text, fc.double({ min: 0, max: 30, noNaN: true }), fc.boolean()), { maxLength: 5 })
	.map((all) => {
		let at = 0;
		let story = 0;
		return all.map(([words, seconds, isNext]): SpokenPart => {
			if (isNext) story += 1;
			const startSeconds = at;
			at += seconds;
			const spoken = { text: words, startSeconds, endSeconds: at, story };
			at += isNext ? 0.7 : 0;
			return spoken;
		});
	});

/** What is spoken, as far as it takes any time. */
const textOf = (all: SpokenPart[]) =>
	all
		.filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds)
		.map((one) => one.text.replace(/\s/gu, ''))
		.join('');

describe('All subtitles', () => {
	it('have at most two lines that fit, in order, without an overlap, and never of two stories', () => {
		fc.assert(
			fc.property(parts, (all) => {
				let last = 0;
				for (const { startSeconds, endSeconds, lines } of cuesOf(all)) {
					expect(startSeconds).toBeGreaterThanOrEqual(last - 1e-9);
					expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
					last = endSeconds;
					expect(lines.length === 1 || lines.length === 2).toBe(true);
					for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(LINE_WIDTH);
					const isInOne = [...new Set(all.map(({ story }) => story))].some((story) =>
						textOf(all.filter((one) => one.story === story)).includes(lines.join('').replace(/\s/gu, '')),
					);
					expect(isInOne).toBe(true);
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

	it.each([
		['letters without a space', 'x'.repeat(100_000)],
		['punctuation', '!'.repeat(100_000)],
		['emoji', '👍🏽'.repeat(25_000)],
		['combining marks', `a${'\u0301'.repeat(100_000)}`],
		['Chinese without punctuation', '中'.repeat(100_000)],
		['halves of characters', '\ud800 '.repeat(50_000)],
	])('come of 100,000 characters, too: %s', (_name, long) => {
		for (const { startSeconds, endSeconds, lines } of cuesOf([part(long, 100)])) {
			expect(Number.isFinite(startSeconds) && Number.isFinite(endSeconds)).toBe(true);
			for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(LINE_WIDTH);
		}
	});

	it('are none for parts that have no length or no words', () => {
		expect(
			cuesOf([part('Hello.', 0), part('', 5), part(' \n ', 5), { ...part('Hi.'), endSeconds: -1 }]),
		).toEqual([]);
	});
});
