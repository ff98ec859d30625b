/** A JSON Schema or a part of one, other than true or false. */
export type Part = Record<string, unknown>;

export type Schema = boolean | Part;

/** What the schemas in a keyword apply to; `named`: to the field or element with the name of the schema. */
type AppliesTo = 'inPlace' | 'named' | 'each' | 'names' | 'nothing';

/** The keywords that contain schemas: one, a list, or one for each name. */
const ONE: Record<string, AppliesTo> = {
	...{ not: 'inPlace', if: 'inPlace', then: 'inPlace', else: 'inPlace' },
	...{ additionalProperties: 'each', unevaluatedProperties: 'each', propertyNames: 'names' },
	...{ items: 'each', additionalItems: 'each', unevaluatedItems: 'each', contains: 'each' },
};
const LIST: Record<string, AppliesTo> = {
	...{ allOf: 'inPlace', anyOf: 'inPlace', oneOf: 'inPlace', prefixItems: 'named' },
	// Older drafts.
	items: 'named',
};
const MAP: Record<string, AppliesTo> = {
	...{ properties: 'named', patternProperties: 'each', dependentSchemas: 'inPlace' },
	...{ dependencies: 'inPlace', $defs: 'nothing', definitions: 'nothing' },
};

/** Schemas in a keyword. */
export interface Inner {
	appliesTo: AppliesTo;
	/** With their name or index, if they have one. */
	schemas: Array<[name: string, schema: Schema]>;
}

/** The schemas in a keyword of a valid schema. */
export function innerSchemas(keyword: string, rule: unknown): Inner {
	const isList = Array.isArray(rule);
	const table = isList ? LIST : Object.hasOwn(MAP, keyword) ? MAP : ONE;
	if (!Object.hasOwn(table, keyword)) return { appliesTo: 'nothing', schemas: [] };
	const entries = table === ONE ? [['', rule]] : Object.entries(rule as object);
	// "dependencies" may contain lists of names as well.
	const schemas = entries.filter(([, inner]) => !Array.isArray(inner)) as Inner['schemas'];
	return { appliesTo: table[keyword], schemas };
}

const SCHEMA = { $ref: '#' };
const SCHEMAS = { type: 'array', minItems: 1, items: SCHEMA };
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const NUMBER = { type: 'number' };
const FLAG = { type: 'boolean' };
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
	dependencies: mapOf({ anyOf: [SCHEMA, TEXTS] }),
	dependentRequired: mapOf(TEXTS),
	...each(COUNTS, { type: 'integer', minimum: 0 }),
	...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], NUMBER),
	multipleOf: { type: 'number', exclusiveMinimum: 0 },
	type: { anyOf: [TYPE, { type: 'array', items: TYPE }] },
	enum: { type: 'array' },
	const: {},
	required: TEXTS,
	uniqueItems: FLAG,
	...each(['pattern', '$ref', '$id', '$anchor'], TEXT),
};

/** Keywords that only describe. In line with the standard, `format` is one of them. */
const ANNOTATIONS = new Set([
	...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'example', 'format'],
	...['deprecated', 'readOnly', 'writeOnly'],
]);

/** Whether a keyword has no effect, although it may look as if it had one. */
export function isUnchecked(keyword: string): boolean {
	return !Object.hasOwn(RULES, keyword) && !ANNOTATIONS.has(keyword);
}

/** The schema of schemas. Exclusive limits were flags in draft 4. */
export function metaSchema(draft: string): Schema {
	const flags = draft === '4' ? each(['exclusiveMinimum', 'exclusiveMaximum'], FLAG) : {};
	return { type: ['object', 'boolean'], properties: { ...RULES, ...flags } };
}
