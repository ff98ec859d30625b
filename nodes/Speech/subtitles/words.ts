import { splitSentences } from '../splitText';

/** A word with the punctuation that belongs to it, or a part of one that is too long for a line. */
export interface Word {
	text: string;
	/** Columns; a wide character takes two. */
	width: number;
	/** Whether a space follows. */
	hasSpace: boolean;
	/** How long it is spoken, and how long voices pause after it, if they do. */
	seconds: number;
	pauseSeconds: number;
}

const WIDE =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const NO_WIDTH = /[\p{M}\p{Cf}]/u;
const WITHOUT_SPACES =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Punctuation that belongs to the next word; other punctuation belongs to the one before it. */
const OPENING = /^[\p{Ps}\p{Pi}\p{Sc}¿¡#@]+$/u;
const PUNCTUATION = /^[^\p{L}\p{N}\p{Emoji_Presentation}]+$/u;
/** A longer word is cut, so that it fits into a line. */
const MAX_WORD_CHARACTERS = 20;
/** The segmenter copies its text for each of its segments, so that a long one would need far too much memory. */
const MAX_SENTENCE_CHARACTERS = 1000;

const ALPHABETIC =
	/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * How long a character is spoken, in seconds; the first kind that matches counts, and other characters take no time. In
 * most languages, people speak about six syllables per second, and in Chinese five (Coupé et al. 2019).
 */
const CHARACTER_SECONDS: Array<[kind: RegExp, seconds: number]> = [
	[/\p{Script=Han}/u, 0.19],
	// About three letters are a syllable.
	[ALPHABETIC, 0.055],
	// Other letters are whole syllables, or their vowels are not written.
	[/\p{L}/u, 0.13],
	// Digits and signs are read as words.
	[/[\p{N}\p{Sc}%‰°+=&@#]/u, 0.3],
];
const PAUSE_SECONDS = { clause: 0.25, sentence: 0.5 };
const CLAUSE_END = /[,;:，；：、،؛—–)]\p{P}{0,3}$/u;

/** Columns that a text takes on a screen. */
export function widthOf(text: string): number {
	let width = 0;
	for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
	return width;
}

/** The words of each sentence of a text, in any script; a line ends a sentence. Only white space is left out. */
export function sentencesOf(text: string): Word[][] {
	const sentences = text.split('\n').flatMap((line) => splitSentences(line, MAX_SENTENCE_CHARACTERS));
	return sentences.map((sentence) => {
		const words = sentence
			.split(/\s+/u)
			.filter((word) => word !== '')
			.flatMap(wordsOf);
		const last = words.at(-1);
		if (last) last.pauseSeconds = PAUSE_SECONDS.sentence;
		return words;
	});
}

/** The words of a text without white space. */
function wordsOf(text: string): Word[] {
	const parts = WITHOUT_SPACES.test(text) ? segmentsOf(text) : [text];
	return parts.flatMap(inPieces).map((word, index, { length }) => ({
		text: word,
		width: widthOf(word),
		hasSpace: index === length - 1,
		seconds: spokenSeconds(word),
		pauseSeconds: CLAUSE_END.test(word) ? PAUSE_SECONDS.clause : 0,
	}));
}

/** The words of a text in a script without spaces, with the punctuation around them. */
function segmentsOf(text: string): string[] {
	const words: string[] = [];
	for (const { segment } of new Intl.Segmenter('und', { granularity: 'word' }).segment(text)) {
		const last = words.at(-1) ?? '';
		const isEnd = PUNCTUATION.test(segment) && !OPENING.test(segment);
		const joins = last !== '' && (isEnd || PUNCTUATION.test(last));
		if (joins && last.length < MAX_WORD_CHARACTERS) words[words.length - 1] = last + segment;
		else words.push(segment);
	}
	return words;
}

/** A word in pieces of whole characters that fit into a line. */
function inPieces(word: string): string[] {
	if (word.length <= MAX_WORD_CHARACTERS) return [word];
	const pieces: string[] = [''];
	for (const { segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(word)) {
		const isFull = pieces[pieces.length - 1].length + segment.length > MAX_WORD_CHARACTERS;
		if (isFull) pieces.push(segment);
		else pieces[pieces.length - 1] += segment;
	}
	return pieces.filter((piece) => piece !== '');
}

function spokenSeconds(word: string): number {
	let seconds = 0;
	for (const character of word) {
		seconds += CHARACTER_SECONDS.find(([kind]) => kind.test(character))?.[1] ?? 0;
	}
	return seconds;
}
