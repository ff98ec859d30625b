import type { OutputUnit } from '@cfworker/json-schema';
import type { Part } from './keywords';

/** Where the validator has found mismatches. */
export interface Mismatches {
	/** In its order: what is inside another follows it. */
	errors: OutputUnit[];
	value: unknown;
	/** The name of the value in the message. */
	name: string;
	/** The schema at a location; references are a part of it. */
	partAt: (names: string[]) => Part;
}

/** Says what a keyword demands. */
const WORDS: Record<string, (rule: never, part: Part, error: string) => string> = {
	type: (rule: string | string[]) => `must be of type ${[rule].flat().join(' or ')}`,
	enum: (rule: unknown[]) => `must be one of ${rule.map((allowed) => JSON.stringify(allowed)).join(', ')}`,
	const: (rule: unknown) => `must be ${JSON.stringify(rule)}`,
	required: (_rule, _part, error) => `is missing the field ${quoted(error)}`,
	false: () => 'is not allowed',
	propertyNames: (_rule, _part, error) => `must not have a field with the name ${quoted(error)}`,
	pattern: (rule: string) => `must match ${rule}`,
	uniqueItems: () => 'must not repeat an element',
	minLength: (rule: number) => `must have at least ${counted(rule, 'character')}`,
	maxLength: (rule: number) => `must have at most ${counted(rule, 'character')}`,
	minItems: (rule: number) => `must have at least ${counted(rule, 'element')}`,
	maxItems: (rule: number) => `must have at most ${counted(rule, 'element')}`,
	minProperties: (rule: number) => `must have at least ${counted(rule, 'field')}`,
	maxProperties: (rule: number) => `must have at most ${counted(rule, 'field')}`,
	// In draft 4, the exclusive limits are flags.
	minimum: (rule: number, part) =>
		`must be ${part.exclusiveMinimum === true ? 'more than' : 'at least'} ${rule}`,
	maximum: (rule: number, part) =>
		`must be ${part.exclusiveMaximum === true ? 'less than' : 'at most'} ${rule}`,
	exclusiveMinimum: (rule: number) => `must be more than ${rule}`,
	exclusiveMaximum: (rule: number) => `must be less than ${rule}`,
	multipleOf: (rule: number) => `must be a multiple of ${rule}`,
	not: () => 'matches the schema in "not"',
	oneOf: (_rule, _part, error) =>
		`matches ${/\d+/.exec(error)?.[0]} of the schemas in oneOf instead of exactly one`,
};

/** Keywords that only apply schemas; what is wrong follows. */
const APPLYING = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies']);

/** More alternatives would hide the place. */
const MOST_ALTERNATIVES = 3;

/** The most telling mismatch: the deepest one, because an alternative that fits so far is probably the right one. */
export function mostTelling({ errors, value, name, partAt }: Mismatches): string {
	const relevant = withoutInner(errors);
	const depths = relevant.map(({ instanceLocation }) => instanceLocation.split('/').length);
	const most = Math.max(...depths);
	const deepest = relevant.filter((_error, index) => depths[index] === most);
	const first = deepest.find(({ keyword }) => !APPLYING.has(keyword)) ?? deepest.at(-1)!;
	const others = isAlternative(first) ? deepest.filter(isAlternative) : [first];
	const words = others
		.filter(
			({ keyword, instanceLocation }) =>
				first.instanceLocation === instanceLocation && !APPLYING.has(keyword),
		)
		.map((error) => wordsOf(error, partAt));
	const all = [...new Set(words)].slice(0, MOST_ALTERNATIVES).join(' or ');
	return `${placeOf(first, value, name)} ${all || wordsOf(first, partAt)}`;
}

/** Leaves out why other alternatives do not match where too many do, and what is wrong with a name. */
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

function wordsOf({ keyword, keywordLocation, error }: OutputUnit, partAt: Mismatches['partAt']): string {
	if (!Object.hasOwn(WORDS, keyword)) return `is wrong: ${error.replace(/\.$/, '')}`;
	const part = keyword === 'false' ? {} : partAt(namesIn(keywordLocation).slice(0, -1));
	return WORDS[keyword](part[keyword] as never, part, error);
}

function placeOf({ instanceLocation }: OutputUnit, value: unknown, name: string): string {
	let path = name;
	let inner = value;
	for (const segment of namesIn(instanceLocation)) {
		path += Array.isArray(inner) ? `[${segment}]` : `.${segment}`;
		inner = (inner as Record<string, unknown>)[segment];
	}
	return path;
}

function namesIn(pointer: string): string[] {
	const segments = pointer.split('/').slice(1);
	return segments.map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The name in quotation marks in an error of the validator. */
function quoted(error: string): string {
	return error.slice(error.indexOf('"'), error.lastIndexOf('"') + 1);
}

/** For example "1 field" or "2 fields". */
function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
