import { asRecord } from '../../shared/plain/values';
import type { Fields } from '../formats/assembler';
import { ANNOTATIONS } from './keywords';

/** Keywords that the strict mode of chat completions knows. */
const STRICT_KEYWORDS = new Set([
	...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
	...['$ref', '$defs', 'definitions', 'title', 'description', 'pattern', 'format', 'multipleOf'],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);

/**
 * A schema as the strict mode demands it: every object lists all of its properties as required and allows no others.
 *
 * @returns undefined when the schema would have to mean something else for that
 */
export function closedForm(schema: unknown): Fields | undefined {
	const fields = asRecord(schema);
	if (!fields) return undefined;
	const closed: Fields = {};
	for (const [name, value] of Object.entries(fields)) {
		if (STRICT_KEYWORDS.has(name)) {
			const inner = closedKeyword(name, value);
			if (inner === undefined) return undefined;
			closed[name] = inner;
		} else if (!ANNOTATIONS.has(name)) return undefined;
	}
	const isObject = fields.type === 'object' || 'properties' in fields;
	if (isObject && !closeObject(closed)) return undefined;
	const says = ['type', 'anyOf', '$ref', 'enum', 'const'].some((name) => name in closed);
	return says ? closed : undefined;
}

function closedKeyword(name: string, value: unknown): unknown {
	if (name === 'items') return closedForm(value);
	if (name === 'anyOf') return allOrNone(Array.isArray(value) ? value.map(closedForm) : [undefined]);
	if (name !== 'properties' && name !== '$defs' && name !== 'definitions') return value;
	const parts = Object.entries(asRecord(value) ?? {});
	const closed = allOrNone(parts.map(([, part]) => closedForm(part)));
	return closed && Object.fromEntries(parts.map(([key], index) => [key, closed[index]]));
}

/** A list without gaps; undefined for one with gaps. */
export function allOrNone<T>(list: Array<T | undefined>): T[] | undefined {
	return list.some((entry) => entry === undefined) ? undefined : (list as T[]);
}

/** @returns whether the object has no other and no optional properties */
function closeObject(fields: Fields): boolean {
	const { additionalProperties = false, properties = {}, required = [] } = fields;
	if (additionalProperties !== false) return false;
	const names = Object.keys(properties as object);
	fields.additionalProperties = false;
	fields.properties = properties;
	fields.required = required;
	return Array.isArray(required) && names.every((name) => required.includes(name));
}
