import { approximateLength, asRecord } from '../../shared/values';
import { type Inner, innerSchemas, type Part, type Schema } from './keywords';
import { MAX_STEPS, patternSteps } from './pattern';

/** Applying a schema to a value takes as long as so many steps of a pattern. */
const STEPS_OF_ONE_SCHEMA = 100;
const STEPS_OF_A_NAME = 5;
/** Of values that are compared. */
const CHARACTERS_OF_ONE_STEP = 4;
/** The stack has room for about twice as many calls of the library inside each other. */
const MAX_DEPTH = 250;

/** What a schema demands. */
interface Rules {
	inner: Inner[];
	/** The length of the values that a value is compared with. */
	compared: number;
}

/**
 * Counts the steps of a check before it begins, because nothing can interrupt it: a schema that refers to itself may take
 * endless or exponential time, a list that must not repeat an element quadratic time, and a pattern whatever it likes.
 */
export class Effort {
	private readonly rules = new Map<Part, Rules>();
	private readonly patterns = new Map<string, ReturnType<typeof patternSteps>>();
	private steps = 0;

	/** @param target the schema that the reference of a schema leads to, if it has one */
	constructor(private readonly target: (part: Part) => Schema | undefined) {}

	/** Whether the check would take too long, or too many calls inside each other. */
	isTooMuch(schema: Schema, value: unknown): boolean {
		this.steps = 0;
		return !this.isWithinLimits(schema, value, 0);
	}

	private isWithinLimits(part: Schema, value: unknown, depth: number): boolean {
		this.steps += STEPS_OF_ONE_SCHEMA;
		if (typeof part === 'boolean') return this.steps <= MAX_STEPS;
		const rules = this.rules.get(part) ?? this.rulesOf(part);
		this.steps += this.ownSteps(part, rules, value);
		if (this.steps > MAX_STEPS || depth > MAX_DEPTH) return false;
		return rules.inner.every(({ appliesTo, schemas }) =>
			schemas.every(([name, inner]) =>
				valuesFor(appliesTo, name, value).every((one) => this.isWithinLimits(inner, one, depth + 1)),
			),
		);
	}

	private rulesOf(part: Part): Rules {
		const target = this.target(part);
		const referred: Inner[] = target === undefined ? [] : [{ appliesTo: 'inPlace', schemas: [['', target]] }];
		const inner = Object.entries(part).map(([keyword, rule]) => innerSchemas(keyword, rule));
		const { enum: allowed, const: only, required } = part;
		const compared = approximateLength([allowed, only, required]);
		const rules = { inner: [...referred, ...inner], compared };
		this.rules.set(part, rules);
		return rules;
	}

	/** Without those of the schemas in it. */
	private ownSteps(part: Part, { inner, compared }: Rules, value: unknown): number {
		const { pattern, patternProperties, uniqueItems } = part;
		const names = Object.keys(asRecord(value) ?? {});
		const unique = uniqueItems && Array.isArray(value) ? value.length * approximateLength(value) : 0;
		let steps = (compared + unique) / CHARACTERS_OF_ONE_STEP;
		steps += STEPS_OF_A_NAME * inner.reduce((count, { schemas }) => count + schemas.length, names.length);
		if (typeof value === 'string' && pattern !== undefined) steps += this.matching(pattern as string, value);
		for (const source of Object.keys(patternProperties ?? {})) {
			for (const name of names) steps += this.matching(source, name);
		}
		return steps;
	}

	private matching(pattern: string, text: string): number {
		if (!this.patterns.has(pattern)) this.patterns.set(pattern, patternSteps(pattern));
		return this.patterns.get(pattern)?.(text.length) ?? Number.POSITIVE_INFINITY;
	}
}

/** What a schema is applied to, of a value. */
function valuesFor(appliesTo: Inner['appliesTo'], name: string, value: unknown): unknown[] {
	if (appliesTo === 'inPlace') return [value];
	if (appliesTo === 'nothing' || typeof value !== 'object' || value === null) return [];
	if (appliesTo === 'each') return Object.values(value);
	if (appliesTo === 'names') return Object.keys(value);
	return Object.hasOwn(value, name) ? [(value as Part)[name]] : [];
}
