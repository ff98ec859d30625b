import { answerSchema, type Schema } from '../../../nodes/Chat/json/jsonSchema';

const mismatch = (schema: Schema, value: unknown) => answerSchema(schema).mismatch(value);
const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
	let value: unknown = {};
	for (let level = 0; level < levels; level++) value = wrap(value);
	return value;
};
const inA = (inner: unknown) => ({ a: inner });
const draft = (name: string) => ({ $schema: `http://json-schema.org/${name}/schema#` });

describe('A mismatch', () => {
	const person: Schema = {
		type: 'object',
		required: ['name'],
		additionalProperties: false,
		properties: {
			name: { type: 'string', minLength: 1 },
			age: { type: 'integer', minimum: 0, exclusiveMaximum: 150 },
			tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2, uniqueItems: true },
			friend: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
			code: { pattern: '^[A-Z]+$' },
		},
	};

	it.each([
		[{ name: 'Ada' }, undefined],
		[{ name: 'Ada', age: 36, tags: ['a', 'b'], friend: { name: 'Bob', friend: null } }, undefined],
		[{}, 'the value is missing the field "name"'],
		[{ name: '' }, 'the value.name must have at least 1 character'],
		[{ name: 'Ada', age: 1.5 }, 'the value.age must be of type integer'],
		[{ name: 'Ada', age: 150 }, 'the value.age must be less than 150'],
		[{ name: 'Ada', tags: ['c'] }, 'the value.tags[0] must be one of "a", "b"'],
		[{ name: 'Ada', tags: ['a', 'a'] }, 'the value.tags must not repeat an element'],
		[{ name: 'Ada', code: 'x' }, 'the value.code must match ^[A-Z]+$'],
		[{ name: 'Ada', more: 1 }, 'the value.more is not allowed'],
		[
			{ name: 'Ada', friend: { age: 3 } },
			'the value.friend is missing the field "name" or must be of type null',
		],
		[
			{ name: 'Ada', friend: { name: 'Bob', friend: { name: 5 } } },
			'the value.friend.friend.name must be of type string',
		],
		[[], 'the value must be of type object'],
	])('of %j is %j', (value, words) => {
		expect(mismatch(person, value)).toBe(words);
	});

	it.each<[Schema, unknown, string]>([
		[{ oneOf: [{ minimum: 1 }, { maximum: 5 }, false] }, 3, 'matches 2 of the schemas in oneOf'],
		[{ oneOf: [{ type: 'string' }, { const: null }] }, 3, 'must be of type string or must be null'],
		[{ propertyNames: { pattern: '^[a-z]+$' } }, { B1: 2 }, 'must not have a field with the name "B1"'],
		[{ ...draft('draft-04'), maximum: 5, exclusiveMaximum: true }, 5, 'must be less than 5'],
		[{ contains: { type: 'string' } }, [1], 'is wrong: Array does not contain item matching schema'],
		[{ additionalProperties: { type: 'null' } }, { 'a/b~c%41#é': 1 }, '.a/b~c%41#é must be of type null'],
		[{ additionalProperties: { type: 'null' } }, { '\ud800': 1 }, 'cannot be checked: URI malformed'],
	])('of the schema %j names what was expected: %j', (schema, value, words) => {
		expect(mismatch(schema, value)).toContain(words);
	});
});

describe('A JSON Schema', () => {
	const text = { type: 'string' };

	it.each<[Schema, unknown, boolean]>([
		[true, 1, true],
		[false, 1, false],
		[{ type: ['string', 'null'] }, null, true],
		[{ const: { b: 1, a: [2] } }, { a: [2], b: 1 }, true],
		[{ multipleOf: 0.1 }, 0.3, true],
		[{ multipleOf: 2 }, 3, false],
		[{ pattern: '^\\p{Lu}' }, 'Älter', true],
		[{ pattern: '^\\p{Lu}' }, 'klein', false],
		[{ maxLength: 1 }, '👍', true],
		[{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 7, true],
		[{ not: text }, 'x', false],
		[{ allOf: [{ minimum: 1 }, { maximum: 5 }] }, 6, false],
		[{ prefixItems: [text], items: false }, ['a'], true],
		[{ prefixItems: [text], items: false }, ['a', 1], false],
		[{ items: [text], additionalItems: false }, ['a', 1], false],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { x1: 1 }, true],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { y1: 1 }, false],
		[{ minProperties: 1 }, {}, false],
		[{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, [1, '2'], false],
		[{ definitions: { 'a/b': { type: 'number' } }, $ref: '#/definitions/a~1b' }, 4, true],
		[{ components: { n: { type: 'number', format: 'x' } }, $ref: '#/components/n' }, 'x', false],
		[{ type: 'object', properties: { toString: text } }, {}, true],
		[{ required: ['toString'] }, {}, false],
		[JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), JSON.parse('{"__proto__":1}'), false],
		[{ dependentRequired: { a: ['b'] } }, { a: 1 }, false],
		[{ if: { minimum: 5 }, then: { multipleOf: 5 } }, 6, false],
		[{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }, false],
		// In the older drafts, a reference stands for itself only.
		[{ $defs: { t: text }, $ref: '#/$defs/t', minLength: 5 }, 'x', false],
		[{ ...draft('draft-07'), definitions: { t: text }, $ref: '#/definitions/t', minLength: 5 }, 'x', true],
		// Formats and examples only describe.
		[{ format: 'email' }, 'x', true],
		[{ format: '__proto__' }, 'x', true],
		[{ properties: { a: { example: { id: 'x' } }, b: { example: { id: 'x' } } } }, {}, true],
	])('%j: whether it matches %j is %s', (schema, value, matches) => {
		expect(mismatch(schema, value) === undefined).toBe(matches);
	});

	it.each<[unknown, string]>([
		[7, 'the schema must be of type object or boolean'],
		[{ type: 'text' }, 'the schema.type must be one of "string", "number", '],
		[{ properties: [] }, 'the schema.properties must be of type object'],
		[{ properties: { a: 5 } }, 'the schema.properties.a must be of type object or boolean'],
		[{ items: { minimum: '3' } }, 'the schema.items.minimum must be of type number'],
		[{ minimum: 3, exclusiveMinimum: true }, 'the schema.exclusiveMinimum must be of type number'],
		[{ required: 'name' }, 'the schema.required must be of type array'],
		[{ anyOf: [] }, 'the schema.anyOf must have at least 1 element'],
		[{ components: { n: { type: 'text' } }, $ref: '#/components/n' }, 'type must be one of "string"'],
		[{ pattern: '(' }, 'the pattern ( is invalid'],
		[{ patternProperties: { '^(a+)+$': {} } }, 'the pattern ^(a+)+$ is invalid or not supported'],
		[{ $ref: '#/$defs/none' }, 'refers to "#/$defs/none", which it does not contain'],
		[{ $defs: { undefined: {} }, $ref: '#/$defs/%E0%A4%A' }, 'refers to "#/$defs/%E0%A4%A"'],
		[{ $ref: 'https://example.com/schema' }, 'refers to "https://example.com/schema"'],
	])('%j is rejected: %s', (schema, why) => {
		expect(() => answerSchema(schema)).toThrow(why);
	});

	it('names the keywords without effect', () => {
		const schema = { title: 'T', format: 'email', properties: { a: { minLenght: 1, $dynamicRef: '#a' } } };
		expect(answerSchema(schema).unchecked).toEqual(['minLenght', '$dynamicRef']);
	});

	it('stays as the user wrote it', () => {
		const schema = { properties: { a: { $ref: '#', format: 'date' } } };
		const written = structuredClone(schema);
		answerSchema(schema);
		expect(schema).toStrictEqual(written);
		expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(['$ref', 'format']);
	});
});

describe('A check that would not end', () => {
	const twice = (schema: Schema) => ({ allOf: [schema, schema] });
	const laughs = Object.fromEntries(
		Array.from({ length: 40 }, (_, index) => [`d${index}`, twice({ $ref: `#/$defs/d${index + 1}` })]),
	);

	it.each<[string, unknown, string]>([
		['refers to itself', { $ref: '#' }, 'itself endlessly'],
		['refers to itself in a condition', { if: { type: 'string' }, then: { $ref: '#' } }, 'itself endlessly'],
		['refers to itself below', { properties: { a: { $ref: '#/properties/a' } } }, 'itself endlessly'],
		['doubles at each reference', { $defs: { ...laughs, d40: {} }, $ref: '#/$defs/d0' }, 'itself endlessly'],
		['is deep', nested(240, (inner) => ({ properties: { a: inner } })), 'takes too long to check'],
		['is deeper', nested(10_000, (inner) => ({ properties: { a: inner } })), 'nested too deeply'],
	])('is refused for a schema that %s', (_what, schema, why) => {
		expect(() => answerSchema(schema)).toThrow(why);
	});

	const list = <T>(length: number, entry: (index: number) => T) =>
		Array.from({ length }, (_, index) => entry(index));

	it.each<[string, Schema, unknown]>([
		['nesting', { properties: { a: { $ref: '#' } } }, nested(200, inA)],
		[
			'alternatives at each level',
			{ anyOf: list(2, () => ({ properties: inA({ $ref: '#' }) })) },
			nested(60, inA),
		],
		['a long list without repetitions', { uniqueItems: true }, list(100_000, (index) => index)],
		['a long list', { items: { type: 'number' } }, list(500_000, (index) => index)],
		['a long enumeration', { items: { enum: list(20_000, String) } }, list(20_000, String)],
		['a pattern and a long text', { pattern: '\\d+\\d+\\d+$' }, `${'1'.repeat(100_000)}!`],
		['a pattern and a long name', { patternProperties: { '\\d+\\d+$': {} } }, { ['1'.repeat(100_000)]: 1 }],
		['a pattern for names', { propertyNames: { pattern: '\\d+\\d+$' } }, { ['1'.repeat(100_000)]: 1 }],
	])('is not begun for %s', (_what, schema, value) => {
		expect(mismatch(schema, value)).toContain('takes too long to check');
	});

	it.each<[string, Schema, unknown]>([
		['deep values', { properties: { a: { $ref: '#' } } }, nested(100, inA)],
		['deep values without a schema', { type: 'object' }, nested(499, inA)],
		[
			'thousands of elements',
			{ items: { properties: inA({ pattern: '^[a-z-]+$' }) } },
			list(5_000, () => inA('a-b')),
		],
		['lists without repetitions', { uniqueItems: true }, list(200, (index) => ({ index }))],
	])('is begun for %s', (_what, schema, value) => {
		expect(mismatch(schema, value)).toBeUndefined();
	});
});
