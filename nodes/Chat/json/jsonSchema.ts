import { asRecord } from '../../shared/values';
import { KEYWORDS, type Schema, type Visit } from './keywords';

export type { Schema } from './keywords';

/** A schema that refers to itself without ever going deeper into the value would be followed for ever. */
const MAX_DEPTH = 500;

/** A schema was found to refer to itself without end. */
export class EndlessSchema extends Error {
	constructor() {
		super('it refers to itself without end');
	}
}

/**
 * Checks a value against a JSON Schema. Understood are the keywords of `KEYWORDS` and references inside the
 * schema; annotations and formats say nothing about validity.
 *
 * @param schema must have passed {@link schemaDefect}
 * @returns what does not fit first, beginning with where it stands, or undefined when all fits
 * @throws EndlessSchema
 */
export function firstMisfit(schema: Schema, value: unknown): string | undefined {
	let depth = 0;
	const visit: Visit = (part, inner, path) => {
		if (part === true) return undefined;
		if (part === false) return `${path} is not allowed`;
		if (depth === MAX_DEPTH) throw new EndlessSchema();
		depth += 1;
		try {
			const own = part.$ref === undefined ? undefined : visit(target(schema, part.$ref)!, inner, path);
			return own ?? misfitOf(part, inner, path);
		} finally {
			depth -= 1;
		}
	};
	const misfitOf = (part: Exclude<Schema, boolean>, inner: unknown, path: string) => {
		for (const [keyword, rule] of Object.entries(part)) {
			const misfit = keywordOf(keyword)?.misfit({ rule, schema: part, value: inner, path, visit });
			if (misfit !== undefined) return misfit;
		}
		return undefined;
	};
	return visit(schema, value, 'the value');
}

/**
 * What is wrong with a schema itself, or undefined when it can be used.
 */
export function schemaDefect(schema: unknown): string | undefined {
	const seen = new Set<unknown>();
	const check = (part: unknown, path: string): string | undefined => {
		if (typeof part === 'boolean' || seen.has(part)) return undefined;
		seen.add(part);
		const record = asRecord(part);
		if (!record) return `${path} is neither an object nor true or false`;
		if (record.$ref !== undefined && target(schema as Schema, record.$ref) === undefined) {
			return `${path} refers to ${JSON.stringify(record.$ref)}, which is not in it`;
		}
		for (const [keyword, rule] of Object.entries(record)) {
			const here = `${path}/${keyword}`;
			const known = keywordOf(keyword);
			if (known && !known.isRule(rule)) return `${here} is not as JSON Schema says`;
			for (const [name, inner] of Object.entries(known?.schemas?.(rule) ?? {})) {
				const defect = check(inner, `${here}${name}`);
				if (defect) return defect;
			}
		}
		return undefined;
	};
	return check(schema, '#') ?? endlessness(schema as Schema);
}

/** Keywords of a schema (and of what is in it) that are not checked, without repetition. */
export function uncheckedKeywords(schema: unknown): string[] {
	const found = new Set<string>();
	const seen = new Set<unknown>();
	const collect = (part: unknown) => {
		const record = asRecord(part);
		if (!record || seen.has(part)) return;
		seen.add(part);
		for (const [keyword, rule] of Object.entries(record)) {
			const known = keywordOf(keyword);
			if (!known && !ANNOTATIONS.includes(keyword)) found.add(keyword);
			for (const inner of Object.values(known?.schemas?.(rule) ?? {})) collect(inner);
		}
	};
	collect(schema);
	return [...found];
}

const ANNOTATIONS = [
	'$schema',
	'$id',
	'$ref',
	'$comment',
	'title',
	'description',
	'default',
	'examples',
	'example',
	'format',
	'deprecated',
	'readOnly',
	'writeOnly',
];

function keywordOf(name: string) {
	return Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
}

function endlessness(schema: Schema): string | undefined {
	try {
		firstMisfit(schema, null);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** The schema that a reference of the form `#/$defs/name` means. */
function target(root: Schema, reference: unknown): Schema | undefined {
	if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined;
	let part: unknown = root;
	for (const step of reference.split('/').slice(1)) {
		const name = unescaped(step);
		if (name === undefined || typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) {
			return undefined;
		}
		part = (part as Record<string, unknown>)[name];
	}
	return typeof part === 'boolean' ? part : asRecord(part);
}

function unescaped(step: string): string | undefined {
	try {
		return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
	} catch {
		return undefined;
	}
}
