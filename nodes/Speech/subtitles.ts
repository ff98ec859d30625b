import { clockTime, type Place } from '../audio/audioTags';
import { splitSentences, splitText } from './splitText';

/** The speech of one request, and its place in the file. No cue contains two parts. */
export interface SpokenPart extends Place {
	text: string;
}

export interface Cue extends Place {
	lines: string[];
}

/** Columns of a line: 42 Latin letters, or 21 Chinese characters. */
export const LINE_WIDTH = 42;
/** A line may be longer by this many columns, to end with a clause. */
const CLAUSE_COLUMNS = 10;
/** A cost higher than the width of any sentence. */
const TOO_WIDE = 1_000_000;
/** Subtitles for speech without timestamps: within a part, times are estimated. Yields before each part. */
export function* cuesOf(parts: SpokenPart[]): Generator<void, Cue[]> {
	const cues: Cue[] = [];
	for (const part of parts) {
		yield;
		cues.push(...cuesOfPart(part));
	}
	return cues;
}

/** Returns the cues of a part. Their times are scaled to its measured length, so only proportions matter. */
function cuesOfPart({ text, startSeconds, endSeconds }: SpokenPart): Cue[] {
	const cues = sentencesOf(text).flatMap(inCues);
	const total = secondsOf(cues.flat());
	if (total === 0 || !(endSeconds > startSeconds)) return [];
	const scale = (endSeconds - startSeconds) / total;
	let position = startSeconds;
	return cues.map((words) => {
		const start = position;
		position += scale * secondsOf(words);
		return { startSeconds: start, endSeconds: position, lines: inLines(words).map(textOf) };
	});
}

function secondsOf(words: Word[]): number {
	return words.reduce((sum, { seconds, pauseSeconds }) => sum + seconds + pauseSeconds, 0);
}

/** Splits a sentence into cues by halving it until each cue fits into two lines. */
function inCues(words: Word[]): Word[][] {
	if (words.length < 2 || inLines(words).every(fitsInLine)) return [words];
	return halvesOf(words).flatMap(inCues);
}

function inLines(words: Word[]): Word[][] {
	return fitsInLine(words) ? [words] : halvesOf(words);
}

function fitsInLine(words: Word[]): boolean {
	return widthOfWords(words) <= LINE_WIDTH;
}

/** Halves two or more words. The halves fit into a line if possible, and are equally long or end with a clause. */
function halvesOf(words: Word[]): [Word[], Word[]] {
	const total = widthOfWords(words);
	let best = { at: 1, cost: Number.POSITIVE_INFINITY };
	let right = 0;
	for (const [index, { width, hasSpace, pauseSeconds }] of words.slice(0, -1).entries()) {
		const left = right + width;
		right = left + (hasSpace ? 1 : 0);
		const widest = Math.max(left, total - right);
		const bonus = pauseSeconds > 0 ? CLAUSE_COLUMNS : 0;
		const cost = widest - bonus + (widest > LINE_WIDTH ? TOO_WIDE : 0);
		if (cost < best.cost) best = { at: index + 1, cost };
	}
	return [words.slice(0, best.at), words.slice(best.at)];
}

function widthOfWords(words: Word[]): number {
	return words.reduce(
		(sum, { width, hasSpace }, index) => sum + width + (hasSpace && index < words.length - 1 ? 1 : 0),
		0,
	);
}

function textOf(words: Word[]): string {
	return words
		.map(({ text, hasSpace }) => (hasSpace ? `${text} ` : text))
		.join('')
		.trimEnd();
}

/** A word with the punctuation that belongs to it, or a part of one that is too long for a line. */
interface Word {
	text: string;
	/** Counted in columns; a wide character takes two. */
	width: number;
	hasSpace: boolean;
	/** The time for which it is spoken, and the pause after it, if there is one. */
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
/** Longer words are cut, so that they fit into a line. */
const MAX_WORD_CHARACTERS = 20;
/** The segmenter copies its text for each segment, so a long text would need far too much memory. */
const MAX_SENTENCE_CHARACTERS = 1000;

const ALPHABETIC =
	/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * The time for which a character is spoken, in seconds; the first kind that matches counts. People speak about six
 * syllables per second in most languages, and five in Chinese (Coupé et al. 2019).
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

/** Returns the number of columns that a text takes on a screen. */
export function widthOf(text: string): number {
	let width = 0;
	for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
	return width;
}

/** Returns the words of each sentence, in any script. A line end ends a sentence. Only white space is left out. */
function sentencesOf(text: string): Word[][] {
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

function wordsOf(text: string): Word[] {
	const parts = WITHOUT_SPACES.test(text) ? segmentsOf(text) : [text];
	return parts
		.flatMap((part) => splitText(part, MAX_WORD_CHARACTERS))
		.map((word, index, { length }) => ({
			text: word,
			width: widthOf(word),
			hasSpace: index === length - 1,
			seconds: spokenSeconds(word),
			pauseSeconds: CLAUSE_END.test(word) ? PAUSE_SECONDS.clause : 0,
		}));
}

/** Returns the words of a text in a script without spaces, with the punctuation around them. */
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

function spokenSeconds(word: string): number {
	let seconds = 0;
	for (const character of word) {
		seconds += CHARACTER_SECONDS.find(([kind]) => kind.test(character))?.[1] ?? 0;
	}
	return seconds;
}

export const SUBTITLE_FORMATS = [
	{ extension: 'srt', mimeType: 'application/x-subrip', write: srt },
	{ extension: 'vtt', mimeType: 'text/vtt', write: webVtt },
];

/** Writes subtitles as SubRip, for video editors and players. */
export function srt(cues: Cue[]): string {
	return cues
		.map(({ startSeconds, endSeconds, lines }, index) => {
			const times = `${clockTime(startSeconds)} --> ${clockTime(endSeconds)}`.replaceAll('.', ',');
			return `${[index + 1, times, ...lines.map(plain)].join('\r\n')}\r\n`;
		})
		.join('\r\n');
}

/** Writes subtitles as WebVTT, for browsers and podcast apps. */
export function webVtt(cues: Cue[]): string {
	const blocks = cues.map(({ startSeconds, endSeconds, lines }) => {
		const times = `${clockTime(startSeconds)} --> ${clockTime(endSeconds)}`;
		return `${[times, ...lines.map((line) => escaped(plain(line)))].join('\n')}\n`;
	});
	return ['WEBVTT\n', ...blocks].join('\n');
}

/** Replaces parts of a line that would end a cue, or that are not characters. */
function plain(line: string): string {
	return line
		.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
		.replace(/\p{Surrogate}/gu, '\ufffd')
		.replaceAll('-->', '→');
}

function escaped(line: string): string {
	return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
