import { BREAK, type Word } from './words';

/** Columns of a line: 42 Latin letters, or 21 Chinese characters. */
export const LINE_WIDTH = 42;

/** Columns of words next to each other, and the text itself. */
export function widthOfWords(words: Word[]): number {
	return words.reduce(
		(sum, { width, hasSpace }, index) => sum + width + (hasSpace && index < words.length - 1 ? 1 : 0),
		0,
	);
}

/** How many columns longer a line may be to end with a clause. */
const CLAUSE_COLUMNS = 10;

/**
 * Words in at most two lines, as equal as possible, or so that the first one ends with a clause.
 *
 * @returns undefined if they do not fit
 */
export function inLines(words: Word[]): string[] | undefined {
	if (widthOfWords(words) <= LINE_WIDTH) return [textOf(words)];
	let best: { at: number; cost: number } | undefined;
	for (let at = 1; at < words.length; at++) {
		const width = Math.max(widthOfWords(words.slice(0, at)), widthOfWords(words.slice(at)));
		const cost = width - (words[at - 1].breakAfter >= BREAK.clause ? CLAUSE_COLUMNS : 0);
		if (width <= LINE_WIDTH && (!best || cost < best.cost)) best = { at, cost };
	}
	return best && [textOf(words.slice(0, best.at)), textOf(words.slice(best.at))];
}

function textOf(words: Word[]): string {
	return words
		.map(({ text, hasSpace }, index) => (hasSpace && index < words.length - 1 ? `${text} ` : text))
		.join('');
}
