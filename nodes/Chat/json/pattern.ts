/** Limits the check of one value, to about a second. */
export const MAX_STEPS = 30_000_000;

/** Of a pattern, and of the characters that it demands. */
const MAX_LENGTH = 2_000;
/** Texts of this length must be possible. */
const USUAL_LENGTH = 100;

/** A set in brackets or an escape sequence, which stands for one character. References are not among them. */
const SET = String.raw`\[(?:[^\]\\]|\\.)*\]?|\\(?:[pPu]\{[^}]*\}|[^k1-9])`;
/** As in `[a-z]+(-[a-z]+)*`: a character, and a set that is repeated. */
const SEPARATED = new RegExp(
	String.raw`\((?:\?:)?([^\w\\()[\]{}|*+?.^$]|\\[\\^$.*+?()[\]{}|/])(${SET})[*+]\)[*+]`,
	'gsu',
);
const GROUP = /\(\?(?::|<[^=!][^>]*>)/g;
const FIXED = /([^()|])\{(\d+)\}\??/g;
/** As in `(\d{1,3}\.){3}`. */
const FIXED_GROUP = /\(([^()|]*)\)\{(\d+)\}/g;
/** A group that consists of single characters. */
const REPEATED = /\(([^()|*+?{]*)\)([*+]|\{(\d+)(?:,\d*)?\})/g;
const CHOICE = /([*+?|])|\{(\d+)(?:(,)(\d*))?\}/g;

/**
 * Returns how many steps a regular expression may take for a text of a length. It must be known before: the engine may take
 * exponential time, the texts come from a model, and nothing can interrupt it. @returns undefined for a pattern that
 * is invalid, looks around, refers back, repeats a group in another way, or may take very long
 */
export function patternSteps(source: string): ((length: number) => number) | undefined {
	if (source.length > MAX_LENGTH || !isValid(source)) return undefined;
	const simple = source
		.replace(SEPARATED, (group: string, separator: string, set: string) =>
			new RegExp(`^(?:${set})$`, 'u').test(separator.at(-1)!) ? group : 'x*',
		)
		.replace(new RegExp(SET, 'gsu'), 'x')
		.replace(GROUP, '(')
		.replace(FIXED, (_part, one: string, times: string) => repeated(one, times))
		.replace(FIXED_GROUP, (_group, content: string, times: string) => repeated(content, times))
		.replace(REPEATED, (_group, content: string, choice: string, least?: string) => {
			return repeated(content, least ?? '1') + choice;
		});
	// It refers back, looks around, or still has a repeated group.
	if (/\\|\(\?|\)[*+{]/.test(simple)) return undefined;
	let size = simple.replace(CHOICE, '').length;
	let ways = 1;
	// Otherwise a match may begin at any character.
	let cuts = source.startsWith('^') && !source.includes('|') ? 0 : 1;
	for (const [, sign, least = '0', comma, most] of simple.matchAll(CHOICE)) {
		size += Number(least);
		if (sign === '*' || sign === '+' || most === '') cuts += 1;
		else if (sign) ways *= 2;
		else if (comma) ways *= Number(most) - Number(least) + 1;
	}
	const steps = (length: number) => ways * size * choices(length, cuts);
	return size <= MAX_LENGTH && steps(USUAL_LENGTH) <= MAX_STEPS ? steps : undefined;
}

function repeated(part: string, times: string): string {
	return (part || 'x').repeat(Math.min(Math.max(1, Number(times)), MAX_LENGTH + 1));
}

/** The number of ways to cut a text of a length at a number of places. */
function choices(length: number, cuts: number): number {
	let count = 1;
	for (let cut = 1; cut <= cuts; cut++) count *= (length + cut) / cut;
	return count;
}

function isValid(source: string): boolean {
	try {
		return new RegExp(source, 'u').unicode;
	} catch {
		return false;
	}
}
