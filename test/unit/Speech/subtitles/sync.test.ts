import type { SpokenWord } from '../../../../emulator/audio/wordTimes';
import { wordTimes } from '../../../../emulator/audio/wordTimes';
import { Dice } from '../../../../emulator/utilities/random';
import type { Place } from '../../../../nodes/Speech/audio/joiner';
import { splitSentences, splitText } from '../../../../nodes/Speech/longText/splitText';
import { cuesOf, type SpokenPart } from '../../../../nodes/Speech/subtitles/cues';
import { longText, SPOKEN_TEXTS } from '../../../fixtures/spokenTexts';
import { cueErrors, type CueErrors } from '../../../integration/Speech/wordTimes';
import { finished } from './finished';

/** How what is heard differs from what the text lets one expect. */
interface Hearing {
	/** Whether silence is heard at all. */
	isDeaf?: boolean;
	/** Whether voices ignore half of the commas, pause elsewhere, and silence is found up to 20 ms too late or early. */
	isOdd?: boolean;
}

const SHORTEST_SILENCE = 0.06;

/** The silence of a text that begins at a time. */
function silencesOf(words: SpokenWord[], start: number, end: number, dice: Dice | undefined): Place[] {
	const edges = [start, ...words.flatMap((word) => [word.startSeconds, word.endSeconds]), end];
	const silences: Place[] = [];
	for (let index = 0; index < edges.length; index += 2) {
		const [startSeconds, endSeconds] = [edges[index], edges[index + 1]];
		const length = endSeconds - startSeconds;
		const isIgnored = dice !== undefined && length < 0.32 && index > 0 && dice.next() < 0.5;
		if (length > SHORTEST_SILENCE && !isIgnored) silences.push({ startSeconds, endSeconds });
	}
	if (!dice) return silences;
	const others = words
		.filter(() => dice.next() < 0.05)
		.map(({ startSeconds, endSeconds }) => {
			const middle = (startSeconds + endSeconds) / 2;
			return { startSeconds: middle - 0.04, endSeconds: middle + 0.04 };
		});
	return [...silences, ...others]
		.sort((one, other) => one.startSeconds - other.startSeconds)
		.map(({ startSeconds, endSeconds }) => ({
			startSeconds: startSeconds + 0.02 * dice.next(),
			endSeconds: endSeconds - 0.02 * dice.next(),
		}));
}

/** How far the cues of a text are from its words, in seconds. */
function errorsOf(
	parts: string[],
	voice: string,
	{ isDeaf = false, isOdd = false }: Hearing = {},
): CueErrors {
	const dice = isOdd ? new Dice('hearing', voice, parts[0]) : undefined;
	let at = 0;
	const known: SpokenWord[] = [];
	const spoken = parts.map((text): SpokenPart => {
		const { seconds, words } = wordTimes({ text, voice, speed: 1 });
		const start = at;
		at += seconds;
		const placed = words.map((word) => ({
			...word,
			startSeconds: start + word.startSeconds,
			endSeconds: start + word.endSeconds,
		}));
		known.push(...placed);
		const silences = isDeaf ? undefined : silencesOf(placed, start, at, dice);
		return { text, startSeconds: start, endSeconds: at, story: 0, silences };
	});
	const cues = finished(cuesOf(spoken)).map(({ lines, ...place }) => ({ ...place, text: lines.join('') }));
	return cueErrors(cues, known);
}

const VOICES = ['Anders', 'Vera', 'Quill'];
const sentences = (text: string) => splitSentences(text, 4096);
const longPart = (text: string) => splitText(longText(text, 3800), 4096);
const starts = (parts: string[], hearing?: Hearing) =>
	VOICES.map((voice) => errorsOf(parts, voice, hearing).starts);

describe.each(Object.entries(SPOKEN_TEXTS))('Subtitles in %s', (_language, text) => {
	it('begin with their words if each sentence is spoken separately', () => {
		for (const { median, maximum } of starts(sentences(text))) {
			expect(median).toBeLessThan(0.01);
			expect(maximum).toBeLessThan(0.4);
		}
	});

	it('begin with their words in a part of several minutes', () => {
		expect(longPart(text)).toHaveLength(1);
		for (const { median, maximum } of starts(longPart(text))) {
			expect(median).toBeLessThan(0.01);
			expect(maximum).toBeLessThan(0.5);
		}
	});

	it('begin with their words if the voice pauses at other places than the text lets one expect', () => {
		for (const { median } of starts(sentences(text), { isOdd: true })) expect(median).toBeLessThan(0.05);
		for (const { median, maximum } of starts(longPart(text), { isOdd: true })) {
			expect(median).toBeLessThan(0.1);
			expect(maximum).toBeLessThan(2);
		}
	});

	it('are roughly in time if no silence can be heard', () => {
		for (const { median } of starts(sentences(text), { isDeaf: true })) expect(median).toBeLessThan(0.35);
		for (const { median } of starts(longPart(text), { isDeaf: true })) expect(median).toBeLessThan(1.2);
	});
});
