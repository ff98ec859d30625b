import type { OutputUnit } from '@cfworker/json-schema';
import { entryOf } from '../../shared/plain/values';

type RuleAt = (names: string[]) => unknown;

/** Keywords that only apply schemas; what is wrong follows. */
const APPLYING = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas']);
/** Keywords that contain schemas or several rules; the validator says what is wrong. */
const EXPLAINED = new Set([...APPLYING, 'not', 'contains', 'propertyNames', 'dependentRequired']);

/** What a keyword demands of a value, before its rule. */
const WORDS: Record<string, string> = {
	...{ type: 'must be of type', enum: 'must be one of', const: 'must be', pattern: 'must match' },
	...{ minimum: 'must be at least', maximum: 'must be at most' },
	...{ exclusiveMinimum: 'must be more than', exclusiveMaximum: 'must be less than' },
};

/** More alternatives would hide the place. */
const MOST_ALTERNATIVES = 3;

/**
 * The path of the most telling mismatch, and what is wrong there: the deepest one, because an alternative that fits so
 * far is probably the right one.
 *
 * @param errors in the order of the validator: what is inside another follows it
 * @param ruleAt the part of the schema at a location; references are a part of it
 */
export function mostTelling(errors: OutputUnit[], value: unknown, ruleAt: RuleAt): string {
	const relevant = withoutInner(errors);
	const depths = relevant.map(({ instanceLocation }) => instanceLocation.split('/').length);
	const most = depths.reduce((one, other) => Math.max(one, other));
	const deepest = relevant.filter((_error, index) => depths[index] === most);
	const first = deepest.find(({ keyword }) => !APPLYING.has(keyword)) ?? deepest.at(-1)!;
	const isOther = (error: OutputUnit) =>
		isAlternative(error) && error.instanceLocation === first.instanceLocation && !APPLYING.has(error.keyword);
	const others = isAlternative(first) ? deepest.filter(isOther) : [];
	const words = new Set([first, ...others].map((error) => wordsOf(error, ruleAt)));
	return `${pathOf(first, value)} ${[...words].slice(0, MOST_ALTERNATIVES).join(' or ')}`;
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
		path += Array.isArray(inner) ? `[${segment}]` : `.${segment}`;
		inner = (inner as Record<string, unknown>)[segment];
	}
	return path;
}

function namesIn(pointer: string): string[] {
	const segments = pointer.split('/').slice(1);
	return segments.map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}
