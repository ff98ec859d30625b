import { wordTimes, type SpokenWord } from '../../../../emulator/audio/wordTimes';
import { splitSentences, splitText } from '../../../../nodes/Speech/longText/splitText';
import { cuesOf, type SpokenPart } from '../../../../nodes/Speech/subtitles/cues';
import { longText, SPOKEN_TEXTS } from '../../../fixtures/spokenTexts';

const letters = (text: string) => [...text.replace(/[^\p{L}\p{N}\p{M}]/gu, '')];

/** How far the cues begin from their first words, in seconds, in ascending order. */
function errorsOf(parts: string[], voice: string): number[] {
	let at = 0;
	const spoken: SpokenPart[] = [];
	/** The word of each letter. */
	const words: SpokenWord[] = [];
	for (const text of parts) {
		const { seconds, words: own } = wordTimes({ text, voice, speed: 1 });
		for (const word of own) {
			const placed = { ...word, startSeconds: at + word.startSeconds };
			words.push(...letters(word.text).map(() => placed));
		}
		spoken.push({ text, startSeconds: at, endSeconds: at + seconds, story: 0 });
		at += seconds;
	}
	let index = 0;
	const errors = cuesOf(spoken).map(({ startSeconds, lines }) => {
		const first = words[index];
		index += letters(lines.join('')).length;
		return Math.abs(startSeconds - first.startSeconds);
	});
	expect(index).toBe(words.length);
	return errors.sort((one, other) => one - other);
}

const median = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)];

describe.each(Object.entries(SPOKEN_TEXTS))('Subtitles in %s', (language, text) => {
	const voices = ['Anders', 'Vera', 'Quill'];

	it('begin with their words, within 50 ms, if each sentence is spoken separately', () => {
		for (const voice of voices) {
			const errors = errorsOf(splitSentences(text, 4096), voice);
			// Sentences that need several cues are estimated in between. Thai has no marks that end sentences.
			if (language === 'Thai') continue;
			const whole = errors.filter((error) => error <= 0.05).length / errors.length;
			expect(whole).toBeGreaterThanOrEqual(0.5);
			expect(errors.at(-1)).toBeLessThan(0.4);
		}
	});

	it('stay close to their words, within a second, in a part of several minutes', () => {
		const parts = splitText(longText(text, 3800), 4096);
		expect(parts).toHaveLength(1);
		for (const voice of voices) expect(median(errorsOf(parts, voice))).toBeLessThan(0.8);
	});
});
