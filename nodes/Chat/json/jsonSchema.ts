import { dereference, validate, type SchemaDraft } from '@cfworker/json-schema';
import { asRecord, excessOf, textOr } from '../../shared/values';
import { innerSchemas, isUnchecked, metaSchema, type Part, type Schema } from './keywords';
import { mostTelling } from './mismatch';
import { patternSteps } from './pattern';
import { Effort } from './steps';

export type { Schema } from './keywords';

/** A schema that can be used. */
export interface AnswerSchema {
	/** As the user wrote it. */
	source: Schema;
	/** Its keywords that are not checked, each once. */
	unchecked: string[];
	/** The most telling mismatch, beginning with its path, or undefined when the value matches. */
	mismatch: (value: unknown) => string | undefined;
}

/**
 * Keywords without effect that the library would use: it checks formats with regular expressions that may take exponential
 * time, whereas the standard takes formats for descriptions. Examples may contain whatever looks like a schema.
 */
const LEFT_OUT = ['format', 'example', 'id', '$recursiveRef'];

const TOO_MUCH =
	'takes too long to check: it is very large or deep, or a long text has a pattern with several repetitions';

/** Says what is wrong with a schema. */
class UnusableSchema extends Error {}

/** The schema of the last item, because nearly always the next one has the same. */
let last: { text: string; schema: AnswerSchema } | undefined;

/**
 * Reads a JSON Schema of the draft that it names, by default 2020-12. References must lead to a place in the schema.
 *
 * @throws Error that says what is wrong with the schema
 */
export function answerSchema(source: unknown): AnswerSchema {
	const text = jsonOf(source);
	if (last?.text === text) return last.schema;
	const draft = draftOf(source);
	// The library writes into the schema.
	const schema = JSON.parse(text) as Schema;
	const meta = new Validator(metaSchema(draft), draft);
	const parts = new Set<Part>();
	const unchecked = new Set<string>();
	const add = (root: Schema) => {
		const defect = meta.mismatch(root, 'the schema');
		if (defect !== undefined) throw new UnusableSchema(defect);
		for (const part of partsOf(root)) {
			Object.keys(part)
				.filter(isUnchecked)
				.forEach((keyword) => unchecked.add(keyword));
			for (const keyword of LEFT_OUT) delete part[keyword];
			parts.add(part);
		}
	};
	add(schema);
	const validator = new Validator(schema, draft);
	for (const part of parts) {
		const target = validator.target(part);
		// What only a reference leads to may be under any name.
		if (asRecord(target) && !parts.has(target as Part)) add(target as Part);
		checkPatterns(part);
	}
	for (const part of parts) {
		// A schema that applies itself to the same value does so for every value.
		if (!validator.canCheck(null, part)) throw new UnusableSchema('it refers to itself endlessly');
	}
	last = {
		text,
		schema: {
			source: source as Schema,
			unchecked: [...unchecked],
			mismatch: (value) => validator.mismatch(value, 'the value'),
		},
	};
	return last.schema;
}

/** A schema that is known to be valid. */
class Validator {
	private readonly known: Record<string, Schema>;
	private readonly effort = new Effort((part) => this.target(part));

	constructor(
		private readonly schema: Schema,
		private readonly draft: SchemaDraft,
	) {
		this.known = dereference(schema);
	}

	/**
	 * The schema that a reference leads to; undefined for a schema without one.
	 *
	 * @throws Error for a reference to anything outside of the schema, which is never requested
	 */
	target(part: Part): Schema | undefined {
		if (part.$ref === undefined) return undefined;
		const target = this.known[part.__absolute_ref__ as string];
		if (target !== undefined) return target;
		throw new UnusableSchema(`it refers to ${JSON.stringify(part.$ref)}, which it does not contain`);
	}

	/** Whether checking a value against a part of the schema comes to an end, in reasonable time. */
	canCheck(value: unknown, part = this.schema): boolean {
		return !this.effort.isTooMuch(part, value);
	}

	mismatch(value: unknown, name: string): string | undefined {
		if (!this.canCheck(value)) return `${name} ${TOO_MUCH}`;
		try {
			const { errors } = validate(value, this.schema, this.draft, this.known);
			const partAt = (names: string[]) => this.partAt(names);
			return errors.length === 0 ? undefined : mostTelling({ errors, value, name, partAt });
		} catch (error) {
			// A name with half of a surrogate pair is one reason.
			return `${name} cannot be checked: ${(error as Error).message}`;
		}
	}

	private partAt(names: string[]): Part {
		let part = this.schema as Part;
		for (const name of names) {
			const isReference = name === '$ref' && typeof part.$ref === 'string';
			part = (isReference ? this.target(part) : part[name]) as Part;
		}
		return part;
	}
}

function jsonOf(schema: unknown): string {
	try {
		const text = JSON.stringify(schema);
		if (!excessOf(text)) return text;
	} catch {
		// The stack has no room for it.
	}
	throw new UnusableSchema('it is nested too deeply');
}

function draftOf(schema: unknown): SchemaDraft {
	const name = textOr(asRecord(schema)?.$schema);
	const [, old, year] = /draft-0([4-7])|(2019-09)/.exec(name) ?? [];
	if (year) return '2019-09';
	if (old === '4') return '4';
	return old ? '7' : '2020-12';
}

/** A schema and those in it, except where it is only true or false. */
function partsOf(schema: Schema, parts = new Set<Part>()): Set<Part> {
	const part = asRecord(schema);
	if (!part || parts.has(part)) return parts;
	parts.add(part);
	for (const [keyword, rule] of Object.entries(part)) {
		for (const [, inner] of innerSchemas(keyword, rule).schemas) partsOf(inner, parts);
	}
	return parts;
}

/** @throws Error for a pattern that may take too long, before it meets a text */
function checkPatterns({ pattern, patternProperties }: Part): void {
	const sources = [
		...(pattern === undefined ? [] : [pattern as string]),
		...Object.keys(patternProperties ?? {}),
	];
	const refused = sources.find((source) => patternSteps(source) === undefined);
	if (refused === undefined) return;
	throw new UnusableSchema(
		`the pattern ${refused} is invalid or not supported. Keep it simple, without repetitions inside repetitions, lookaround, and references`,
	);
}
