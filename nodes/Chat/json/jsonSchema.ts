import { dereference, validate, type OutputUnit } from '@cfworker/json-schema';
import { asRecord, entryOf } from '../../shared/plain/values';
import { excessOf } from '../../shared/plain/json';
import { innerSchemas, isUnchecked, META_SCHEMA, type Part, type Schema } from './keywords';
import { patternSteps, withinSteps } from './steps';

export interface AnswerSchema {
	source: Schema;
	unchecked: string[];
	/** Returns the most informative mismatch, beginning with its place; undefined if the value matches. */
	mismatch: (value: unknown) => string | undefined;
}

/**
 * Keywords that have no effect here, but that the library would use: its regular expressions for formats may take
 * exponential time, and examples may contain anything that looks like a schema.
 */
const LEFT_OUT = ['format', 'example', 'id', '$recursiveRef', 'dependencies'];

const TOO_MUCH =
	'takes too long to check: it is very large or deep, or a long text has a pattern with several repetitions';

class UnusableSchema extends Error {}

/** Reads a JSON Schema of draft 2020-12, or an older one that means the same. @throws Error if it is unusable */
export function answerSchema(source: unknown): AnswerSchema {
	// A copy, because the library writes into the schema.
	const schema = JSON.parse(jsonOf(source)) as Schema;
	const parts = new Set<Part>();
	const unchecked = new Set<string>();
	addParts(schema, parts, unchecked);
	const validator = new Validator(schema);
	for (const part of parts) {
		const target = validator.target(part);
		// A part that only a reference leads to may have any name, so it may not be among the parts yet.
		if (target !== undefined) addParts(target, parts, unchecked);
		checkPatterns(part);
	}
	for (const part of parts) {
		// A schema that applies itself to the same value does so for every value.
		if (!validator.canCheck(part, null)) throw new UnusableSchema('it refers to itself endlessly');
	}
	const mismatch = (value: unknown) => validator.mismatch(value, 'the value');
	return { source: source as Schema, unchecked: [...unchecked], mismatch };
}

class Validator {
	private readonly known: Record<string, Schema>;
	/** Tells whether checking a value against a part of the schema comes to an end, in reasonable time. */
	readonly canCheck = withinSteps((part) => this.target(part));

	constructor(private readonly schema: Schema) {
		this.known = dereference(schema);
	}

	/** Returns the schema that the reference of a part leads to, if any. @throws Error if it leads out of the schema */
	target({ $ref, __absolute_ref__: address }: Part): Schema | undefined {
		const target = this.known[address as string];
		if ($ref === undefined || target !== undefined) return target;
		throw new UnusableSchema(`it refers to ${JSON.stringify($ref)}, which it does not contain`);
	}

	mismatch(value: unknown, name: string): string | undefined {
		if (!this.canCheck(this.schema, value)) return `${name} ${TOO_MUCH}`;
		try {
			const { errors } = validate(value, this.schema, '2020-12', this.known);
			if (errors.length === 0) return undefined;
			return mostTelling(errors, value, { name, ruleAt: (names) => this.ruleAt(names) });
		} catch (error) {
			// One possible reason is a name with half of a surrogate pair.
			return `${name} cannot be checked: ${(error as Error).message}`;
		}
	}

	private ruleAt(names: string[]): unknown {
		return names.reduce<unknown>((rule, name) => {
			const part = rule as Part;
			return name === '$ref' && typeof part.$ref === 'string' ? this.target(part) : part[name];
		}, this.schema);
	}
}

const META = new Validator(META_SCHEMA);

function jsonOf(schema: unknown): string {
	try {
		const text = JSON.stringify(schema);
		if (!excessOf(text)) return text;
	} catch {
		// The schema is nested more deeply than the stack allows.
	}
	throw new UnusableSchema('it is nested too deeply');
}

/** Adds a schema and those in it, and removes keywords that the library must not use. @throws Error if it is invalid */
function addParts(schema: Schema, parts: Set<Part>, unchecked: Set<string>): void {
	const part = asRecord(schema);
	if (part && parts.has(part)) return;
	const defect = META.mismatch(schema, 'the schema');
	if (defect !== undefined) throw new UnusableSchema(defect);
	const add = (one: Part) => {
		if (parts.has(one)) return;
		parts.add(one);
		for (const keyword of Object.keys(one).filter(isUnchecked)) unchecked.add(keyword);
		for (const keyword of LEFT_OUT) delete one[keyword];
		for (const { schema: inner } of innerSchemas(one)) if (typeof inner !== 'boolean') add(inner);
	};
	if (part) add(part);
}

/** Checks the patterns before any text is matched with them. @throws Error for one that may take too long */
function checkPatterns({ pattern, patternProperties = {} }: Part): void {
	const sources = [...Object.keys(patternProperties as object), ...[pattern ?? []].flat()] as string[];
	const refused = sources.find((source) => patternSteps(source) === undefined);
	if (refused === undefined) return;
	throw new UnusableSchema(
		`the pattern ${refused} is invalid or not supported. Keep it simple, without repetitions inside repetitions, lookaround, and references`,
	);
}

type RuleAt = (names: string[]) => unknown;

/** Keywords that only apply other schemas, whose errors follow in the list. */
const APPLYING = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas']);
/** Keywords that contain schemas or several rules. The validator's words describe their errors. */
const EXPLAINED = new Set([...APPLYING, 'not', 'contains', 'propertyNames', 'dependentRequired']);

/** The words for what a keyword demands. Its value follows them. */
const WORDS: Record<string, string> = {
	...{ type: 'must be of type', enum: 'must be one of', const: 'must be', pattern: 'must match' },
	...{ minimum: 'must be at least', maximum: 'must be at most' },
	...{ exclusiveMinimum: 'must be more than', exclusiveMaximum: 'must be less than' },
};

/** The most alternatives in a message; more would hide the place. */
const MOST_ALTERNATIVES = 3;

/** Describes the deepest mismatch and its place, because the alternative that fits up to there is probably right. */
function mostTelling(
	errors: OutputUnit[],
	value: unknown,
	{ name, ruleAt }: { name: string; ruleAt: RuleAt },
): string {
	const relevant = withoutInner(errors);
	const depths = relevant.map(({ instanceLocation }) => instanceLocation.split('/').length);
	const most = depths.reduce((one, other) => Math.max(one, other));
	const deepest = relevant.filter((_error, index) => depths[index] === most);
	const first = deepest.find(({ keyword }) => !APPLYING.has(keyword)) ?? deepest.at(-1)!;
	const isOther = (error: OutputUnit) =>
		isAlternative(error) && error.instanceLocation === first.instanceLocation && !APPLYING.has(error.keyword);
	const others = isAlternative(first) ? deepest.filter(isOther) : [];
	const words = new Set([first, ...others].map((error) => wordsOf(error, ruleAt)));
	const path = pathOf(first, value);
	const where = path === '' ? name : JSON.stringify(path);
	return `${where} ${[...words].slice(0, MOST_ALTERNATIVES).join(' or ')}`;
}

/** Leaves out the errors inside `propertyNames`, and inside `oneOf` if too many alternatives match. */
function withoutInner(errors: OutputUnit[]): OutputUnit[] {
	let outer: string | undefined;
	return errors.filter(({ keyword, keywordLocation, error }) => {
		if (outer !== undefined && (keywordLocation.startsWith(outer) || keyword === 'false')) return false;
		const isWhole = keyword === 'propertyNames' || (keyword === 'oneOf' && !error.includes('(0 '));
		outer = isWhole ? `${keywordLocation}/` : undefined;
		return true;
	});
}

function isAlternative({ keywordLocation }: OutputUnit): boolean {
	return /\/(any|one)Of\//.test(keywordLocation);
}

function wordsOf({ keyword, keywordLocation, error }: OutputUnit, ruleAt: RuleAt): string {
	if (keyword === 'false') return 'is not allowed';
	if (keyword === 'required') return `is missing the field ${/".*"/s.exec(error)?.[0]}`;
	if (EXPLAINED.has(keyword)) return `does not match: ${error.replace(/\.$/, '')}`;
	const rule = ruleAt(namesIn(keywordLocation));
	const shown = keyword === 'type' ? [rule].flat().join(' or ') : JSON.stringify(rule);
	return `${entryOf(WORDS, keyword) ?? `must match "${keyword}":`} ${shown}`;
}

function pathOf({ instanceLocation }: OutputUnit, value: unknown): string {
	let path = '';
	let inner = value;
	for (const segment of namesIn(instanceLocation)) {
		const separator = path === '' ? '' : '.';
		path += Array.isArray(inner) ? `[${segment}]` : `${separator}${segment}`;
		inner = (inner as Record<string, unknown>)[segment];
	}
	return path;
}

function namesIn(pointer: string): string[] {
	const segments = pointer.split('/').slice(1);
	return segments.map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}
