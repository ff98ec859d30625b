import fc from 'fast-check';
import { extractJson } from '../../../nodes/Chat/json/extractJson';
import {
	firstMisfit,
	schemaDefect,
	uncheckedKeywords,
	type Schema,
} from '../../../nodes/Chat/json/jsonSchema';

const anything = () => true;
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('JSON in an answer', () => {
	test.each([
		['alone', '{"a":1}'],
		['with space around', '\n {"a":1}\n'],
		['in a fence', 'Here you are:\n```json\n{"a":1}\n```\nEnjoy!'],
		['in a fence without a language', '```\n{"a":1}\n```'],
		['in a fence on one line', '```{"a":1}```'],
		['in an open fence', '```json\n{"a":1}'],
		['between words', 'The answer is {"a":1}, I think.'],
		['after a quotation of a list', 'As [1] says: {"a":1}'],
		['after a brace that never closes', 'A { and then {"a":1}'],
	])('%s', (_where, text) => {
		expect(extractJson(text, anything)).toEqual({ value: { a: 1 } });
	});

	test('brackets and quotation marks inside texts do not count', () => {
		const value = { a: 'x } ] " \\ {', b: ['[', '{'] };
		expect(extractJson(`So: ${JSON.stringify(value)}.`, anything)).toEqual({ value });
	});

	test('what fits is preferred to what is larger', () => {
		expect(extractJson('[1, 2, 3, 4, 5] or {"a":1}', isRecord)).toEqual({ value: { a: 1 } });
	});

	test('of several the largest is taken', () => {
		expect(extractJson('First {} and then {"a":1} and [2]', anything)).toEqual({ value: { a: 1 } });
	});

	test.each(['', 'No JSON here.', '{a: 1}', '{"a":', "{'a': 1}"])('none in %j', (text) => {
		expect(extractJson(text, anything)).toBeUndefined();
	});

	test('any JSON object is found between words', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, fenced) => {
				const json = JSON.stringify(value);
				const text = fenced ? `Look:\n\`\`\`json\n${json}\n\`\`\`` : `Look: ${json} - that is all.`;
				fc.pre(!json.includes('```'));
				expect(extractJson(text, anything)?.value).toEqual(JSON.parse(json));
			}),
		);
	});

	test('a text full of opening brackets takes no time worth speaking of', () => {
		expect(extractJson('{'.repeat(300_000), anything)).toBeUndefined();
		expect(extractJson('[{"a":'.repeat(50_000), anything)).toBeUndefined();
	});
});

describe('JSON Schema', () => {
	const person: Schema = {
		type: 'object',
		required: ['name'],
		additionalProperties: false,
		properties: {
			name: { type: 'string', minLength: 1 },
			age: { type: 'integer', minimum: 0, exclusiveMaximum: 150 },
			tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2, uniqueItems: true },
			friend: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
		},
	};

	test.each([
		[{ name: 'Ada' }, undefined],
		[{ name: 'Ada', age: 36, tags: ['a', 'b'], friend: { name: 'Bob', friend: null } }, undefined],
		[{}, 'the value lacks the field "name"'],
		[{ name: '' }, 'the value.name should have at least this many characters: 1'],
		[{ name: 'Ada', age: 1.5 }, 'the value.age should be of type integer'],
		[{ name: 'Ada', age: 150 }, 'the value.age should be less than 150'],
		[{ name: 'Ada', tags: ['c'] }, 'the value.tags[0] should be one of "a", "b"'],
		[{ name: 'Ada', tags: ['a', 'a'] }, 'the value.tags should not repeat an element'],
		[{ name: 'Ada', more: 1 }, 'the value.more is not allowed'],
		[{ name: 'Ada', friend: { age: 3 } }, 'the value.friend fits none of the alternatives in anyOf'],
		[[], 'the value should be of type object'],
	])('%j', (value, misfit) => {
		expect(firstMisfit(person, value)).toBe(misfit);
	});

	test.each<[Schema, unknown, boolean]>([
		[true, 1, true],
		[false, 1, false],
		[{ type: ['string', 'null'] }, null, true],
		[{ const: { b: 1, a: [2] } }, { a: [2], b: 1 }, true],
		[{ multipleOf: 0.1 }, 0.3, true],
		[{ multipleOf: 2 }, 3, false],
		[{ pattern: '^\\p{Lu}' }, 'Älter', true],
		[{ pattern: '^\\p{Lu}' }, 'klein', false],
		[{ maxLength: 1 }, '👍', true],
		[{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, false],
		[{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 7, true],
		[{ not: { type: 'string' } }, 'x', false],
		[{ allOf: [{ minimum: 1 }, { maximum: 5 }] }, 6, false],
		[{ prefixItems: [{ type: 'string' }], items: false }, ['a'], true],
		[{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], false],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { x1: 1 }, true],
		[{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { y1: 1 }, false],
		[{ minProperties: 1 }, {}, false],
		[{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, [1, '2'], false],
		[{ definitions: { 'a/b': { type: 'number' } }, $ref: '#/definitions/a~1b' }, 4, true],
		[{ type: 'object', properties: { toString: { type: 'string' } } }, {}, true],
		[{ required: ['toString'] }, {}, false],
	])('%j takes %j: %s', (schema, value, fits) => {
		expect(schemaDefect(schema)).toBeUndefined();
		expect(firstMisfit(schema, value) === undefined).toBe(fits);
	});

	test.each([
		[7, '# is neither an object'],
		[{ type: 'text' }, '#/type is not'],
		[{ properties: [] }, '#/properties is not'],
		[{ properties: { a: 5 } }, '#/properties is not'],
		[{ items: { minimum: '3' } }, '#/items/minimum is not'],
		[{ pattern: '(' }, '#/pattern is not'],
		[{ required: 'name' }, '#/required is not'],
		[{ $ref: '#/$defs/none' }, 'refers to "#/$defs/none"'],
		[{ $ref: 'https://example.com/schema' }, 'refers to "https://example.com/schema"'],
		[{ $ref: '#' }, 'without end'],
		[{ allOf: [{ $ref: '#' }] }, 'without end'],
	])('%j cannot be used', (schema, why) => {
		expect(schemaDefect(schema)).toContain(why);
	});

	test('words that are not checked are named', () => {
		const schema = {
			title: 'T',
			format: 'email',
			properties: { a: { unevaluatedItems: false, contains: {} } },
		};
		expect(uncheckedKeywords(schema)).toEqual(['unevaluatedItems', 'contains']);
	});
});
