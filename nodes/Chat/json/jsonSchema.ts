import { asRecord } from '../../shared/values';
import type { Schema, Visit } from './keyword';
import { KEYWORDS } from './keywords';
import { Patterns } from './pattern';

export type { Schema } from './keyword';

/** A schema that refers to itself without going deeper into the value would be followed endlessly. */
const MAX_DEPTH = 500;

/** A schema refers to itself endlessly. */
class EndlessSchema extends Error {
	constructor() {
		super('it refers to itself endlessly');
	}
}

/**
 * Checks a value against a JSON Schema. It supports the keywords of `KEYWORDS` and references inside the schema;
 * annotations and formats do not affect validity.
 *
 * @param schema must have passed {@link schemaDefect}
 * @returns the first mismatch, beginning with its path, or undefined when the value matches
 * @throws Error for a schema that refers to itself endlessly
 */
export function firstMismatch(schema: Schema, value: unknown): string | undefined {
	let depth = 0;
	const patterns = new Patterns();
	const visit: Visit = (part, inner, path) => {
		if (part === true) return undefined;
		if (part === false) return `${path} is not allowed`;
		if (depth === MAX_DEPTH) throw new EndlessSchema();
		depth += 1;
		try {
			const own = part.$ref === undefined ? undefined : visit(target(schema, part.$ref)!, inner, path);
			return own ?? mismatchOf(part, inner, path);
		} finally {
			depth -= 1;
		}
	};
	const mismatchOf = (part: Exclude<Schema, boolean>, inner: unknown, path: string) => {
		for (const [keyword, rule] of Object.entries(part)) {
			const mismatch = keywordOf(keyword)?.mismatch({
				rule,
				schema: part,
				value: inner,
				path,
				visit,
				patterns,
			});
			if (mismatch !== undefined) return mismatch;
		}
		return undefined;
	};
	return visit(schema, value, 'the value');
}

/** What is wrong with a schema itself, or undefined when it can be used. */
export function schemaDefect(schema: unknown): string | undefined {
	const seen = new Set<unknown>();
	const check = (part: unknown, path: string): string | undefined => {
		if (typeof part === 'boolean' || seen.has(part)) return undefined;
		seen.add(part);
		const record = asRecord(part);
		if (!record) return `${path} is neither an object nor a Boolean`;
		if (record.$ref !== undefined && target(schema as Schema, record.$ref) === undefined) {
			return `${path} refers to ${JSON.stringify(record.$ref)}, which the schema does not contain`;
		}
		for (const [keyword, rule] of Object.entries(record)) {
			const here = `${path}/${keyword}`;
			const known = keywordOf(keyword);
			if (known && !known.isRule(rule)) return `${here} is not a valid value for this keyword`;
			for (const [name, inner] of Object.entries(known?.schemas?.(rule) ?? {})) {
				const defect = check(inner, `${here}${name}`);
				if (defect) return defect;
			}
		}
		return undefined;
	};
	return check(schema, '#') ?? endlessness(schema as Schema);
}

/** The keywords of a schema and its subschemas that are not (or not always) checked, each once. */
export function uncheckedKeywords(schema: unknown): string[] {
	const found = new Set<string>();
	const seen = new Set<unknown>();
	const collect = (part: unknown) => {
		const record = asRecord(part);
		if (!record || seen.has(part)) return;
		seen.add(part);
		for (const [keyword, rule] of Object.entries(record)) {
			const known = keywordOf(keyword);
			if (known?.isIgnored?.(rule)) found.add(`${keyword} with lookaround, word boundaries, or references`);
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
		firstMismatch(schema, null);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** The schema that a reference such as `#/$defs/name` points to. */
function target(root: Schema, reference: unknown): Schema | undefined {
	if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined;
	let part: unknown = root;
	for (const segment of reference.split('/').slice(1)) {
		const name = unescaped(segment);
		if (name === undefined || typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) {
			return undefined;
		}
		part = (part as Record<string, unknown>)[name];
	}
	return typeof part === 'boolean' ? part : asRecord(part);
}

function unescaped(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
	} catch {
		return undefined;
	}
}
