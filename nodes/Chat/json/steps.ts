import { approximateLength, asRecord } from '../../shared/values';
import { type AppliesTo, innerSchemas, type Part, type Schema } from './keywords';
import { MAX_STEPS, patternSteps } from './pattern';

/** Applying a schema to a value takes as long as so many steps of a pattern. */
const STEPS_OF_ONE_SCHEMA = 100;
const STEPS_OF_A_NAME = 5;
/** Of values that are compared. */
const CHARACTERS_OF_ONE_STEP = 4;
/** The stack has room for about twice as many calls of the library inside each other. */
const MAX_DEPTH = 250;

/**
 * Whether a check would take too long, or too many calls inside each other. It is counted before the check begins, because
 * nothing can interrupt it: a schema that refers to itself may take endless or exponential time, a list that must not
 * repeat an element quadratic time, and a pattern whatever it likes.
 *
 * @param target the schema that the reference of a schema leads to, if it has one
 */
export function isTooMuch(
	schema: Schema,
	root: unknown,
	target: (part: Part) => Schema | undefined,
): boolean {
	let steps = 0;
	const isWithinLimits = (part: Schema, value: unknown, depth: number): boolean => {
		steps += STEPS_OF_ONE_SCHEMA;
		if (typeof part === 'boolean') return steps <= MAX_STEPS;
		steps += ownSteps(part, value);
		if (steps > MAX_STEPS || depth > MAX_DEPTH) return false;
		const inner = innerSchemas(part);
		steps += STEPS_OF_A_NAME * inner.length;
		const referred = target(part);
		if (referred !== undefined) inner.push({ appliesTo: 'inPlace', name: '', schema: referred });
		return inner.every(({ appliesTo, name, schema: one }) =>
			valuesFor(appliesTo, name, value).every((each) => isWithinLimits(one, each, depth + 1)),
		);
	};
	return !isWithinLimits(schema, root, 0);
}

/** Without those of the schemas in it. */
function ownSteps(part: Part, value: unknown): number {
	const { enum: allowed, const: only, required, pattern, patternProperties = {}, uniqueItems } = part;
	const compared = approximateLength([allowed, only, required]);
	const unique = uniqueItems && Array.isArray(value) ? value.length * approximateLength(value) : 0;
	const names = Object.keys(asRecord(value) ?? {});
	const sources = Object.keys(patternProperties as object);
	const matched = sources.flatMap((source) => names.map((name) => stepsOf(source, name)));
	if (typeof value === 'string' && pattern !== undefined) matched.push(stepsOf(pattern as string, value));
	const own = (compared + unique) / CHARACTERS_OF_ONE_STEP + STEPS_OF_A_NAME * names.length;
	return matched.reduce((sum, steps) => sum + steps, own);
}

function stepsOf(pattern: string, text: string): number {
	return patternSteps(pattern)?.(text.length) ?? Number.POSITIVE_INFINITY;
}

/** What a schema is applied to, of a value. */
function valuesFor(appliesTo: AppliesTo, name: string, value: unknown): unknown[] {
	if (appliesTo === 'inPlace') return [value];
	if (appliesTo === 'nothing' || typeof value !== 'object' || value === null) return [];
	if (appliesTo === 'each') return Object.values(value);
	if (appliesTo === 'names') return Object.keys(value);
	return Object.hasOwn(value, name) ? [(value as Part)[name]] : [];
}
