/**
 * One character written in another way: `\u0073`, `\x73`, `\163`, `\/`, `\n` (JSON and JavaScript), `%73`, `%u0073` (URL),
 * `&#115;`, `&#x73;`, `&sol;` (HTML). Each alternative has a limited length, so a search takes linear time.
 */
const ESCAPE =
	/\\(?:u([0-9a-f]{4})|u\{0{0,4}([0-9a-f]{1,5})\}|x([0-9a-f]{2})|([0-3][0-7]{2}|[4-7][0-7])|([^a-z0-9]|[nrt]))|%(?:u([0-9a-f]{4})|([0-9a-f]{2}))|&(?:#x0{0,7}([0-9a-f]{1,5});?|#0{0,7}([0-9]{1,6});?|([a-z]{2,6});)/gi;

/** The end of a text that the next characters may turn into an escape. */
const UNFINISHED =
	/(?:\\{1,64}(?:u[0-9a-f]{0,3}|u\{[0-9a-f]{0,9}|x[0-9a-f]?|[0-3][0-7]?|[4-7])?|%(?:u[0-9a-f]{0,3}|[0-9a-f])?|&(?:#(?:x[0-9a-f]{0,12}|[0-9]{0,13})|[a-z]{0,6})?)$/i;

/** HTML's names for the characters that a key may contain, in lower case. */
const NAMED: Record<string, string> = {
	amp: '&',
	apos: "'",
	ast: '*',
	bsol: '\\',
	colon: ':',
	comma: ',',
	commat: '@',
	dollar: '$',
	equals: '=',
	excl: '!',
	grave: '`',
	gt: '>',
	hat: '^',
	lbrack: '[',
	lcub: '{',
	lowbar: '_',
	lpar: '(',
	lsqb: '[',
	lt: '<',
	num: '#',
	percnt: '%',
	period: '.',
	plus: '+',
	quest: '?',
	quot: '"',
	rcub: '}',
	rpar: ')',
	rsqb: ']',
	semi: ';',
	sol: '/',
	verbar: '|',
};

/** How often a text may have been escaped. */
const MAX_LEVELS = 4;

/** A text without its escapes, and where its characters stand in the text that it was decoded from. */
export interface Decoded {
	text: string;
	/** The position in the original text of a position in this one. */
	sourceOf: (position: number) => number;
}

/**
 * Decodes the escapes of a text, those within escapes as well.
 *
 * @param isOpen whether more text follows, so that an unfinished escape at the end does not belong to the result
 * @returns undefined for a text without escapes
 */
export function decodeEscapes(text: string, isOpen = false): Decoded | undefined {
	let decoded: Decoded | undefined;
	for (let level = 0; level < MAX_LEVELS; level++) {
		const next = decodeOnce(isOpen ? withoutUnfinished(decoded?.text ?? text) : (decoded?.text ?? text));
		if (!next) break;
		decoded = decoded ? combined(decoded, next) : next;
	}
	if (!isOpen) return decoded;
	const before = decoded?.text ?? text;
	const rest = withoutUnfinished(before);
	return rest === before ? decoded : { text: rest, sourceOf: decoded?.sourceOf ?? same };
}

function withoutUnfinished(text: string): string {
	const end = text.slice(-80);
	const unfinished = UNFINISHED.exec(end);
	return unfinished ? text.slice(0, text.length - end.length + unfinished.index) : text;
}

function decodeOnce(text: string): Decoded | undefined {
	const parts: string[] = [];
	/** For each escape: the position of its character in the result, and its end in the text. */
	const positions: number[] = [];
	const ends: number[] = [];
	let length = 0;
	let end = 0;
	for (const match of text.matchAll(ESCAPE)) {
		const character = characterOf(match);
		if (character === undefined) continue;
		parts.push(text.slice(end, match.index), character);
		length += match.index - end;
		positions.push(length);
		length += 1;
		end = match.index + match[0].length;
		ends.push(end);
	}
	if (positions.length === 0) return undefined;
	parts.push(text.slice(end));
	return {
		text: parts.join(''),
		sourceOf(position) {
			const before = countBelow(positions, position);
			return before === 0 ? position : ends[before - 1] + position - positions[before - 1] - 1;
		},
	};
}

function characterOf([
	,
	u,
	braced,
	x,
	octal,
	symbol,
	percentU,
	percent,
	hex,
	decimal,
	name,
]: RegExpMatchArray): string | undefined {
	// No key contains a line break, so it does not matter which one it is.
	if (symbol !== undefined) return /[nrt]/i.test(symbol) ? '\n' : symbol;
	if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
	if (name !== undefined) return NAMED[name.toLowerCase()];
	const digits = u ?? braced ?? x ?? percentU ?? percent ?? hex;
	// A character outside of the basic plane would be two; no key contains one.
	return String.fromCharCode(digits === undefined ? Number(decimal) : Number.parseInt(digits, 16));
}

function combined(outer: Decoded, inner: Decoded): Decoded {
	return { text: inner.text, sourceOf: (position) => outer.sourceOf(inner.sourceOf(position)) };
}

function same(position: number): number {
	return position;
}

/** How many of the ascending numbers are less than `limit`. */
function countBelow(numbers: number[], limit: number): number {
	let from = 0;
	let to = numbers.length;
	while (from < to) {
		const middle = (from + to) >> 1;
		if (numbers[middle] < limit) from = middle + 1;
		else to = middle;
	}
	return from;
}
