import { sentenceEnds } from '../longText/splitText';

/** How good a place to end a cue is. */
export const BREAK = { word: 1, clause: 2, sentence: 3 } as const;
export type Break = (typeof BREAK)[keyof typeof BREAK];

/** A word with the punctuation that belongs to it. */
export interface Word {
	text: string;
	/** Columns; a wide character takes two. */
	width: number;
	/** Whether a space follows. */
	hasSpace: boolean;
	/** How good a place to end a cue is after it. */
	breakAfter: Break;
}

const WIDE =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const NO_WIDTH = /[\p{M}\p{Cf}]/u;
const OPENING = /^[\p{Ps}\p{Pi}¿¡"'#$£€@]+$/u;
const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CLAUSE_MARK = /[,;:，；：、،؛—–)]/u;
/** A longer word is cut, so that it fits into a line. */
const MAX_WORD_CHARACTERS = 20;

/** Columns that a text takes on a screen. */
export function widthOf(text: string): number {
	let width = 0;
	for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
	return width;
}

/** The words of a text in any script. Nothing but white space is left out. */
export function wordsOf(text: string): Word[] {
	const ends = new Set(sentenceEnds(text));
	return blocksOf(text, ends)
		.flatMap(({ block, from }) => chunksOf(block, from))
		.map(({ text: word, end, space }) => ({
			text: word,
			width: widthOf(word),
			hasSpace: space !== '',
			breakAfter: breakAfter(word, end, space, ends),
		}));
}

interface Chunk {
	text: string;
	/** Where it ends in the whole text. */
	end: number;
	/** White space after it. */
	space: string;
}

/**
 * A text in blocks that end with sentences, or else with white space. The segmenter copies its text for each of its
 * segments, so that a long one would need far too much memory.
 */
function blocksOf(text: string, ends: Set<number>): Array<{ block: string; from: number }> {
	const blocks: Array<{ block: string; from: number }> = [];
	let start = 0;
	for (const end of [...ends, text.length]) {
		for (const [block] of text.slice(start, end).matchAll(BLOCK)) {
			blocks.push({ block, from: start });
			start += block.length;
		}
	}
	return blocks;
}

const BLOCK = /[\s\S]{1,1000}(?=\s|$)|[\s\S]{1,1000}/gu;

/** Words with the punctuation around them. @param from where the text begins in the whole text */
function chunksOf(text: string, from: number): Chunk[] {
	const chunks: Chunk[] = [];
	let opening = '';
	for (const { segment, index, isWordLike } of new Intl.Segmenter('und', { granularity: 'word' }).segment(
		text,
	)) {
		const last = chunks.at(-1);
		const end = from + index + segment.length;
		if (/^\s+$/u.test(segment)) {
			if (last && opening === '') last.space += segment;
			continue;
		}
		const isPunctuation = isWordLike !== true && !WIDE_SIGN.test(segment);
		const joins = last !== undefined && last.space === '' && opening === '';
		if (isPunctuation && OPENING.test(segment) && !(joins && /["'”’]/u.test(segment))) opening += segment;
		else if (
			joins &&
			(isPunctuation || /[\p{Pd}'’/_&@.]$/u.test(last.text)) &&
			last.text.length < MAX_WORD_CHARACTERS
		) {
			last.text += segment;
			last.end = end;
		} else {
			for (const piece of inPieces(opening + segment)) chunks.push({ text: piece, end, space: '' });
			opening = '';
		}
	}
	if (opening !== '') chunks.push({ text: opening, end: from + text.length, space: '' });
	return chunks;
}

const WIDE_SIGN = /\p{Emoji_Presentation}/u;

/** A word in pieces of whole characters that fit into a line. */
function inPieces(word: string): string[] {
	if (word.length <= MAX_WORD_CHARACTERS) return [word];
	const characters = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(word)];
	const pieces: string[] = [];
	for (const { segment } of characters) {
		const last = pieces.at(-1);
		if (last !== undefined && last.length + segment.length <= MAX_WORD_CHARACTERS) {
			pieces[pieces.length - 1] = last + segment;
		} else pieces.push(segment);
	}
	return pieces;
}

function breakAfter(word: string, end: number, space: string, sentences: Set<number>): Break {
	if (sentences.has(end) || /\n/.test(space)) return BREAK.sentence;
	// Where words have no spaces between them, a space separates clauses.
	if (CLAUSE_MARK.test(trailing(word)) || (space !== '' && WITHOUT_SPACES.test(word))) return BREAK.clause;
	return BREAK.word;
}

/** The punctuation at the end of a word. */
function trailing(word: string): string {
	let start = word.length;
	while (start > 0 && /\p{P}/u.test(word[start - 1])) start -= 1;
	return word.slice(start);
}
