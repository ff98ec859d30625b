/** Marks that end a sentence in scripts that put no space behind them. */
const FULL_WIDTH_ENDS = '。！？；｡';
/** Marks that end a sentence when white space follows. */
const SPACED_ENDS = '.!?…؟।॥።';
const CLOSERS = '"\'”’)\\]」』）】》›»';
const SENTENCE_END = new RegExp(
	`[${FULL_WIDTH_ENDS}]+[${CLOSERS}]*|[${SPACED_ENDS}]+[${CLOSERS}]*(?=\\s|$)`,
	'gu',
);
const PARAGRAPH_END = /(\r?\n[ \t]*){2,}/gu;
const CLAUSE_END = /[，、：]+|[,;:—–]+(?=\s)/gu;
const WHITE_SPACE = /\s+/gu;

/** Words whose full stop does not end a sentence, and single initials. */
const ABBREVIATION =
	/(^|[\s("'“‘])(\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|etc|approx|Inc|Ltd|Jr|Sr|e\.g|i\.e|U\.S|a\.m|p\.m)\.$/u;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits a text into parts that can be spoken one after another. It cuts at the end of a paragraph or
 * sentence in any script, and only where a single sentence is too long at a clause, a space or, at last,
 * between two characters as a reader sees them. White space at a cut is dropped; nothing else is.
 *
 * @param limit most UTF-16 code units of a part, at least 1
 * @throws RangeError for another limit
 */
export function splitText(text: string, limit: number): string[] {
	if (!Number.isInteger(limit) || limit < 1)
		throw new RangeError(`The limit must be a whole number above 0, not ${limit}.`);
	const parts: string[] = [];
	let rest = text.trim();
	while (rest.length > limit) {
		const cut = bestCut(rest, limit);
		parts.push(rest.slice(0, cut).trimEnd());
		rest = rest.slice(cut).trimStart();
	}
	if (rest !== '') parts.push(rest);
	return parts;
}

/** Where the first part of a text that is longer than `limit` ends; from 1 to `limit` (a pair of surrogates may exceed 1). */
function bestCut(text: string, limit: number): number {
	// Two characters more show whether white space follows a mark at the limit.
	const view = text.slice(0, limit + 2);
	const paragraph = lastEnd(view, PARAGRAPH_END, limit, ({ index }) => index);
	if (paragraph > limit / 2) return paragraph;
	const sentence = lastEnd(view, SENTENCE_END, limit, (match) =>
		ABBREVIATION.test(view.slice(Math.max(0, match.index - 12), match.index + match[0].length))
			? 0
			: match.index + match[0].length,
	);
	return (
		Math.max(paragraph, sentence) ||
		lastEnd(view, CLAUSE_END, limit, (match) => match.index + match[0].length) ||
		lastEnd(view, WHITE_SPACE, limit, ({ index }) => index) ||
		characterCut(text, limit)
	);
}

function lastEnd(
	view: string,
	pattern: RegExp,
	limit: number,
	endOf: (match: RegExpExecArray) => number,
): number {
	let last = 0;
	for (const match of view.matchAll(pattern)) {
		const end = endOf(match);
		if (end > last && end <= limit) last = end;
	}
	return last;
}

function characterCut(text: string, limit: number): number {
	const cluster = graphemes.segment(text.slice(0, limit + 64)).containing(limit);
	if (cluster && cluster.index > 0) return cluster.index;
	const insidePair =
		/[\uDC00-\uDFFF]/.test(text.charAt(limit)) && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
	return insidePair ? Math.max(limit - 1, 2) : limit;
}
