/** The parts of a JSON schema that the output of a node needs. */
export interface Schema {
	type: string | string[];
	description?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/**
 * Returns the meaning of a field; undefined if its name explains it.
 *
 * @param path the names of the fields around it, then its own name; `[]` stands for the entries of a list
 * @param siblings the names of all fields of the same object
 */
export type Describe = (path: string[], siblings: string[]) => string | undefined;

type Json = Record<string, unknown>;

/** The schema of values: the types and fields that any of them has, in the order of their first appearance. Pure. */
export function schemaOf(
	values: unknown[],
	describe: Describe,
	path: string[] = [],
	siblings: string[] = [],
): Schema {
	const types = [...new Set(values.map(typeOf))];
	const objects = values.filter((value): value is Json => typeOf(value) === 'object');
	const entries = values.filter(Array.isArray).flat() as unknown[];
	const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
	const isField = path.length > 0 && path.at(-1) !== '[]';
	const description = isField ? describe(path, siblings) : undefined;
	return {
		type: types.length === 1 ? types[0] : types.sort(nullLast),
		...(description === undefined ? {} : { description }),
		...(objects.length > 0
			? {
					properties: Object.fromEntries(
						names.map((name) => {
							const inside = objects.filter((value) => name in value).map((value) => value[name]);
							return [name, schemaOf(inside, describe, [...path, name], names)];
						}),
					),
				}
			: {}),
		...(entries.length > 0 ? { items: schemaOf(entries, describe, [...path, '[]']) } : {}),
	};
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}

/** Compares types so that null comes last, because n8n's editor shows the first of several types. */
function nullLast(one: string, other: string): number {
	return Number(one === 'null') - Number(other === 'null') || one.localeCompare(other);
}
