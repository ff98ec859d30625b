import { entryOf } from '../../shared/plain/values';

/** A JSON Schema or a part of one, other than true or false. */
export type Part = Record<string, unknown>;

export type Schema = boolean | Part;

/** The values that the schemas in a keyword apply to. `named` means the field or element with the schema's name. */
export type AppliesTo = 'inPlace' | 'named' | 'each' | 'names' | 'nothing';

/** The keywords that contain schemas: one, a list, or one for each name. */
const ONE: Record<string, AppliesTo> = {
	...{ not: 'inPlace', if: 'inPlace', then: 'inPlace', else: 'inPlace' },
	...{ additionalProperties: 'each', unevaluatedProperties: 'each', propertyNames: 'names' },
	...{ items: 'each', additionalItems: 'each', unevaluatedItems: 'each', contains: 'each' },
};
const LIST: Record<string, AppliesTo> = {
	...{ allOf: 'inPlace', anyOf: 'inPlace', oneOf: 'inPlace', prefixItems: 'named' },
	// A list of schemas in older drafts.
	items: 'named',
};
const MAP: Record<string, AppliesTo> = {
	...{ properties: 'named', patternProperties: 'each', dependentSchemas: 'inPlace' },
	...{ $defs: 'nothing', definitions: 'nothing' },
};

/** A schema inside another one, with its name or index, if it has one. */
export interface Inner {
	appliesTo: AppliesTo;
	name: string;
	schema: Schema;
}

/** Returns the schemas directly inside a valid schema. */
export function innerSchemas(part: Part): Inner[] {
	return Object.entries(part).flatMap(([keyword, rule]) => {
		const one = Array.isArray(rule) ? undefined : entryOf(ONE, keyword);
		if (one) return [{ appliesTo: one, name: '', schema: rule as Schema }];
		const appliesTo = entryOf(Array.isArray(rule) ? LIST : MAP, keyword);
		if (!appliesTo) return [];
		return Object.entries(rule as object).map(([name, schema]) => ({
			appliesTo,
			name,
			schema: schema as Schema,
		}));
	});
}

const SCHEMA = { $ref: '#' };
const SCHEMAS = { type: 'array', minItems: 1, items: SCHEMA };
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const TYPE = { enum: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] };
const COUNTS = ['Length', 'Items', 'Properties', 'Contains'].flatMap((size) => [`min${size}`, `max${size}`]);
const mapOf = (rule: object) => ({ type: 'object', additionalProperties: rule });
const each = (keywords: string[], rule: object) =>
	Object.fromEntries(keywords.map((keyword) => [keyword, rule]));

/** The keywords that are checked, with the schemas of their own values. */
const RULES: Record<string, object> = {
	...each(Object.keys(ONE), SCHEMA),
	...each(Object.keys(LIST), SCHEMAS),
	...each(Object.keys(MAP), mapOf(SCHEMA)),
	items: { anyOf: [SCHEMA, SCHEMAS] },
	dependentRequired: mapOf(TEXTS),
	...each(COUNTS, { type: 'integer', minimum: 0 }),
	...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], { type: 'number' }),
	multipleOf: { type: 'number', exclusiveMinimum: 0 },
	type: { anyOf: [TYPE, { type: 'array', items: TYPE }] },
	enum: { type: 'array' },
	const: {},
	required: TEXTS,
	uniqueItems: { type: 'boolean' },
	...each(['pattern', '$ref', '$id', '$anchor'], TEXT),
};

export const META_SCHEMA: Schema = { type: ['object', 'boolean'], properties: RULES };

/** Keywords that only describe. In line with the standard, `format` is one of them. */
export const ANNOTATIONS = new Set([
	...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'example', 'format'],
	...['deprecated', 'readOnly', 'writeOnly'],
]);

/** Tells whether a keyword says which values match. */
export function isChecked(keyword: string): boolean {
	return Object.hasOwn(RULES, keyword);
}

/** Tells whether a keyword has no effect, although it may look as if it had one. */
export function isUnchecked(keyword: string): boolean {
	return !isChecked(keyword) && !ANNOTATIONS.has(keyword);
}
