import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';
import { schemaOf } from '../../../nodes/Chat/json/fields';
import { type Schema, answerSchema } from '../../../nodes/Chat/json/jsonSchema';
import { responseFormat, responseSchema, withoutAnswerTool } from '../../../nodes/Chat/json/nativeSchema';
import { patternSteps } from '../../../nodes/Chat/json/pattern';

const mismatch = (schema: Schema, value: unknown) => answerSchema(schema).mismatch(value);
const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
	let value: unknown = {};
	for (let level = 0; level < levels; level++) value = wrap(value);
	return value;
};
const inA = (inner: unknown) => ({ a: inner });
const withA = (schema: Schema) => ({ properties: { a: schema } });

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

	const friendOf = (friend: object) => ({ name: 'Ada', friend });

	it.each([
		[{ name: 'Ada' }, undefined],
		[{ name: 'Ada', age: 36, tags: ['a', 'b'], friend: { name: 'Bob', friend: null } }, undefined],
		[{}, 'the value is missing the field "name"'],
		[{ name: '' }, '"name" must match "minLength": 1'],
		[{ name: 'Ada', age: 1.5 }, '"age" must be of type integer'],
		[{ name: 'Ada', age: 150 }, '"age" must be less than 150'],
		[{ name: 'Ada', tags: ['c'] }, '"tags[0]" must be one of ["a","b"]'],
		[{ name: 'Ada', tags: ['a', 'a'] }, '"tags" must match "uniqueItems": true'],
		[{ name: 'Ada', code: 'x' }, '"code" must match "^[A-Z]+$"'],
		[{ name: 'Ada', more: 1 }, '"more" is not allowed'],
		[friendOf({ age: 3 }), '"friend" is missing the field "name" or must be of type null'],
		[friendOf({ name: 'Bob', friend: { name: 5 } }), '"friend.friend.name" must be of type string'],
		[[], 'the value must be of type object'],
	])('of %j is %j', (value, words) => {
		expect(mismatch(person, value)).toBe(words);
	});

	it.each<[Schema, unknown, string]>([
		[{ oneOf: [{ minimum: 1 }, { maximum: 5 }, false] }, 3, 'not match exactly one subschema (2 matches)'],
		[{ oneOf: [{ type: 'string' }, { const: null }] }, 3, 'must be of type string or must be null'],
		[{ propertyNames: { pattern: '^[a-z]+$' } }, { B1: 2 }, 'Property name "B1" does not match schema'],
		[{ contains: { type: 'string' } }, [1], 'does not match: Array does not contain item matching schema'],
		[{ additionalProperties: { type: 'null' } }, { 'a/b~c%41#é': 1 }, '"a/b~c%41#é" must be of type null'],
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
		[{ const: { b: 1, a: [2] } }, { a: [2], b: 1 }, true],
		[{ pattern: '^\\p{Lu}' }, 'Älter', true],
		[{ prefixItems: [text], items: false }, ['a', 1], false],
		[{ items: [text], additionalItems: false }, ['a', 1], false],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { x1: 1 }, true],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { y1: 1 }, false],
		[{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, [1, '2'], false],
		[{ definitions: { 'a/b': { type: 'number' } }, $ref: '#/definitions/a~1b' }, 4, true],
		[{ components: { n: { type: 'number', format: 'x' } }, $ref: '#/components/n' }, 'x', false],
		[{ type: 'object', properties: { toString: text } }, {}, true],
		[JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), JSON.parse('{"__proto__":1}'), false],
		[{ dependentRequired: { a: ['b'] } }, { a: 1 }, false],
		[{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }, false],
		[{ $defs: { t: text }, $ref: '#/$defs/t', minLength: 5 }, 'x', false],
		// Formats and examples only describe.
		[{ format: 'email' }, 'x', true],
		[{ format: '__proto__' }, 'x', true],
		[{ properties: { a: { example: { id: 'x' } }, b: { example: { id: 'x' } } } }, {}, true],
	])('%j: whether it matches %j is %s', (schema, value, matches) => {
		expect(mismatch(schema, value) === undefined).toBe(matches);
	});

	it.each<[unknown, string]>([
		[7, 'the schema must be of type object or boolean'],
		[{ type: 'text' }, '"type" must be one of ["string","number",'],
		[{ properties: [] }, '"properties" must be of type object'],
		[{ properties: { a: 5 } }, '"properties.a" must be of type object or boolean'],
		[{ items: { minimum: '3' } }, '"items.minimum" must be of type number'],
		[{ minimum: 3, exclusiveMinimum: true }, '"exclusiveMinimum" must be of type number'],
		[{ required: 'name' }, '"required" must be of type array'],
		[{ anyOf: [] }, '"anyOf" must match "minItems": 1'],
		[{ components: { n: { type: 'text' } }, $ref: '#/components/n' }, '"type" must be one of ["string"'],
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
		['nesting', withA({ $ref: '#' }), nested(200, inA)],
		['alternatives at each level', { anyOf: list(2, () => withA({ $ref: '#' })) }, nested(60, inA)],
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
		['deep values', withA({ $ref: '#' }), nested(100, inA)],
		['deep values without a schema', { type: 'object' }, nested(499, inA)],
		['thousands of elements', { items: withA({ pattern: '^[a-z-]+$' }) }, list(5_000, () => inA('a-b'))],
		['lists without repetitions', { uniqueItems: true }, list(200, (index) => ({ index }))],
	])('is begun for %s', (_what, schema, value) => {
		expect(mismatch(schema, value)).toBeUndefined();
	});
});

const LONG = 100_000;
/** What a check may take. */
const MAX_STEPS = 30_000_000;

describe('A pattern of a JSON Schema', () => {
	it.each([
		...['^[a-z0-9-]+$', '^[a-z0-9]+(?:-[a-z0-9]+)*$', '^\\d+(\\.\\d+)*$', '^\\d{4}-\\d{2}-\\d{2}$'],
		...['^(?:[01]\\d|2[0-3]):[0-5]\\d$', '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', '^#(?:[0-9a-fA-F]{3}){1,2}$'],
		...['^-?\\d{1,3}(,\\d{3})*(\\.\\d+)?$', '^\\+?[1-9]\\d{1,14}$', '^(?<year>\\d{4})$', '^https?://.+'],
		...['^.{1,2000}$', '^(\\d{1,3}\\.){3}\\d{1,3}$', '\\bword\\b', '^\\p{Lu}\\u{1F600}[\\](+]$'],
	])('may be %s', (source) => {
		expect(patternSteps(source)?.(50)).toBeLessThan(MAX_STEPS / 50);
	});

	it.each([
		// They can be read in too many ways.
		...['^(a+)+$', '^(a|a)*$', '(a|aa)+$', '^(\\w+\\s?)*$', '(x+x+)+y', '([a-z]+)*\\d', '^(?:(a){2,5})*?$'],
		...['(.*a){20}', '(?:a?){30}a{30}', '((a|a)){30}b', '((a|b)c){40}', 'a*a*a*a*a*a*b', '((ab)*c)*'],
		// What separates is in what is separated.
		...['^(-[a-z-]+)*$', '^(?:\\.\\S+)*$', '^(-a*-)*$', '^(a[a-z]+)*$'],
		// They are invalid, long, or more than a sequence of characters.
		...['(?=a)b', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '(', 'a{2,1}', 'x'.repeat(3_000)],
		// They are very large.
		...[
			'(?:a{1000}){1000}',
			'a{100000}',
			'a{100000,}',
			'(?:){9000000000}a',
			'(?:(?:a{0,9000}){0,9000}){9000}',
		],
	])('is refused: %s', (source) => {
		expect(patternSteps(source)).toBeUndefined();
	});

	it.each(['\\d+\\d+\\d+$', '\\s+$', '.*.*=.*', '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'])(
		'is not compared with a long text: %s',
		(source) => {
			expect(patternSteps(source)?.(LONG)).toBeGreaterThan(MAX_STEPS);
		},
	);

	it.each(['^[a-z0-9-]+$', '^\\p{L}+$', '^.{1,200}$', '^\\d{4}'])(
		'may be compared with a long text: %s',
		(source) => {
			expect(patternSteps(source)?.(LONG)).toBeLessThan(MAX_STEPS);
		},
	);
});

type Keywords = Record<string, unknown>;
const text = { type: 'string' };
const object = (properties: Keywords, more: Keywords = {}): Keywords => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
	...more,
});
const sentStrictly = (schema: Keywords) =>
	responseFormat(schema) as { response_format: { json_schema: Keywords } };

describe('Schema in the response format of a chat completion', () => {
	it('is strict when every object lists all of its properties, and then allows no others', () => {
		const schemaWith = (closed: (part: Keywords) => Keywords) => {
			const tags = { type: 'array', items: closed(object({ tag: text })) };
			const inner = closed(object({ name: text, tags }));
			const other = { anyOf: [closed(object({ a: text })), { type: 'null' }] };
			return closed(object({ one: inner, other, again: { $ref: '#/$defs/inner' } }, { $defs: { inner } }));
		};
		const $schema = 'https://json-schema.org/draft/2020-12/schema';
		const open = schemaWith((part) => part);
		expect(sentStrictly({ ...open, $schema }).response_format.json_schema).toEqual({
			name: 'answer',
			strict: true,
			schema: schemaWith((part) => ({ ...part, additionalProperties: false })),
		});
	});

	it.each<[string, Keywords]>([
		['an optional property', object({ a: text, b: text }, { required: ['a'] })],
		['further properties', object({ a: text }, { additionalProperties: text })],
		['a keyword that the strict mode does not know', object({ a: { type: 'string', minLength: 2 } })],
		['a part that says nothing', object({ a: {} })],
		['a part that allows anything', object({ a: true })],
		['an inner object with an optional property', object({ a: object({ b: text }, { required: [] }) })],
		['a list of parts', object({ a: { type: 'array', items: [text] } })],
		['no properties', { type: 'object', additionalProperties: true }],
	])('is not strict, and unchanged, with %s', (_what, schema) => {
		expect(sentStrictly(schema).response_format.json_schema).toEqual({
			name: 'answer',
			strict: false,
			schema,
		});
	});
});

describe('Schema in the generate-content format', () => {
	it('has the types and keywords of the format, and leaves out what is only checked', () => {
		const schema = object(
			{
				kind: { enum: ['a', 'b'], description: 'Which' },
				size: { type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 9 },
				list: { type: 'array', items: { anyOf: [text, { type: 'number' }] }, maxItems: 3, uniqueItems: true },
				day: { type: 'string', format: 'date', default: 'x' },
			},
			{ additionalProperties: false },
		);
		expect(responseSchema(schema)).toEqual({
			responseMimeType: 'application/json',
			responseSchema: {
				type: 'OBJECT',
				required: ['kind', 'size', 'list', 'day'],
				properties: {
					kind: { type: 'STRING', enum: ['a', 'b'], description: 'Which' },
					size: { type: 'INTEGER', nullable: true, minimum: 1 },
					list: { type: 'ARRAY', maxItems: 3, items: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] } },
					day: { type: 'STRING' },
				},
			},
		});
	});

	it.each<[string, Keywords]>([
		['a reference', object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: text } })],
		['values that are not text', object({ a: { enum: [1, 2] } })],
		['several types', object({ a: { type: ['string', 'number'] } })],
		['an object without properties', { type: 'object' }],
		['an inner object without properties', object({ a: { type: 'object', properties: {} } })],
		['alternatives of which only one fits', object({ a: { oneOf: [text] } })],
		['a part that allows anything', object({ a: true })],
	])('is not sent with %s', (_what, schema) => {
		expect(responseSchema(schema)).toBeUndefined();
	});
});

describe('Answer as a call of the answer tool', () => {
	const answer = (toolCalls: ChatAnswer['toolCalls'], finishReason = 'tool_calls'): ChatAnswer => ({
		...{ text: 'Here it is.', model: 'm', finishReason, id: null, toolCalls },
		...{ inputTokens: 1, outputTokens: 2, totalTokens: 3 },
	});

	it('becomes text, even if it was cut off', () => {
		const whole = withoutAnswerTool(answer([{ id: 'a', name: 'answer', arguments: { a: 1 } }]));
		expect(whole).toEqual({ ...answer(undefined, 'stop'), text: '{"a":1}', toolCalls: undefined });
		expect(whole).not.toHaveProperty('toolCalls');
		const cut = withoutAnswerTool(answer([{ id: 'a', name: 'answer', arguments: '{"a":' }], 'length'));
		expect(cut).toMatchObject({ text: '{"a":', finishReason: 'length' });
	});

	it('stays as it is if the model answered otherwise', () => {
		const other = answer([{ id: 'a', name: 'weather', arguments: {} }]);
		expect(withoutAnswerTool(other)).toBe(other);
	});
});

describe('The schema of an example', () => {
	const example = {
		name: 'Ada',
		age: 36,
		isKnown: true,
		note: null,
		tags: ['math'],
		works: [{ year: 1843 }],
	};
	const { mismatch } = answerSchema(schemaOf(example));

	it('fits the example, and what differs only in values', () => {
		expect(mismatch(example)).toBeUndefined();
		const other = {
			name: '',
			age: 0.5,
			isKnown: false,
			note: 'x',
			tags: [],
			works: [{ year: 1 }, { year: 2 }],
		};
		expect(mismatch({ ...other, more: 1 })).toBeUndefined();
	});

	it.each([
		['a field is missing', { ...example, name: undefined }],
		['a type differs', { ...example, age: '36' }],
		['an element differs', { ...example, tags: [1] }],
		['a field of an element is missing', { ...example, works: [{}] }],
	])('does not fit if %s', (_, value) => {
		expect(mismatch(JSON.parse(JSON.stringify(value)))).toBeDefined();
	});

	it.each([
		['elements of different kinds', [1, 'a'], ['b', {}]],
		['no elements', [], [1, 'a']],
		['a text', 'yes', 'no'],
	])('takes %s for what they are', (_, given, value) => {
		expect(answerSchema(schemaOf(given)).mismatch(value)).toBeUndefined();
	});
});
