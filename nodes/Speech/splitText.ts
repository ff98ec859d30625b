/** How far a look at the text after the limit goes: enough to judge the last mark before it. */
const LOOKAHEAD = 64;
/** How far back the word before a full stop is looked for. */
const LOOKBEHIND = 48;
const URL_LOOKBEHIND = 200;

/**
 * Every place where speech pauses: a run of white space, a zero-width space, or punctuation together
 * with the quotes and brackets that close after it. An opening quote counts as closing before white
 * space, because German closes with the quote that English opens with.
 */
const PAUSE = /(\s+)|(\u200B+)|([\p{Terminal_Punctuation}…‥—–]+)((?:[\p{Pe}\p{Pf}"'*_]|\p{Pi}(?=\s))*)/gu;

const LINE_BREAK = /\r\n|[\n\r\u2028]/g;
const PARAGRAPH_BREAK = /[\f\u2029]/;
/** White space that is written to keep its two sides together. */
const ONLY_UNBREAKABLE = /^[\u00A0\u202F\uFEFF]+$/;

/** Marks such as 。！？؟।። that end a sentence whatever follows. */
const ALWAYS_ENDS_SENTENCE = /(?![.!?‼⁇⁈⁉．﹒])\p{Sentence_Terminal}/u;
/** Marks such as ，、；：، that end a clause whatever follows; a colon or comma in "10:30" does not. */
const ALWAYS_ENDS_CLAUSE = /(?![.,:;!?–．])[\p{Terminal_Punctuation}…‥—]/u;
const MAY_END_SENTENCE = /[.!?…‥‼⁇⁈⁉．﹒]/;
const DOTS = /^[.…‥．]+$/;
const SINGLE_DOT = /^[.．]$/;
const LOWER_CASE_FOLLOWS = /^\s*[\p{Ps}\p{Pi}"']*\p{Ll}/u;
const IN_URL = /(?:\/\/|www\.|@)\S*$/i;

/** The rest of a grapheme cluster: combining marks, joiners, skin tones. */
const EXTENDS_CLUSTER = /^[\p{M}\u200C\u200D\p{Emoji_Modifier}]/u;
const SPACE_TO_DROP = /(?:\s(?![\p{M}\u200C\u200D\p{Emoji_Modifier}]))*/uy;
/** A part that began with one of these would lose the pause that it stands for. */
const BELONGS_TO_WORD_BEFORE = /^[\p{Terminal_Punctuation}\p{Pe}\p{Pf}…]/u;

/** Abbreviations after which a sentence goes on, even with a capital letter. */
const TITLES_AND_LINKS = new Set(
	(
		'mr mrs ms messrs mx dr drs prof rev fr hon gen col maj capt cpt lt sgt sen rep gov pres amb st mt ft ' +
		'mme mlle mgr sr sra srta dra hr bzw bspw evtl ggf inkl usw vgl vs cf viz esp approx ca ibid dept ext'
	).split(' '),
);
/** Abbreviations only when a number follows: "No. 5", "Jan. 3", but "No. He left." */
const BEFORE_NUMBER = new Set(
	(
		'no nos nr num fig figs eq vol vols ch chap sec art par p pp pg ver tel ' +
		'jan feb mar apr jun jul aug sep sept oct nov dec'
	).split(' '),
);

const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Splits text into parts for speech, each as full as its best cut allows: at a paragraph end (when that
 * fills at least half of the part), else the last sentence end, else the last clause or line end, else
 * white space, else a word boundary (Chinese, Japanese and Thai write without spaces), else between two
 * visible characters (grapheme clusters). White space around a cut is dropped; everything else is kept,
 * in order.
 *
 * @param limit most characters of a part, in UTF-16 code units (what `length` counts). Only a limit of 1
 * can be exceeded, by a character that takes two code units: half a character cannot be spoken.
 * @returns the parts without white space at their ends; none for text without visible characters
 * @throws RangeError when `limit` is not a whole number of at least 1
 */
export function splitText(text: string, limit: number): string[] {
	if (!Number.isInteger(limit) || limit < 1) {
		throw new RangeError(`The limit of a part must be a whole number of at least 1 character, not ${limit}.`);
	}
	const parts: string[] = [];
	const end = text.trimEnd().length;
	let start = skipSpace(text, 0);
	while (end - start > limit) {
		const cut = start + findCut(text.slice(start, Math.min(end, start + limit + LOOKAHEAD)), limit);
		parts.push(text.slice(start, cut).trimEnd());
		start = skipSpace(text, cut);
	}
	if (start < end) parts.push(text.slice(start, end));
	return parts;
}

function skipSpace(text: string, from: number): number {
	SPACE_TO_DROP.lastIndex = from;
	SPACE_TO_DROP.test(text);
	return SPACE_TO_DROP.lastIndex;
}

/** Where to end the part that begins the window: an offset from 1 to `limit`. */
function findCut(window: string, limit: number): number {
	const last = { paragraph: 0, sentence: 0, clause: 0, space: 0 };
	for (const match of window.matchAll(PAUSE)) {
		const [found, spaces, zeroWidthSpace, marks = '', closers = ''] = match;
		const cut = spaces === undefined ? match.index + found.length : match.index;
		if (cut > limit) break;

		if (spaces !== undefined) last[rankOfSpace(spaces)] = cut;
		else if (zeroWidthSpace !== undefined) last.space = cut;
		else {
			const rank = rankOfMarks(window, match.index, marks, closers);
			if (rank !== undefined) last[rank] = cut;
		}
	}
	if (last.paragraph >= limit / 2) return last.paragraph;
	return Math.max(last.sentence, last.paragraph) || last.clause || last.space || cutInsideText(window, limit);
}

function rankOfSpace(spaces: string): 'paragraph' | 'clause' | 'space' {
	const lines = spaces.match(LINE_BREAK)?.length ?? 0;
	if (lines > 1 || PARAGRAPH_BREAK.test(spaces)) return 'paragraph';
	return lines === 1 ? 'clause' : 'space';
}

/** What the punctuation at `index` ends, or undefined when it ends nothing ("3.14", "Dr. Smith"). */
function rankOfMarks(
	window: string,
	index: number,
	marks: string,
	closers: string,
): 'sentence' | 'clause' | undefined {
	const cut = index + marks.length + closers.length;
	const after = window.slice(cut, cut + 12);
	if (EXTENDS_CLUSTER.test(after)) return undefined;
	if (ALWAYS_ENDS_SENTENCE.test(marks)) return 'sentence';

	if (!/^\s/.test(after)) {
		if (endsBeforeUnspacedScript(window, index, after) && MAY_END_SENTENCE.test(marks)) return 'sentence';
		return ALWAYS_ENDS_CLAUSE.test(marks) ? 'clause' : undefined;
	}
	if (!MAY_END_SENTENCE.test(marks)) return 'clause';
	if (SINGLE_DOT.test(marks) && isAbbreviation(window.slice(Math.max(0, index - LOOKBEHIND), index), after)) {
		return undefined;
	}
	// "approx. five", "well... maybe" and "“Really?” he said" go on; a bare "?" ends even careless lower case.
	const mayGoOn = DOTS.test(marks) || closers !== '';
	return mayGoOn && LOWER_CASE_FOLLOWS.test(after) ? 'clause' : 'sentence';
}

/** "很好!我们" is two sentences although no white space says so; "3.两" and a web address are not. */
function endsBeforeUnspacedScript(window: string, index: number, after: string): boolean {
	if (!/^\p{Lo}/u.test(after) || !/[\p{L}\p{Pe}]$/u.test(window.slice(Math.max(0, index - 2), index))) {
		return false;
	}
	return !IN_URL.test(window.slice(Math.max(0, index - URL_LOOKBEHIND), index));
}

function isAbbreviation(before: string, after: string): boolean {
	const word = /[\p{L}\p{M}\p{N}.]*$/u.exec(before)?.[0] ?? '';
	const lowerCase = word.toLowerCase();
	const isInitial = /^\p{Lu}$/u.test(word);
	const isDotted = /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u.test(word);
	if (isInitial || isDotted || TITLES_AND_LINKS.has(lowerCase)) return true;
	if (BEFORE_NUMBER.has(lowerCase)) return /^\s*\p{N}/u.test(after);
	const isListNumber = /^\p{N}{1,3}$/u.test(word) && /(?:^|[\n\r])\s*\p{N}+$/u.test(before);
	return isListNumber;
}

/** The last resort, in text without a pause: a word boundary, else a grapheme boundary, else a whole code point. */
function cutInsideText(window: string, limit: number): number {
	let cut = boundaryBefore(graphemes, window, boundaryBefore(words, window, limit));
	while (cut > 0 && BELONGS_TO_WORD_BEFORE.test(window.slice(cut, cut + 2))) {
		cut = boundaryBefore(graphemes, window, cut - 1);
	}
	cut ||= boundaryBefore(graphemes, window, limit);
	if (cut > 0) return cut;

	const splitsPair = /[\uD800-\uDBFF]$/.test(window.slice(0, limit)) && /^[\uDC00-\uDFFF]/.test(window.slice(limit));
	return splitsPair ? Math.max(limit - 1, 2) : limit;
}

/** The last boundary at or before `offset`; 0 when there is none inside the window. */
function boundaryBefore(segmenter: Intl.Segmenter, window: string, offset: number): number {
	return segmenter.segment(window).containing(offset)?.index ?? 0;
}
