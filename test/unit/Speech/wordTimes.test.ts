import { cueErrors, wordsInFile } from '../../integration/Speech/wordTimes';

const words = [
	{ text: 'Good', startSeconds: 0.1, endSeconds: 0.3 },
	{ text: 'news', startSeconds: 0.3, endSeconds: 0.6 },
	{ text: '4.5 %', startSeconds: 1, endSeconds: 1.5 },
	{ text: 'more', startSeconds: 2, endSeconds: 2.4 },
];
const cue = (text: string, startSeconds: number, endSeconds: number) => ({ text, startSeconds, endSeconds });

describe('The errors of cues', () => {
	it('are the distances of their edges from their first and last words', () => {
		const { starts, ends } = cueErrors(
			[cue('“Good\nnews!”', 0, 0.9), cue('4.5 %', 0.9, 1.5), cue('more.', 1.5, 2.4)],
			words,
		);
		expect(starts.count).toBe(3);
		expect(starts.median).toBeCloseTo(0.1);
		expect(starts.maximum).toBeCloseTo(0.5);
		// The end of the last cue does not count, because no cue follows.
		expect(ends.count).toBe(2);
		expect(ends.median).toBeCloseTo(0);
		expect(ends.maximum).toBeCloseTo(0.3);
	});

	it('do not count the end of a cue that no other follows at once', () => {
		const { ends } = cueErrors([cue('Good news 4.5%', 0.1, 1.6), cue('more', 2, 2.4)], words);
		expect(ends).toEqual({ count: 0, median: 0, maximum: 0 });
	});

	it('are measured within a word if a cue begins there', () => {
		const { starts, ends } = cueErrors([cue('Go', 0.1, 0.2), cue('od news 4.5 % more', 0.2, 2.4)], words);
		expect(starts.maximum).toBeCloseTo(0);
		expect(ends.maximum).toBeCloseTo(0);
		expect(ends.count).toBe(1);
	});

	it.each([
		['other words', [cue('Bad news 4.5 % more', 0, 2)]],
		['words in another order', [cue('more', 0, 1), cue('Good news 4.5 %', 1, 2)]],
		['too few words', [cue('Good news', 0, 1)]],
		['too many words', [cue('Good news 4.5 % more and more', 0, 1)]],
		['a cue without words', [cue('Good news 4.5 % more', 0, 1), cue('…', 1, 2)]],
	])('do not exist for %s', (_what, cues) => {
		expect(() => cueErrors(cues, words)).toThrow();
	});
});

describe('The words of a joined file', () => {
	const speech = { text: 'Good', voice: 'Sunny', seconds: 0.5, words: words.slice(0, 1) };

	it('are where their part is', () => {
		const [first, second] = wordsInFile([
			{ speech, atSeconds: 0 },
			{ speech, atSeconds: 10 },
		]);
		expect(first).toEqual(words[0]);
		expect(second.startSeconds).toBeCloseTo(10.1);
		expect(second.endSeconds).toBeCloseTo(10.3);
	});

	it('are unknown if the emulator did not time them', () => {
		expect(() => wordsInFile([{ speech: { ...speech, words: null }, atSeconds: 0 }])).toThrow('Good');
	});
});
