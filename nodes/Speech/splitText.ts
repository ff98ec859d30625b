/** Marks that end a sentence in scripts that put no space after them. */
const FULL_WIDTH_ENDS = '。！？；｡';
/** Marks that end a sentence when white space or an ideograph follows. */
const SPACED_ENDS = '.!?…؟؛۔।॥።፧։။។᙮';
const CLOSERS = '"\'”’)\\]」』】）》〉›»';
/** The lookbehind lets a run of marks match only from its first mark, which keeps hostile texts fast. */
const SENTENCE_END = new RegExp(
	`[${FULL_WIDTH_ENDS}]+[${CLOSERS}]*|(?<![${SPACED_ENDS}])[${SPACED_ENDS}]+[${CLOSERS}]*(?=\\s|$|\\p{Script=Han})`,
	'gu',
);
const PARAGRAPH_END = /(\r?\n[ \t]*){2,}/gu;
const CLAUSE_END = /[，、：]+|(?<![,;:—–])[,;:—–]+(?=\s)/gu;
const WHITE_SPACE = /\s+/gu;

/** Words whose full stop does not end a sentence. Initials such as "J. R. R." are recognized by their form. */
const ABBREVIATIONS = [
	'Dr|Mr|Mrs|Ms|Prof|Rev|Hon|St|Mt|Gen|Col|Capt|Lt|Sgt|Sen|Rep|No|Nr|Nos|Fig|Vol|pp|vs|cf|ca',
	'etc|approx|Inc|Ltd|Co|Corp|Jr|Sr|e\\.g|i\\.e|a\\.m|p\\.m|Ph\\.D|z\\.B|d\\.h|bzw|usw|Mme',
	// As in "z. B.", "d. h.", and "u. a."
	'Mlle|Sra|Dra|z|d|u|o|i',
].join('|');
const ABBREVIATION = new RegExp(`(^|[\\s("'“‘])((\\p{Lu}\\.)*\\p{Lu}|${ABBREVIATIONS})\\.$`, 'u');
/** How many characters before a full stop are checked for an abbreviation. */
const ABBREVIATION_REACH = 12;

/** Where to cut a text that is longer than `limit`: from 1 to `limit`, except that a surrogate pair may exceed 1. */
type Cut = (text: string, limit: number) => number;

/**
 * Splits a text into parts that can be spoken in sequence. It cuts at the ends of sentences in any script, or at the
 * ends of paragraphs where that does not add parts. A single sentence that is too long is cut after a clause, at a
 * space, or as a last resort between two grapheme clusters. Only white space at a cut is dropped.
 *
 * @param limit maximum length of a part in UTF-16 code units, at least 1
 * @throws RangeError for another limit
 */
export function splitText(text: string, limit: number): string[] {
	if (!Number.isInteger(limit) || limit < 1)
		throw new RangeError(`The limit must be a whole number above 0, not ${limit}.`);
	const atSentences = split(text, limit, sentenceCut);
	const atParagraphs = split(text, limit, paragraphCut);
	return atParagraphs.length <= atSentences.length ? atParagraphs : atSentences;
}

/**
 * Splits a text into its sentences, in any script. A sentence that is too long is split like a text; what has neither
 * letters nor digits stays with the sentence before it.
 *
 * @param limit maximum length of a part, as in {@link splitText}
 */
export function splitSentences(text: string, limit: number): string[] {
	const sentences: string[] = [];
	for (const sentence of rawSentences(text)) {
		const last = sentences.at(-1);
		if (last !== undefined && !/[\p{L}\p{N}]/u.test(sentence) && last.length + sentence.length < limit) {
			sentences[sentences.length - 1] = `${last} ${sentence}`;
		} else sentences.push(...splitText(sentence, limit));
	}
	return sentences;
}

function rawSentences(text: string): string[] {
	const ends = [
		...sentenceEnds(text),
		...[...text.matchAll(PARAGRAPH_END)].map(({ index }) => index),
		text.length,
	];
	let start = 0;
	return ends
		.sort((one, other) => one - other)
		.map((end) => text.slice(start, (start = end)).trim())
		.filter((sentence) => sentence !== '');
}

/** Where sentences end in a text, after their closing marks. */
export function sentenceEnds(text: string): number[] {
	return [...text.matchAll(SENTENCE_END)].map((match) => endOfSentence(text, match)).filter((end) => end > 0);
}

/**
 * The first sentence of a text, for messages.
 *
 * @param limit maximum number of characters; a longer sentence ends with an ellipsis
 */
export function firstSentence(text: string, limit: number): string {
	const beginning = text.trim().slice(0, limit * 4);
	const [end] = sentenceEnds(beginning);
	const line = beginning.slice(0, end).replace(/\s+/g, ' ');
	return line.length <= limit ? line : `${line.slice(0, characterCut(line, limit - 1)).trimEnd()}…`;
}

function split(text: string, limit: number, cutOf: Cut): string[] {
	const parts: string[] = [];
	let rest = text.trim();
	while (rest.length > limit) {
		const cut = cutOf(rest, limit);
		parts.push(rest.slice(0, cut).trimEnd());
		rest = rest.slice(cut).trimStart();
	}
	if (rest !== '') parts.push(rest);
	return parts;
}

/** Prefers the end of a paragraph if the part is long enough. */
function paragraphCut(text: string, limit: number): number {
	const end = lastEnd(viewOf(text, limit), PARAGRAPH_END, limit, ({ index }) => index);
	return end > limit / 2 ? end : sentenceCut(text, limit);
}

function sentenceCut(text: string, limit: number): number {
	const view = viewOf(text, limit);
	const paragraph = lastEnd(view, PARAGRAPH_END, limit, ({ index }) => index);
	const sentence = lastEnd(view, SENTENCE_END, limit, (match) => endOfSentence(view, match));
	return (
		Math.max(paragraph, sentence) ||
		lastEnd(view, CLAUSE_END, limit, (match) => match.index + match[0].length) ||
		lastEnd(view, WHITE_SPACE, limit, ({ index }) => index) ||
		characterCut(text, limit)
	);
}

/** Two more characters show whether white space follows a mark at the limit. */
function viewOf(text: string, limit: number): string {
	return text.slice(0, limit + 2);
}

/** Where a sentence ends, or 0 when the mark belongs to an abbreviation. */
function endOfSentence(view: string, { index, 0: mark }: RegExpExecArray): number {
	const end = index + mark.length;
	return ABBREVIATION.test(view.slice(Math.max(0, index - ABBREVIATION_REACH), end)) ? 0 : end;
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
	const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
	const cluster = graphemes.segment(text.slice(0, limit + 64)).containing(limit);
	if (cluster && cluster.index > 0) return cluster.index;
	const insidePair =
		/[\uDC00-\uDFFF]/.test(text.charAt(limit)) && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
	return insidePair ? Math.max(limit - 1, 2) : limit;
}
