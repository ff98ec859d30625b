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
/** A sentence goes on in lowercase after an ellipsis or a quotation: "is... blue", "“Where?” she asked". */
const CONTINUED = new RegExp(`(?:\\.\\.|…|[${CLOSERS}])$`, 'u');
/** In Japanese, a particle follows the quotation. */
const GOES_ON = /^(?:[^\S\n]+\p{Ll}|と|って)/u;
/** A day or another ordinal number, as in "am 3. Oktober". */
const ORDINAL = /(?<![\p{L}\p{N}.,])\p{Nd}{1,2}\.$/u;
const NEXT_WORD = /^[^\S\n]+\p{L}/u;
const PARAGRAPH_END = /(\r?\n[ \t]*){2,}/gu;
const CLAUSE_END = /[，、：]+|(?<![,;:—–])[,;:—–]+(?=\s)/gu;
const WHITE_SPACE = /\s+/gu;

/** Words whose full stop does not end a sentence. Initials ("J. R. R.") and "e.g." are recognized by their form. */
const ABBREVIATIONS = [
	'Dr|Mr|Mrs|Ms|Prof|Rev|Hon|St|Mt|Gen|Col|Capt|Lt|Sgt|Sen|Rep|No|Nr|Nos|Fig|Vol|pp|vs|cf|ca',
	'etc|approx|Inc|Ltd|Co|Corp|Jr|Sr|Ph\\.D|bzw|usw|Abs|Mme',
	// As in "z. B.", "d. h.", and "u. a."
	'Mlle|Sra|Dra|z|d|u|o|i',
].join('|');
const ABBREVIATION = new RegExp(`(^|[\\s("'“‘])(\\p{Lu}|(\\p{L}\\. ?)+\\p{L}|${ABBREVIATIONS})\\.$`, 'u');
/** The number of characters before a full stop that are checked for an abbreviation. */
const ABBREVIATION_REACH = 12;

/**
 * Splits a text into parts of at most `limit` UTF-16 code units: at the ends of sentences in any script, or of
 * paragraphs if that adds no parts; otherwise after a clause, at a space, or between two grapheme clusters.
 */
export function splitText(text: string, limit: number): string[] {
	const atSentences = split(text, limit, false);
	const atParagraphs = split(text, limit, true);
	return atParagraphs.length <= atSentences.length ? atParagraphs : atSentences;
}

/**
 * Splits a text into sentences, and long ones as {@link splitText} does. One without letters joins the one before.
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
	const ends = [...sentenceEnds(text), ...beginningsOf(PARAGRAPH_END, text), text.length];
	let start = 0;
	return ends
		.sort((one, other) => one - other)
		.map((end) => text.slice(start, (start = end)).trim())
		.filter((sentence) => sentence !== '');
}

/** Returns the places where sentences end, after their closing marks. */
function sentenceEnds(text: string): number[] {
	const isEnd = ({ index, 0: mark }: RegExpExecArray) => {
		const end = index + mark.length;
		const before = text.slice(Math.max(0, index - ABBREVIATION_REACH), end);
		const next = text.slice(end, end + 3);
		const goesOn =
			(CONTINUED.test(mark) && GOES_ON.test(next)) || (ORDINAL.test(before) && NEXT_WORD.test(next));
		return !goesOn && !ABBREVIATION.test(before);
	};
	return [...text.matchAll(SENTENCE_END)].filter(isEnd).map(({ index, 0: mark }) => index + mark.length);
}

function split(text: string, limit: number, prefersParagraphs: boolean): string[] {
	const parts: string[] = [];
	let left = text.trim();
	while (left.length > limit) {
		const cut = bestCut(left, limit, prefersParagraphs);
		parts.push(left.slice(0, cut).trimEnd());
		left = left.slice(cut).trimStart();
	}
	if (left !== '') parts.push(left);
	return parts;
}

/** Returns where to cut a text longer than `limit`: from 1 to `limit`, except that a surrogate pair may exceed 1. */
function bestCut(text: string, limit: number, prefersParagraphs: boolean): number {
	// Two more characters show whether white space follows a mark at the limit.
	const view = text.slice(0, limit + 2);
	const last = (places: number[]) => places.findLast((place) => place <= limit) ?? 0;
	const paragraph = last(beginningsOf(PARAGRAPH_END, view));
	if (prefersParagraphs && paragraph > limit / 2) return paragraph;
	return (
		Math.max(paragraph, last(sentenceEnds(view))) ||
		last([...view.matchAll(CLAUSE_END)].map(({ index, 0: mark }) => index + mark.length)) ||
		last(beginningsOf(WHITE_SPACE, view)) ||
		characterCut(text, limit)
	);
}

function beginningsOf(pattern: RegExp, text: string): number[] {
	return [...text.matchAll(pattern)].map(({ index }) => index);
}

function characterCut(text: string, limit: number): number {
	const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
	const cluster = graphemes.segment(text.slice(0, limit + 64)).containing(limit);
	if (cluster && cluster.index > 0) return cluster.index;
	const isInsidePair = (text.codePointAt(limit - 1) ?? 0) > 0xffff;
	return isInsidePair ? Math.max(limit - 1, 2) : limit;
}
