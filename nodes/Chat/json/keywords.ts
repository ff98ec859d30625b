import { asRecord } from '../../shared/values';

/** A JSON Schema or a part of one. */
export type Schema = boolean | Record<string, unknown>;

/** Checks a value against a part of the schema. */
export type Visit = (schema: Schema, value: unknown, path: string) => string | undefined;

interface Check<Rule> {
	rule: Rule;
	/** The schema that the keyword stands in. */
	schema: Record<string, unknown>;
	value: unknown;
	/** Where the value stands, in words. */
	path: string;
	visit: Visit;
}

interface Keyword {
	/** Whether what stands behind the keyword is what JSON Schema allows there. */
	isRule(rule: unknown): boolean;
	/** What does not fit, or undefined. */
	misfit(check: Check<unknown>): string | undefined;
	/** The schemas inside the rule, by their place in it. */
	schemas?(rule: unknown): Record<string, unknown>;
}

type Schemas = Record<string, Schema>;

const TYPES: Record<string, (value: unknown) => boolean> = {
	string: (value) => typeof value === 'string',
	number: (value) => typeof value === 'number',
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === 'boolean',
	array: Array.isArray,
	object: (value) => asRecord(value) !== undefined,
	null: (value) => value === null,
};

const isCount = (rule: unknown) => Number.isInteger(rule) && (rule as number) >= 0;
const isNumber = (rule: unknown) => typeof rule === 'number';
const isFlag = (rule: unknown) => typeof rule === 'boolean';
const isSchema = (rule: unknown) => typeof rule === 'boolean' || asRecord(rule) !== undefined;
const isSchemaList = (rule: unknown) => Array.isArray(rule) && rule.length > 0 && rule.every(isSchema);
const isSchemaMap = (rule: unknown) => Object.values(asRecord(rule) ?? { not: 'a map' }).every(isSchema);
const isTextList = (rule: unknown) => Array.isArray(rule) && rule.every((name) => typeof name === 'string');
const isAnything = () => true;

const itself = (rule: unknown) => (isSchema(rule) ? { '': rule } : {});
const eachOf = (rule: unknown) =>
	Object.fromEntries(Object.entries(rule ?? {}).map(([name, inner]) => [`/${name}`, inner]));

const patternOf = (rule: string) => new RegExp(rule, 'u');
const isPattern = (rule: unknown) => {
	try {
		return typeof rule === 'string' && patternOf(rule) !== undefined;
	} catch {
		return false;
	}
};

/** A keyword for numbers, texts or lists that compares a size with a limit. */
function limit(
	sizeOf: (value: unknown) => number | undefined,
	holds: (size: number, rule: number) => boolean,
	words: string,
	isRule: (rule: unknown) => boolean = isNumber,
): Keyword {
	return {
		isRule,
		misfit: ({ rule, value, path }: Check<number>) => {
			const size = sizeOf(value);
			return size === undefined || holds(size, rule) ? undefined : `${path} should ${words} ${rule}`;
		},
	};
}

const numberItself = (value: unknown) => (typeof value === 'number' ? value : undefined);
const characters = (value: unknown) => (typeof value === 'string' ? [...value].length : undefined);
const elements = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const fields = (value: unknown) => (asRecord(value) ? Object.keys(value as object).length : undefined);
const atLeast = (size: number, rule: number) => size >= rule;
const atMost = (size: number, rule: number) => size <= rule;

/** The keywords of JSON Schema that are checked, by name. */
export const KEYWORDS: Record<string, Keyword> = {
	type: {
		isRule: (rule) => [rule].flat().every((name) => Object.hasOwn(TYPES, name as string)),
		misfit: ({ rule, value, path }: Check<string | string[]>) => {
			const names = [rule].flat();
			return names.some((name) => TYPES[name](value))
				? undefined
				: `${path} should be of type ${names.join(' or ')}`;
		},
	},
	enum: {
		isRule: Array.isArray,
		misfit: ({ rule, value, path }: Check<unknown[]>) =>
			rule.some((allowed) => isSame(allowed, value))
				? undefined
				: `${path} should be one of ${rule.map((allowed) => JSON.stringify(allowed)).join(', ')}`,
	},
	const: {
		isRule: isAnything,
		misfit: ({ rule, value, path }: Check<unknown>) =>
			isSame(rule, value) ? undefined : `${path} should be ${JSON.stringify(rule)}`,
	},
	properties: {
		isRule: isSchemaMap,
		schemas: eachOf,
		misfit: ({ rule, value, path, visit }: Check<Schemas>) =>
			first(Object.entries(rule), ([name, schema]) => {
				const record = asRecord(value);
				return record && Object.hasOwn(record, name)
					? visit(schema, record[name], `${path}.${name}`)
					: undefined;
			}),
	},
	required: {
		isRule: isTextList,
		misfit: ({ rule, value, path }: Check<string[]>) => {
			const record = asRecord(value);
			const missing = record && rule.find((name) => !Object.hasOwn(record, name));
			return missing === undefined ? undefined : `${path} lacks the field "${missing}"`;
		},
	},
	additionalProperties: {
		isRule: isSchema,
		schemas: itself,
		misfit: ({ rule, schema, value, path, visit }: Check<Schema>) => {
			const named = schema.properties ?? {};
			const patterns = Object.keys(schema.patternProperties ?? {}).map(patternOf);
			return first(Object.entries(asRecord(value) ?? {}), ([name, inner]) =>
				Object.hasOwn(named, name) || patterns.some((pattern) => pattern.test(name))
					? undefined
					: visit(rule, inner, `${path}.${name}`),
			);
		},
	},
	patternProperties: {
		isRule: (rule) => isSchemaMap(rule) && Object.keys(rule as object).every(isPattern),
		schemas: eachOf,
		misfit: ({ rule, value, path, visit }: Check<Schemas>) =>
			first(Object.entries(rule), ([pattern, schema]) =>
				first(Object.entries(asRecord(value) ?? {}), ([name, inner]) =>
					patternOf(pattern).test(name) ? visit(schema, inner, `${path}.${name}`) : undefined,
				),
			),
	},
	minProperties: limit(fields, atLeast, 'have at least this many fields:', isCount),
	maxProperties: limit(fields, atMost, 'have at most this many fields:', isCount),
	prefixItems: {
		isRule: isSchemaList,
		schemas: eachOf,
		misfit: ({ rule, value, path, visit }: Check<Schema[]>) =>
			Array.isArray(value)
				? first([...rule.entries()].slice(0, value.length), ([index, schema]) =>
						visit(schema, value[index], `${path}[${index}]`),
					)
				: undefined,
	},
	items: {
		isRule: isSchema,
		schemas: itself,
		misfit: ({ rule, schema, value, path, visit }: Check<Schema>) => {
			if (!Array.isArray(value)) return undefined;
			const before = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
			return first([...value.entries()].slice(before), ([index, inner]) =>
				visit(rule, inner, `${path}[${index}]`),
			);
		},
	},
	minItems: limit(elements, atLeast, 'have at least this many elements:', isCount),
	maxItems: limit(elements, atMost, 'have at most this many elements:', isCount),
	uniqueItems: {
		isRule: isFlag,
		misfit: ({ rule, value, path }: Check<boolean>) => {
			const texts = rule && Array.isArray(value) ? value.map(sorted) : [];
			return new Set(texts).size === texts.length ? undefined : `${path} should not repeat an element`;
		},
	},
	minLength: limit(characters, atLeast, 'have at least this many characters:', isCount),
	maxLength: limit(characters, atMost, 'have at most this many characters:', isCount),
	pattern: {
		isRule: isPattern,
		misfit: ({ rule, value, path }: Check<string>) =>
			typeof value !== 'string' || patternOf(rule).test(value) ? undefined : `${path} should match ${rule}`,
	},
	minimum: limit(numberItself, atLeast, 'be at least'),
	maximum: limit(numberItself, atMost, 'be at most'),
	exclusiveMinimum: limit(numberItself, (size, rule) => size > rule, 'be more than'),
	exclusiveMaximum: limit(numberItself, (size, rule) => size < rule, 'be less than'),
	multipleOf: limit(
		numberItself,
		isMultiple,
		'be a multiple of',
		(rule) => isNumber(rule) && Number(rule) > 0,
	),
	allOf: {
		isRule: isSchemaList,
		schemas: eachOf,
		misfit: ({ rule, value, path, visit }: Check<Schema[]>) =>
			first(rule, (schema) => visit(schema, value, path)),
	},
	anyOf: {
		isRule: isSchemaList,
		schemas: eachOf,
		misfit: ({ rule, value, path, visit }: Check<Schema[]>) =>
			rule.some((schema) => visit(schema, value, path) === undefined)
				? undefined
				: `${path} fits none of the alternatives in anyOf`,
	},
	oneOf: {
		isRule: isSchemaList,
		schemas: eachOf,
		misfit: ({ rule, value, path, visit }: Check<Schema[]>) => {
			const fitting = rule.filter((schema) => visit(schema, value, path) === undefined).length;
			return fitting === 1
				? undefined
				: `${path} fits ${fitting} of the alternatives in oneOf instead of one`;
		},
	},
	not: {
		isRule: isSchema,
		schemas: itself,
		misfit: ({ rule, value, path, visit }: Check<Schema>) =>
			visit(rule, value, path) === undefined ? `${path} is what "not" excludes` : undefined,
	},
	// Schemas that are only referred to; they check nothing by themselves.
	$defs: { isRule: isSchemaMap, schemas: eachOf, misfit: () => undefined },
	definitions: { isRule: isSchemaMap, schemas: eachOf, misfit: () => undefined },
};

function first<T>(values: Iterable<T>, misfit: (value: T) => string | undefined): string | undefined {
	for (const value of values) {
		const found = misfit(value);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** 0.3 is a multiple of 0.1, although binary fractions say otherwise. */
function isMultiple(size: number, rule: number): boolean {
	const quotient = size / rule;
	return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function isSame(one: unknown, other: unknown): boolean {
	return sorted(one) === sorted(other);
}

/** JSON in which the order of fields no longer matters. */
function sorted(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) => {
		const record = asRecord(inner);
		return record ? Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
	});
}
