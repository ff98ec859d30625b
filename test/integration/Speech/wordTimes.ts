import type { SpeechRecord } from '../../../emulator';

/** A word and when it is in a file, as the emulator knows it. */
export interface KnownWord {
	text: string;
	startSeconds: number;
	endSeconds: number;
}

/** A cue of a subtitle file. Line breaks in its text do not matter. */
export interface TimedText {
	text: string;
	startSeconds: number;
	endSeconds: number;
}

/** Distances in seconds. */
export interface EdgeErrors {
	count: number;
	median: number;
	maximum: number;
}

/** How far the edges of cues are from their words. */
export interface CueErrors {
	/** From the start of each cue to the start of its first word. */
	starts: EdgeErrors;
	/**
	 * From the end of a cue to the end of its last word, only where the next cue follows at once: elsewhere, a cue may stay
	 * longer, to be read.
	 */
	ends: EdgeErrors;
}

/** Spoken and shown texts are compared by what is read aloud; punctuation and spaces differ. */
const letters = (text: string) => [...text.replace(/[^\p{L}\p{M}\p{N}]/gu, '')];

/** A cue that follows at once begins this soon, in seconds; subtitle files count in ms. */
const atOnce = 0.0015;

/**
 * The words of a joined file.
 * @param parts in order, with where each begins in the joined file, in seconds
 * @throws Error if the emulator did not time the words of a part
 */
export function wordsInFile(parts: Array<{ speech: SpeechRecord; atSeconds: number }>): KnownWord[] {
	return parts.flatMap(({ speech: { text, words }, atSeconds }) => {
		if (words === null) throw new Error(`The emulator did not time the words of "${text}".`);
		return words.map((word) => ({
			text: word.text,
			startSeconds: atSeconds + word.startSeconds,
			endSeconds: atSeconds + word.endSeconds,
		}));
	});
}

/** When each letter is spoken: the letters of a word share its time equally, for cues that begin within a word. */
function timesOfLetters(words: KnownWord[]): KnownWord[] {
	return words.flatMap(({ text, startSeconds, endSeconds }) => {
		const own = letters(text);
		const each = (endSeconds - startSeconds) / own.length;
		return own.map((letter, index) => ({
			text: letter,
			startSeconds: startSeconds + index * each,
			endSeconds: startSeconds + (index + 1) * each,
		}));
	});
}

/** The lower one of two medians. An empty list has no error. */
function summary(errors: number[]): EdgeErrors {
	const sorted = errors.toSorted((one, other) => one - other);
	const middle = Math.ceil(sorted.length / 2) - 1;
	return { count: sorted.length, median: sorted[middle] ?? 0, maximum: sorted.at(-1) ?? 0 };
}

/**
 * How far the edges of cues are from the words that they show.
 * @param cues in order; together they show all words
 * @param words of the same file, in order
 * @throws Error if cues and words are not the same text, and if a cue has no words
 */
export function cueErrors(cues: TimedText[], words: KnownWord[]): CueErrors {
	const known = timesOfLetters(words);
	const starts: number[] = [];
	const ends: number[] = [];
	let position = 0;
	cues.forEach((cue, index) => {
		const shown = letters(cue.text);
		const spoken = known.slice(position, position + shown.length);
		position += shown.length;
		const heard = spoken.map(({ text }) => text).join('');
		if (heard === '' || heard !== shown.join('')) {
			throw new Error(`The cue "${cue.text}" does not show what is spoken: "${heard}".`);
		}
		starts.push(Math.abs(cue.startSeconds - spoken[0].startSeconds));
		const next = cues[index + 1] as TimedText | undefined;
		if (next && next.startSeconds - cue.endSeconds <= atOnce) {
			ends.push(Math.abs(cue.endSeconds - spoken[spoken.length - 1].endSeconds));
		}
	});
	if (position !== known.length) throw new Error(`The cues show ${position} of ${known.length} letters.`);
	return { starts: summary(starts), ends: summary(ends) };
}
