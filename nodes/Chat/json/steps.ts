import { approximateLength, asRecord } from '../../shared/plain/values';
import { type AppliesTo, type Inner, innerSchemas, type Part, type Schema } from './keywords';

/** Applying a schema to a value takes as long as this number of steps of a pattern. */
const STEPS_OF_ONE_SCHEMA = 100;
const STEPS_OF_A_NAME = 5;
/** The number of characters of compared values that takes as long as one step. */
const CHARACTERS_OF_ONE_STEP = 4;
/** The deepest nesting of the library's calls. The stack has room for about twice as many. */
const MAX_DEPTH = 250;

interface Rules {
	/** The schemas in it, and the one that it refers to. */
	inner: Inner[];
	/** The length of the values that a value is compared with. */
	compared: number;
	/** The steps of its patterns for texts, and for names of fields, by their length. */
	texts: Array<(length: number) => number>;
	names: Array<(length: number) => number>;
}

/**
 * Returns a function that tells whether a check is short and flat enough to run, because nothing can interrupt it: a
 * schema that refers to itself may take exponential time, a list without repetitions quadratic time.
 */
export function withinSteps(target: (part: Part) => Schema | undefined) {
	const known = new WeakMap<Part, Rules>();
	return (schema: Schema, root: unknown): boolean => {
		let steps = 0;
		const isWithinLimits = (part: Schema, value: unknown, depth: number): boolean => {
			steps += STEPS_OF_ONE_SCHEMA;
			if (typeof part === 'boolean') return steps <= MAX_STEPS;
			const rules = known.get(part) ?? rulesOf(part, target(part));
			known.set(part, rules);
			steps += ownSteps(part, rules, value);
			if (steps > MAX_STEPS || depth > MAX_DEPTH) return false;
			return rules.inner.every(({ appliesTo, name, schema: one }) =>
				valuesFor(appliesTo, name, value).every((each) => isWithinLimits(one, each, depth + 1)),
			);
		};
		return isWithinLimits(schema, root, 0);
	};
}

function rulesOf(part: Part, referred: Schema | undefined): Rules {
	const { enum: allowed, const: only, required, pattern, patternProperties = {} } = part;
	const inner = innerSchemas(part);
	if (referred !== undefined) inner.push({ appliesTo: 'inPlace', name: '', schema: referred });
	return {
		inner,
		compared: approximateLength([allowed, only, required]),
		texts: (pattern === undefined ? [] : [pattern as string]).map(stepsOf),
		names: Object.keys(patternProperties as object).map(stepsOf),
	};
}

/** Counts the steps of a schema, without those of the schemas in it. */
function ownSteps({ uniqueItems }: Part, rules: Rules, value: unknown): number {
	const unique = uniqueItems && Array.isArray(value) ? value.length * approximateLength(value) : 0;
	const names = Object.keys(asRecord(value) ?? {});
	let steps = (rules.compared + unique) / CHARACTERS_OF_ONE_STEP;
	steps += STEPS_OF_A_NAME * (names.length + rules.inner.length);
	if (typeof value === 'string') for (const matching of rules.texts) steps += matching(value.length);
	for (const matching of rules.names) for (const { length } of names) steps += matching(length);
	return steps;
}

function stepsOf(pattern: string): (length: number) => number {
	return patternSteps(pattern) ?? (() => Number.POSITIVE_INFINITY);
}

/** Returns the values inside a value that a schema applies to. */
function valuesFor(appliesTo: AppliesTo, name: string, value: unknown): unknown[] {
	if (appliesTo === 'inPlace') return [value];
	if (appliesTo === 'nothing' || typeof value !== 'object' || value === null) return [];
	if (appliesTo === 'each') return Object.values(value);
	if (appliesTo === 'names') return Object.keys(value);
	return Object.hasOwn(value, name) ? [(value as Part)[name]] : [];
}

/** The most steps for the check of one value. They take about a second. */
const MAX_STEPS = 30_000_000;

/** The most characters in a pattern, and the most that it may demand of a text. */
const MAX_LENGTH = 2_000;
/** The length of texts that a pattern must be able to check in time. */
const USUAL_LENGTH = 100;

/** A set in brackets or an escape sequence, which stands for one character. References are not among them. */
const SET = String.raw`\[(?:[^\]\\]|\\.)*\]?|\\(?:[pPu]\{[^}]*\}|[^k1-9])`;
/** Matches a repeated group of a separator and a repeated set, as in `[a-z]+(-[a-z]+)*`. */
const SEPARATED = new RegExp(
	String.raw`\((?:\?:)?([^\w\\()[\]{}|*+?.^$]|\\[\\^$.*+?()[\]{}|/])(${SET})[*+]\)[*+]`,
	'gsu',
);
const GROUP = /\(\?(?::|<[^=!][^>]*>)/g;
const FIXED = /([^()|])\{(\d+)\}\??/g;
/** Matches a group with a fixed number of repetitions, as in `(\d{1,3}\.){3}`. */
const FIXED_GROUP = /\(([^()|]*)\)\{(\d+)\}/g;
/** Matches a repeated group that consists of single characters. */
const REPEATED = /\(([^()|*+?{]*)\)([*+]|\{(\d+)(?:,\d*)?\})/g;
const CHOICE = /([*+?|])|\{(\d+)(?:(,)(\d*))?\}/g;

/**
 * Returns a function from the length of a text to the steps that a regular expression may take. The limit matters: the
 * engine may take exponential time, the texts come from a model, and nothing can interrupt it. @returns undefined for a
 * pattern that is invalid, looks around, refers back, repeats a group in another way, or may take very long
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

/** Returns the number of ways to cut a text of a length at a number of places. */
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
