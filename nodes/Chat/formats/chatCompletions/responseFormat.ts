import { ANNOTATIONS, type Schema } from '../../json/keywords';
import { ANSWER, check, each, eachNamed, fieldsOf, ifPossible } from '../schemaForm';
import type { Fields } from '../../../shared/plain/values';

/** `response_format`, as comparable services expect it. */
export function responseFormat(schema: Schema): Fields {
	const closed = ifPossible(() => closedForm(schema));
	const known = closed === undefined ? { strict: false, schema } : { strict: true, schema: closed };
	return { response_format: { type: 'json_schema', json_schema: { name: ANSWER, ...known } } };
}

const STRICT_KEYWORDS = new Set([
	...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
	...['$ref', '$defs', 'definitions', 'title', 'description', 'pattern', 'format', 'multipleOf'],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);

/** A schema as the strict mode demands it: every object lists all of its properties as required and allows no others. */
function closedForm(schema: unknown): Fields {
	const closed: Fields = {};
	for (const [name, value] of Object.entries(fieldsOf(schema))) {
		if (STRICT_KEYWORDS.has(name)) closed[name] = closedKeyword(name, value);
		else check(ANNOTATIONS.has(name));
	}
	if (closed.type === 'object' || 'properties' in closed) {
		const { additionalProperties = false, properties = {}, required = [] } = closed;
		const names = Object.keys(properties as object);
		check(additionalProperties === false && Array.isArray(required));
		check(names.every((name) => (required as unknown[]).includes(name)));
		Object.assign(closed, { additionalProperties, properties, required });
	}
	check(['type', 'anyOf', '$ref', 'enum', 'const'].some((name) => name in closed));
	return closed;
}

function closedKeyword(name: string, value: unknown): unknown {
	if (name === 'items') return closedForm(value);
	if (name === 'anyOf') return each(value, closedForm);
	return ['properties', '$defs', 'definitions'].includes(name) ? eachNamed(value, closedForm) : value;
}
