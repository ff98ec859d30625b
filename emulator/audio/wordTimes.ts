import { Dice } from '../utilities/random';
import type { Utterance } from './speech';
import { syllablesPerSecond } from './spoken/language';
import { type Gap, spokenWords, type Word } from './spoken/words';

/** A word and when it is spoken. */
export interface SpokenWord {
	text: string;
	startSeconds: number;
	endSeconds: number;
}

/** When each word of a text is spoken. */
export interface SpokenText {
	seconds: number;
	words: SpokenWord[];
}

/** Silence in seconds at the start and the end of an utterance. */
export interface Silence {
	start: number;
	end: number;
}

/** Shortest and longest pause in seconds. */
const pauses: Readonly<Record<Gap, readonly [number, number]>> = {
	none: [0, 0],
	mark: [0.02, 0.08],
	comma: [0.2, 0.3],
	colon: [0.25, 0.4],
	sentence: [0.4, 0.6],
	paragraph: [0.7, 1],
};
/** How many syllables the last syllable before a pause is longer. */
const lengthening: Readonly<Record<Gap, number>> = {
	none: 0,
	mark: 0,
	comma: 0.25,
	colon: 0.3,
	sentence: 0.45,
	paragraph: 0.45,
};
/** Shortest and longest silence in seconds. */
const usualSilence = { start: [0.1, 0.25], end: [0.2, 0.4] } as const;
/** The largest deviation, as a share. */
const deviation = { voice: 0.1, word: 0.15 };
/** In languages with stress, words of up to three letters are mostly unstressed. */
const stress = { short: 0.85, other: 1.03 };
const withStress: ReadonlySet<string> = new Set(['english', 'german', 'russian', 'spanish']);

const between = (dice: Dice, [low, high]: readonly [number, number]) => low + dice.next() * (high - low);
const around = (dice: Dice, share: number) => 1 + (2 * dice.next() - 1) * share;

function wordSeconds(word: Word, dice: Dice): number {
	const isShort = word.text.length <= 3 && !/\d/.test(word.text);
	const weight = withStress.has(word.language) ? (isShort ? stress.short : stress.other) : 1;
	const syllables = word.syllables * weight + lengthening[word.gap];
	return (syllables / syllablesPerSecond[word.language]) * around(dice, deviation.word);
}

/**
 * When a person would speak each word of a text: by its syllables, with pauses at punctuation, a little faster or slower
 * from word to word and from voice to voice. The same utterance is always spoken in the same way.
 * @param silence what is given of it does not depend on text, voice, or speed
 */
export function wordTimes({ text, voice, speed }: Utterance, silence: Partial<Silence> = {}): SpokenText {
	const tempo = speed * around(new Dice('tempo', voice), deviation.voice);
	const ends = new Dice('silence', voice, text);
	const words: SpokenWord[] = [];
	const read = spokenWords(text);
	const usual = {
		start: between(ends, usualSilence.start) / tempo,
		end: between(ends, usualSilence.end) / tempo,
	};
	let seconds = silence.start ?? usual.start;
	read.forEach((word, index) => {
		const dice = new Dice('word', voice, word.text, index);
		const endSeconds = seconds + wordSeconds(word, dice) / tempo;
		words.push({ text: word.text, startSeconds: seconds, endSeconds });
		const isLast = index === read.length - 1;
		seconds = endSeconds + (isLast ? 0 : between(dice, pauses[word.gap]) / tempo);
	});
	return { seconds: seconds + (silence.end ?? usual.end), words };
}
