import { approximateLength, asRecord } from '../../shared/plain/values';
import { type AppliesTo, type Inner, innerSchemas, type Part, type Schema } from './keywords';
import { MAX_STEPS, patternSteps } from './pattern';

/** Applying a schema to a value takes as long as this number of steps of a pattern. */
const STEPS_OF_ONE_SCHEMA = 100;
const STEPS_OF_A_NAME = 5;
/** Of values that are compared. */
const CHARACTERS_OF_ONE_STEP = 4;
/** The stack has room for about twice as many calls of the library inside each other. */
const MAX_DEPTH = 250;

interface Rules {
	/** Also the schema that it refers to. */
	inner: Inner[];
	/** The length of the values that a value is compared with. */
	compared: number;
	/** The steps of its patterns for texts, and for names of fields, by their length. */
	texts: Array<(length: number) => number>;
	names: Array<(length: number) => number>;
}

/** Remembers the rules of the parts of a schema. */
export type RulesOfParts = WeakMap<Part, Rules>;

/**
 * Tells whether a check would take too long, or too many calls inside each other. It is counted before, because nothing can
 * interrupt it: a schema that refers to itself may take exponential time, a list without repetitions quadratic time.
 */
export function isTooMuch(
	schema: Schema,
	root: unknown,
	known: RulesOfParts,
	target: (part: Part) => Schema | undefined,
): boolean {
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
	return !isWithinLimits(schema, root, 0);
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

/** Without those of the schemas in it. */
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

/** Finds what a schema is applied to, of a value. */
function valuesFor(appliesTo: AppliesTo, name: string, value: unknown): unknown[] {
	if (appliesTo === 'inPlace') return [value];
	if (appliesTo === 'nothing' || typeof value !== 'object' || value === null) return [];
	if (appliesTo === 'each') return Object.values(value);
	if (appliesTo === 'names') return Object.keys(value);
	return Object.hasOwn(value, name) ? [(value as Part)[name]] : [];
}
