import { asRecord } from '../../shared/values';
import { Pattern, type Patterns } from './pattern';

/** A JSON Schema or a part of one. */
export type Schema = boolean | Record<string, unknown>;

/** Checks a value against a part of the schema. @returns the first mismatch */
export type Visit = (schema: Schema, value: unknown, path: string) => string | undefined;

/** The value of a keyword, and the value to check against it. */
export interface Check<Rule> {
	rule: Rule;
	/** The schema that contains the keyword. */
	schema: Record<string, unknown>;
	value: unknown;
	/** Where the value is, in words. */
	path: string;
	visit: Visit;
	patterns: Patterns;
}

/** What a keyword of JSON Schema means. */
export interface Keyword {
	/** Whether JSON Schema allows the value of the keyword. */
	isRule(rule: unknown): boolean;
	/** What does not match, or undefined. */
	mismatch(check: Check<unknown>): string | undefined;
	/** Whether the rule, or a part of it, is ignored; undefined if never. */
	isIgnored?(rule: unknown): boolean;
	/** The schemas inside the rule, by their path in it. */
	schemas?(rule: unknown): Record<string, unknown>;
}

export const isCount = (rule: unknown) => Number.isInteger(rule) && (rule as number) >= 0;
export const isNumber = (rule: unknown) => typeof rule === 'number';
export const isSchema = (rule: unknown) => typeof rule === 'boolean' || asRecord(rule) !== undefined;
export const isSchemaList = (rule: unknown) => Array.isArray(rule) && rule.length > 0 && rule.every(isSchema);
export const isSchemaMap = (rule: unknown) =>
	Object.values(asRecord(rule) ?? { not: 'a map' }).every(isSchema);
export const isPattern = (rule: unknown) => {
	try {
		return typeof rule === 'string' && new RegExp(rule, 'u').unicode;
	} catch {
		return false;
	}
};

/** Whether a valid pattern is ignored. */
export const isIgnoredPattern = (rule: unknown) => Pattern.of(rule as string) === undefined;

/** For {@link Keyword.schemas}: a rule that is one schema. */
export const itself = (rule: unknown) => (isSchema(rule) ? { '': rule } : {});

/** For {@link Keyword.schemas}: a rule that is a list or map of schemas. */
export const eachOf = (rule: unknown) =>
	Object.fromEntries(Object.entries(rule ?? {}).map(([name, inner]) => [`/${name}`, inner]));

/**
 * A keyword for numbers, texts, lists, or objects that compares a size with a limit.
 *
 * @param sizeOf undefined for values to which the keyword does not apply
 * @param words what the value must do
 */
export function limit(
	sizeOf: (value: unknown) => number | undefined,
	isWithin: (size: number, rule: number) => boolean,
	words: (rule: number) => string,
	isRule: (rule: unknown) => boolean = isNumber,
): Keyword {
	return {
		isRule,
		mismatch: ({ rule, value, path }: Check<number>) => {
			const size = sizeOf(value);
			return size === undefined || isWithin(size, rule) ? undefined : `${path} must ${words(rule)}`;
		},
	};
}

/** For example "1 field" or "2 fields". */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
