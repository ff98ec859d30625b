import { asRecord } from '../../shared/values';
import {
	counted,
	eachOf,
	isCount,
	isIgnoredPattern,
	isNumber,
	isPattern,
	isSchema,
	isSchemaList,
	isSchemaMap,
	itself,
	limit,
	type Check,
	type Keyword,
	type Schema,
} from './keyword';

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

const isFlag = (rule: unknown) => typeof rule === 'boolean';
const isTextList = (rule: unknown) => Array.isArray(rule) && rule.every((name) => typeof name === 'string');
const isAnything = () => true;

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
		mismatch: ({ rule, value, path }: Check<string | string[]>) => {
			const names = [rule].flat();
			return names.some((name) => TYPES[name](value))
				? undefined
				: `${path} must be of type ${names.join(' or ')}`;
		},
	},
	enum: {
		isRule: Array.isArray,
		mismatch: ({ rule, value, path }: Check<unknown[]>) =>
			rule.some((allowed) => isSame(allowed, value))
				? undefined
				: `${path} must be one of ${rule.map((allowed) => JSON.stringify(allowed)).join(', ')}`,
	},
	const: {
		isRule: isAnything,
		mismatch: ({ rule, value, path }: Check<unknown>) =>
			isSame(rule, value) ? undefined : `${path} must be ${JSON.stringify(rule)}`,
	},
	properties: {
		isRule: isSchemaMap,
		schemas: eachOf,
		mismatch: ({ rule, value, path, visit }: Check<Schemas>) =>
			first(Object.entries(rule), ([name, schema]) => {
				const record = asRecord(value);
				return record && Object.hasOwn(record, name)
					? visit(schema, record[name], `${path}.${name}`)
					: undefined;
			}),
	},
	required: {
		isRule: isTextList,
		mismatch: ({ rule, value, path }: Check<string[]>) => {
			const record = asRecord(value);
			const missing = record && rule.find((name) => !Object.hasOwn(record, name));
			return missing === undefined ? undefined : `${path} is missing the field "${missing}"`;
		},
	},
	additionalProperties: {
		isRule: isSchema,
		schemas: itself,
		mismatch: ({ rule, schema, value, path, visit, patterns }: Check<Schema>) => {
			const named = schema.properties ?? {};
			const sources = Object.keys(schema.patternProperties ?? {});
			return first(Object.entries(asRecord(value) ?? {}), ([name, inner]) =>
				Object.hasOwn(named, name) || sources.some((source) => patterns.fits(source, name) !== false)
					? undefined
					: visit(rule, inner, `${path}.${name}`),
			);
		},
	},
	patternProperties: {
		isRule: (rule) => isSchemaMap(rule) && Object.keys(rule as object).every(isPattern),
		isIgnored: (rule) => Object.keys(rule as object).some(isIgnoredPattern),
		schemas: eachOf,
		mismatch: ({ rule, value, path, visit, patterns }: Check<Schemas>) =>
			first(Object.entries(rule), ([source, schema]) =>
				first(Object.entries(asRecord(value) ?? {}), ([name, inner]) =>
					patterns.fits(source, name) === true ? visit(schema, inner, `${path}.${name}`) : undefined,
				),
			),
	},
	minProperties: limit(fields, atLeast, (rule) => `have at least ${counted(rule, 'field')}`, isCount),
	maxProperties: limit(fields, atMost, (rule) => `have at most ${counted(rule, 'field')}`, isCount),
	prefixItems: {
		isRule: isSchemaList,
		schemas: eachOf,
		mismatch: ({ rule, value, path, visit }: Check<Schema[]>) =>
			Array.isArray(value)
				? first([...rule.entries()].slice(0, value.length), ([index, schema]) =>
						visit(schema, value[index], `${path}[${index}]`),
					)
				: undefined,
	},
	items: {
		isRule: isSchema,
		schemas: itself,
		mismatch: ({ rule, schema, value, path, visit }: Check<Schema>) => {
			if (!Array.isArray(value)) return undefined;
			const before = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
			return first([...value.entries()].slice(before), ([index, inner]) =>
				visit(rule, inner, `${path}[${index}]`),
			);
		},
	},
	minItems: limit(elements, atLeast, (rule) => `have at least ${counted(rule, 'element')}`, isCount),
	maxItems: limit(elements, atMost, (rule) => `have at most ${counted(rule, 'element')}`, isCount),
	uniqueItems: {
		isRule: isFlag,
		mismatch: ({ rule, value, path }: Check<boolean>) => {
			const texts = rule && Array.isArray(value) ? value.map(sorted) : [];
			return new Set(texts).size === texts.length ? undefined : `${path} must not repeat an element`;
		},
	},
	minLength: limit(characters, atLeast, (rule) => `have at least ${counted(rule, 'character')}`, isCount),
	maxLength: limit(characters, atMost, (rule) => `have at most ${counted(rule, 'character')}`, isCount),
	pattern: {
		isRule: isPattern,
		isIgnored: isIgnoredPattern,
		mismatch: ({ rule, value, path, patterns }: Check<string>) => {
			const fits = typeof value === 'string' ? patterns.fits(rule, value) : undefined;
			if (fits === 'too long') return `${path} is too long to be compared with ${rule}`;
			return fits === false ? `${path} must match ${rule}` : undefined;
		},
	},
	minimum: limit(numberItself, atLeast, (rule) => `be at least ${rule}`),
	maximum: limit(numberItself, atMost, (rule) => `be at most ${rule}`),
	exclusiveMinimum: limit(
		numberItself,
		(size, rule) => size > rule,
		(rule) => `be more than ${rule}`,
	),
	exclusiveMaximum: limit(
		numberItself,
		(size, rule) => size < rule,
		(rule) => `be less than ${rule}`,
	),
	multipleOf: limit(
		numberItself,
		isMultiple,
		(rule) => `be a multiple of ${rule}`,
		(rule) => isNumber(rule) && Number(rule) > 0,
	),
	allOf: {
		isRule: isSchemaList,
		schemas: eachOf,
		mismatch: ({ rule, value, path, visit }: Check<Schema[]>) =>
			first(rule, (schema) => visit(schema, value, path)),
	},
	anyOf: {
		isRule: isSchemaList,
		schemas: eachOf,
		mismatch: ({ rule, value, path, visit }: Check<Schema[]>) =>
			rule.some((schema) => visit(schema, value, path) === undefined)
				? undefined
				: `${path} matches none of the schemas in anyOf`,
	},
	oneOf: {
		isRule: isSchemaList,
		schemas: eachOf,
		mismatch: ({ rule, value, path, visit }: Check<Schema[]>) => {
			const matching = rule.filter((schema) => visit(schema, value, path) === undefined).length;
			return matching === 1
				? undefined
				: `${path} matches ${matching} of the schemas in oneOf instead of exactly one`;
		},
	},
	not: {
		isRule: isSchema,
		schemas: itself,
		mismatch: ({ rule, value, path, visit }: Check<Schema>) =>
			visit(rule, value, path) === undefined ? `${path} matches the schema in "not"` : undefined,
	},
	// Schemas for references; they check nothing by themselves.
	$defs: { isRule: isSchemaMap, schemas: eachOf, mismatch: () => undefined },
	definitions: { isRule: isSchemaMap, schemas: eachOf, mismatch: () => undefined },
};

function first<T>(values: Iterable<T>, mismatch: (value: T) => string | undefined): string | undefined {
	for (const value of values) {
		const found = mismatch(value);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Allows for rounding: 0.3 is a multiple of 0.1. */
function isMultiple(size: number, rule: number): boolean {
	const quotient = size / rule;
	return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function isSame(one: unknown, other: unknown): boolean {
	return sorted(one) === sorted(other);
}

/** JSON in which the order of fields does not matter. */
function sorted(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) => {
		const record = asRecord(inner);
		return record ? Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
	});
}
