import type { z, ZodIssue, ZodTypeAny } from 'zod';

type Path = ReadonlyArray<string | number>;

/** A limit that prevents an endless loop. Each step removes something. */
const maxSteps = 1_000;

/** Returns the issue to report. For a union, it is that of the member that matched furthest. */
export function decisive(issue: ZodIssue): ZodIssue {
	if (issue.code !== 'invalid_union') return issue;
	const candidates = issue.unionErrors.map((error) => decisive(error.issues[0]));
	return candidates.reduce((best, next) => (next.path.length > best.path.length ? next : best));
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(body: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(value, key) =>
			typeof value === 'object' && value !== null
				? (value as Record<string | number, unknown>)[key]
				: undefined,
		body,
	);
}

/** Removes the value at a path, or what contains the gap if it is missing. @returns false if that is the whole body */
function remove(body: unknown, path: Path): boolean {
	if (path.length === 0) return false;
	const inside = path.slice(0, -1);
	const key = path[path.length - 1];
	if (valueAt(body, path) === undefined) return remove(body, inside);
	const parent = valueAt(body, inside) as unknown[] | Record<string, unknown>;
	if (Array.isArray(parent)) parent.splice(Number(key), 1);
	else delete parent[key];
	return true;
}

/**
 * What a schema makes of a body without the parts that it does not accept, as a gateway ignores what it does not know.
 * @returns undefined if nothing is left
 */
export function pruned<Schema extends ZodTypeAny>(
	schema: Schema,
	body: unknown,
): z.output<Schema> | undefined {
	const copy: unknown = structuredClone(body);
	for (let step = 0; step < maxSteps; step += 1) {
		const result = schema.safeParse(copy) as z.SafeParseReturnType<unknown, z.output<Schema>>;
		if (result.success) return result.data;
		const issue = decisive(result.error.issues[0]);
		const paths =
			issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
		if (!paths.every((path) => remove(copy, path))) return undefined;
	}
	return undefined;
}
