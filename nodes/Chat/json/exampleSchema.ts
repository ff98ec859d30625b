import type { Schema } from './keywords';

/**
 * The JSON Schema of values like an example: the same fields, of the same types. Null stands for any value, and so does
 * an element of a list whose elements differ or that has none.
 */
export function schemaOf(example: unknown): Schema {
	if (Array.isArray(example)) {
		const [first, ...others] = example.map(schemaOf);
		const areAlike = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
		return first === undefined || !areAlike ? { type: 'array' } : { type: 'array', items: first };
	}
	if (typeof example !== 'object') return { type: typeof example };
	if (example === null) return {};
	const properties = Object.fromEntries(
		Object.entries(example).map(([name, value]) => [name, schemaOf(value)]),
	);
	return { type: 'object', required: Object.keys(properties), properties };
}
