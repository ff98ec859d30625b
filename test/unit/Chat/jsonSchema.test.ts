import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';
import { schemaOf } from '../../../nodes/Chat/json/fields';
import { answerSchema } from '../../../nodes/Chat/json/jsonSchema';
import type { Schema } from '../../../nodes/Chat/json/keywords';
import type { ChatFormat } from '../../../nodes/Chat/formats/chatFormat';
import { chatCompletions } from '../../../nodes/Chat/formats/chatCompletions/format';
import { messages } from '../../../nodes/Chat/formats/messages/format';
import { generateContent } from '../../../nodes/Chat/formats/generateContent/format';
import { OptionValues } from '../../../nodes/shared/run/parameterReader';
import { withoutAnswerTool } from '../../../nodes/Chat/formats/schemaForm';
import { patternSteps } from '../../../nodes/Chat/json/steps';

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
			size: { exclusiveMinimum: 0 },
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
		[{ name: 'Ada', age: -1 }, '"age" must be at least 0'],
		[{ name: 'Ada', size: 0 }, '"size" must be more than 0'],
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
		[{ properties: { $ref: { type: 'string' } } }, { $ref: 1 }, '"$ref" must be of type string'],
		[{ properties: { 'a/b/~c~': { type: 'string' } } }, { 'a/b/~c~': 1 }, '"a/b/~c~" must be of type string'],
		[{ contains: { type: 'string' } }, [1], 'does not match: Array does not contain item matching schema'],
	])('of the schema %j names what was expected: %j', (schema, value, words) => {
		expect(mismatch(schema, value)).toContain(words);
	});
});

describe('A JSON Schema', () => {
	const text = { type: 'string' };

	it.each<[Schema, unknown, boolean]>([
		[true, 1, true],
		[false, 1, false],
		[{ prefixItems: [text], items: false }, ['a', 1], false],
		[{ items: [text], additionalItems: false }, ['a', 1], false],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { x1: 1 }, true],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { y1: 1 }, false],
		[{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, [1, '2'], false],
		[{ definitions: { 'a/b': { type: 'number' } }, $ref: '#/definitions/a~1b' }, 4, true],
		[{ components: { n: { type: 'number', format: 'x' } }, $ref: '#/components/n' }, 'x', false],
		[{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }, false],
		// Formats and examples only describe.
		[{ format: 'email' }, 'x', true],
	])('%j: whether it matches %j is %s', (schema, value, matches) => {
		expect(mismatch(schema, value) === undefined).toBe(matches);
		const unchecked = Object.keys(schema).filter((name) => name === 'components');
		expect(answerSchema(schema).unchecked).toEqual(unchecked);
	});

	it.each<[unknown, string]>([
		[{ type: 'text' }, '"type" must be one of ["string","number",'],
		[{ properties: { a: 5 } }, '"properties.a" must be of type object or boolean'],
		[{ pattern: '(' }, 'the pattern ( is invalid'],
		[{ patternProperties: { '^(a+)+$': {} } }, 'the pattern ^(a+)+$ is invalid or not supported'],
		[{ $ref: '#/$defs/none' }, 'refers to "#/$defs/none", which it does not contain'],
		[{ $ref: 'https://example.com/schema' }, 'refers to "https://example.com/schema"'],
	])('%j is rejected: %s', (schema, why) => {
		expect(() => answerSchema(schema)).toThrow(why);
	});

	it.each<[keyword: string, rule: unknown, good: unknown, bad: unknown]>([
		['type', ['string', 'null'], null, 1],
		['enum', [1, 2], 2, 3],
		['const', null, null, 0],
		['minLength', 2, 'ab', 'a'],
		['minItems', 2, [1, 2], [1]],
		['maxLength', 1, 'a', 'ab'],
		['maxItems', 1, [1], [1, 2]],
		['minProperties', 1, { a: 1 }, {}],
		['maxProperties', 1, { a: 1 }, { a: 1, b: 1 }],
		['minimum', 1, 1, 0],
		['maximum', 1, 1, 2],
		['exclusiveMinimum', 1, 2, 1],
		['exclusiveMaximum', 1, 0, 1],
		['multipleOf', 3, 6, 7],
		['pattern', '^a', 'ab', 'b'],
		['required', ['a'], { a: 1 }, {}],
		['uniqueItems', true, [1, 2], [1, 1]],
		['dependentRequired', { a: ['b'] }, { a: 1, b: 1 }, { a: 1 }],
		['dependentSchemas', { a: { required: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
		['propertyNames', { maxLength: 1 }, { a: 1 }, { ab: 1 }],
		['contains', { type: 'string' }, [1, 'a'], [1]],
		['not', { type: 'string' }, 1, 'a'],
		['allOf', [{ minimum: 1 }, { maximum: 2 }], 2, 3],
		['anyOf', [{ minimum: 2 }, { maximum: 0 }], 0, 1],
		['oneOf', [{ minimum: 1 }, { maximum: 2 }], 3, 2],
		['unevaluatedItems', { type: 'string' }, ['a'], [1]],
	])('checks %s: %j', (keyword, rule, good, bad) => {
		expect(answerSchema({ [keyword]: rule }).unchecked).toEqual([]);
		expect([good, bad].map((value) => mismatch({ [keyword]: rule }, value) === undefined)).toEqual([
			true,
			false,
		]);
	});

	it('checks what follows a condition, and how often a list contains something', () => {
		const even = { if: { type: 'integer' }, then: { multipleOf: 2 }, else: { type: 'string' } };
		expect([4, 'a', 3, true].map((value) => mismatch(even, value) === undefined)).toEqual([
			...[true, true, false, false],
		]);
		const two = { contains: { type: 'string' }, minContains: 2, maxContains: 2 };
		expect([['a', 'b'], ['a'], ['a', 'b', 'c']].map((value) => mismatch(two, value) === undefined)).toEqual([
			...[true, false, false],
		]);
	});

	it.each([
		...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'example', 'format'],
		...['deprecated', 'readOnly', 'writeOnly'],
	])('does not name %s, which only describes', (keyword) => {
		expect(answerSchema({ [keyword]: 'x' }).unchecked).toEqual([]);
	});

	it('names the keywords without effect', () => {
		const a = { readOnly: true, writeOnly: true, minLenght: 1, $dynamicRef: '#a' };
		const schema = { title: 'T', format: 'email', properties: { a } };
		expect(answerSchema(schema).unchecked).toEqual(['minLenght', '$dynamicRef']);
	});
});

describe('A check that would not end', () => {
	const twice = (schema: Schema) => ({ allOf: [schema, schema] });
	const laughs = Object.fromEntries(
		Array.from({ length: 40 }, (_, index) => [`d${index}`, twice({ $ref: `#/$defs/d${index + 1}` })]),
	);

	it.each<[string, unknown, string]>([
		['refers to itself', { $ref: '#' }, 'itself endlessly'],
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
		['a pattern and a long text', { pattern: '\\d+\\d+\\d+$' }, `${'1'.repeat(100_000)}!`],
		['a pattern for names', { propertyNames: { pattern: '\\d+\\d+$' } }, { ['1'.repeat(100_000)]: 1 }],
	])('is not begun for %s', (_what, schema, value) => {
		expect(mismatch(schema, value)).toContain('takes too long to check');
	});

	it.each<[string, Schema, unknown]>([
		['deep values', withA({ $ref: '#' }), nested(100, inA)],
		['thousands of elements', { items: withA({ pattern: '^[a-z-]+$' }) }, list(5_000, () => inA('a-b'))],
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
		// Of each form that is allowed, several.
		...[
			'^(-\\d+)*(,\\d+)*$',
			'^(?:a|b)(?:c|d)$',
			'^(\\d{2}-\\d{2},)+$',
			'^(\\d:){2}(a,){2}$',
			'^(ab)*(cd)*$',
		],
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
		...['(?:a{1000}){1000}', 'a{100000}', '(?:){9000000000}a'],
	])('is refused: %s', (source) => {
		expect(patternSteps(source)).toBeUndefined();
	});

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
const fieldsFor = (format: ChatFormat, schema: Keywords, hasTools = false) =>
	format.request.schemaFields(schema, hasTools, {
		...{ options: new OptionValues({}), generation: {}, streamed: false },
	});
const sentStrictly = (schema: Keywords) =>
	fieldsFor(chatCompletions, schema) as { response_format: { json_schema: Keywords } };

describe('Schema in the response format of a chat completion', () => {
	it('is strict when every object lists all of its properties, and then allows no others', () => {
		const schemaWith = (closed: (part: Keywords) => Keywords) => {
			const tags = { type: 'array', items: closed(object({ tag: text })) };
			const inner = closed(object({ name: text, tags, kind: { const: 'a' } }));
			const other = { anyOf: [closed(object({ a: text })), { type: 'null' }] };
			const defined = { $defs: { inner }, definitions: { inner } };
			return closed(object({ one: inner, other, again: { $ref: '#/$defs/inner' } }, defined));
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
		['a keyword that strict mode does not know', object({ a: { ...text, minLength: 1 } })],
		['a part that says nothing', object({ a: {} })],
		['a part that allows anything', object({ a: true })],
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
				flag: { type: 'boolean', title: 'F', multipleOf: 2 },
			},
			{ additionalProperties: false },
		);
		const { generationConfig } = fieldsFor(generateContent, schema) as Record<string, Keywords>;
		expect(generationConfig.responseSchema).toEqual({
			type: 'OBJECT',
			required: ['kind', 'size', 'list', 'day', 'flag'],
			properties: {
				kind: { type: 'STRING', enum: ['a', 'b'], description: 'Which' },
				size: { type: 'INTEGER', nullable: true, minimum: 1 },
				list: { type: 'ARRAY', maxItems: 3, items: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] } },
				day: { type: 'STRING' },
				flag: { type: 'BOOLEAN', title: 'F' },
			},
		});
	});

	it.each<[string, Keywords]>([
		['a reference', object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: text } })],
		['values that are not text', object({ a: { enum: [1, 2] } })],
		['values of which some are not text', object({ a: { enum: ['a', 2] } })],
		['alternatives of which only one fits', object({ a: { oneOf: [text] } })],
		['an object without properties', { type: 'object' }],
		['a part that allows anything', object({ a: true })],
	])('is not sent with %s', (_what, schema) => {
		expect(fieldsFor(generateContent, schema)).toBeUndefined();
	});

	it('describes the arguments of a tool in another field if the format cannot express them', () => {
		const parameters = object({ a: { enum: [1, 2] } });
		const named = { name: 'f', description: 'd' };
		const declared = { functionDeclarations: [{ ...named, parametersJsonSchema: parameters }] };
		expect(generateContent.request.tools([{ ...named, parameters }])).toEqual([declared]);
	});
});

describe('Answer as a call of the answer tool', () => {
	const answer = (toolCalls: ChatAnswer['toolCalls'], finishReason = 'tool_calls'): ChatAnswer => ({
		...{ text: 'Here it is.', model: 'm', finishReason, id: null, toolCalls },
		...{ inputTokens: 1, outputTokens: 2, totalTokens: 3 },
	});

	it('becomes text, even if it was cut off', () => {
		const calls = [{ a: 0 }, { a: 1 }].map((given) => ({ id: 'a', name: 'answer', arguments: given }));
		const whole = withoutAnswerTool(answer(calls));
		expect(whole).toEqual({ ...answer(undefined, 'stop'), text: '{"a":1}', toolCalls: undefined });
		expect(whole).not.toHaveProperty('toolCalls');
		const cut = withoutAnswerTool(answer([{ id: 'a', name: 'answer', arguments: '{"a":' }], 'length'));
		expect(cut).toMatchObject({ text: '{"a":', finishReason: 'length' });
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
		const other = { ...example, age: 0.5, note: 'x', tags: [], works: [{ year: 1 }, { year: 2 }] };
		expect(mismatch({ ...other, more: 1 })).toBeUndefined();
		expect(answerSchema(schemaOf([1, 'a'])).mismatch(['b', {}])).toBeUndefined();
	});

	it.each([
		['a field is missing', { ...example, name: undefined }],
		['a type differs', { ...example, age: '36' }],
		['an element differs', { ...example, tags: [1] }],
		['a field of an element is missing', { ...example, works: [{}] }],
	])('does not fit if %s', (_, value) => {
		expect(mismatch(JSON.parse(JSON.stringify(value)))).toBeDefined();
	});
});

it('A schema is no tool of the messages format beside other tools', () => {
	const isTool = (hasTools: boolean) => fieldsFor(messages, object({ a: text }), hasTools) !== undefined;
	expect([false, true].map(isTool)).toEqual([true, false]);
});
