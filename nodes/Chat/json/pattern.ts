/** What checking one value may take, about a second. */
export const MAX_STEPS = 30_000_000;

/** Of a pattern in which limited repetitions are written out. */
const MAX_LENGTH = 2_000;
/** Texts of this length must be possible. */
const USUAL_LENGTH = 100;

/** A set in brackets or an escape sequence, which stands for one character. References are not among them. */
const SET = String.raw`\[(?:[^\]\\]|\\.)*\]?|\\(?:[pPu]\{[^}]*\}|[^k1-9])`;
const SETS = new RegExp(SET, 'gsu');
/** As in `[a-z]+(-[a-z]+)*`: a character, and a set that is repeated. */
const SEPARATED = new RegExp(
	String.raw`\((?:\?:)?([^\w\\()[\]{}|*+?.^$]|\\[\\^$.*+?()[\]{}|/])(${SET})[*+]\)[*+]`,
	'gsu',
);
const FIXED = /([^()|])\{(\d+)\}\??/g;
const QUANTIFIERS = /([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/g;
/** A group without others in it, which neither looks ahead nor back. */
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>|(?!\?))([^()]*)\)((?:[*+?]|\{[\d,]+\})?)\??/;

/**
 * How many steps a regular expression may take at most. The engine's own regular expressions may take exponential time,
 * the texts come from a model, and nothing can interrupt them, so that it must be known before.
 *
 * @returns the steps for a text of a length; undefined for a pattern that is invalid, looks ahead or back, refers back,
 * is very large, or may take very many steps for a short text
 */
export function patternSteps(source: string): ((length: number) => number) | undefined {
	if (source.length > MAX_LENGTH || !isValid(source)) return undefined;
	const simple = source
		.replace(SEPARATED, (group: string, separator: string, set: string) =>
			new RegExp(`^(?:${set})$`, 'u').test(separator.at(-1)!) ? group : 'x*',
		)
		.replace(SETS, 'x')
		.replace(FIXED, (_part, one: string, times: string) => repeated(one, Number(times)));
	const pattern = withoutGroups(simple);
	if (pattern === undefined || /[\\(]/.test(pattern)) return undefined;
	let ways = pattern.split('|').length;
	let size = pattern.replace(QUANTIFIERS, '').length;
	// Otherwise it may begin at any character.
	let ends = source.startsWith('^') && !source.includes('|') ? 0 : 1;
	for (const [quantifier] of pattern.matchAll(QUANTIFIERS)) {
		const [least, most] = timesOf(quantifier);
		size += Math.max(0, least - 1);
		if (most === Number.POSITIVE_INFINITY) ends += 1;
		else ways *= most - least + 1;
	}
	const steps = (length: number) => ways * size * choices(length, ends);
	return size <= MAX_LENGTH && steps(USUAL_LENGTH) <= MAX_STEPS ? steps : undefined;
}

/** A pattern that can be read in at least as many ways, without groups; undefined if it may be exponentially many. */
function withoutGroups(source: string): string | undefined {
	let pattern = source;
	for (let group = GROUP.exec(pattern); group; group = GROUP.exec(pattern)) {
		const [whole, content, quantifier] = group;
		const [least, most] = quantifier ? timesOf(quantifier) : [1, 1];
		let flat: string;
		if (most === Number.POSITIVE_INFINITY) {
			if (/[|*+?{]/.test(content)) return undefined;
			flat = `${repeated(content, least)}x*`;
		} else {
			const alternatives = content.split('|');
			const ways = (most - least + 1) * alternatives.length ** most;
			if (ways > MAX_STEPS) return undefined;
			flat = repeated(alternatives.join(''), most) + (ways > 1 ? `x{1,${ways}}` : '');
		}
		pattern = pattern.replace(whole, () => flat);
		if (pattern.length > MAX_LENGTH) return undefined;
	}
	return pattern;
}

/** At least one character for each time, and not many more than are allowed. */
function repeated(part: string, times: number): string {
	return (part || 'x').repeat(Math.min(times, MAX_LENGTH + 1));
}

/** In how many ways a text can be cut so many times, in order. */
function choices(length: number, cuts: number): number {
	let count = 1;
	for (let cut = 1; cut <= cuts; cut++) count *= (length + cut) / cut;
	return count;
}

function timesOf(quantifier: string): [least: number, most: number] {
	const unlimited = Number.POSITIVE_INFINITY;
	if ('*+?'.includes(quantifier[0]))
		return [quantifier[0] === '+' ? 1 : 0, quantifier[0] === '?' ? 1 : unlimited];
	const [least, most = least] = quantifier.slice(1, quantifier.indexOf('}')).split(',');
	return [Number(least), most === '' ? unlimited : Number(most)];
}

function isValid(source: string): boolean {
	try {
		return new RegExp(source, 'u').unicode;
	} catch {
		return false;
	}
}
