import fc from 'fast-check';
import { extractJson } from '../../../nodes/Chat/json/parseJsonAnswer';
import {
	firstMismatch,
	schemaDefect,
	uncheckedKeywords,
	type Schema,
} from '../../../nodes/Chat/json/jsonSchema';

const anything = () => true;
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('extractJson', () => {
	it.each([
		['alone', '{"a":1}'],
		['with white space around it', '\n {"a":1}\n'],
		['in a fence', 'Here you are:\n```json\n{"a":1}\n```\nEnjoy!'],
		['in a fence without a language', '```\n{"a":1}\n```'],
		['in a fence on one line', '```{"a":1}```'],
		['in a fence that is not closed', '```json\n{"a":1}'],
		['between words', 'The answer is {"a":1}, I think.'],
		['after a list in brackets', 'As [1] says: {"a":1}'],
		['after a brace that is not closed', 'A { and then {"a":1}'],
	])('finds JSON %s', async (_where, text) => {
		expect(await extractJson(text, anything)).toEqual({ value: { a: 1 } });
	});

	it('ignores brackets and quotation marks inside strings', async () => {
		const value = { a: 'x } ] " \\ {', b: ['[', '{'] };
		expect(await extractJson(`So: ${JSON.stringify(value)}.`, anything)).toEqual({ value });
	});

	it('prefers a matching value to a larger one', async () => {
		expect(await extractJson('[1, 2, 3, 4, 5] or {"a":1}', isRecord)).toEqual({ value: { a: 1 } });
	});

	it('returns the largest of several values', async () => {
		expect(await extractJson('First {} and then {"a":1} and [2]', anything)).toEqual({ value: { a: 1 } });
	});

	it.each(['', 'No JSON here.', '{a: 1}', '{"a":', "{'a': 1}"])('finds nothing in %j', async (text) => {
		expect(await extractJson(text, anything)).toBeUndefined();
	});

	it('finds any JSON object inside other text', async () => {
		await fc.assert(
			fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), async (value, fenced) => {
				const json = JSON.stringify(value);
				const text = fenced ? `Look:\n\`\`\`json\n${json}\n\`\`\`` : `Look: ${json} - that is all.`;
				fc.pre(!json.includes('```'));
				expect((await extractJson(text, anything))?.value).toEqual(JSON.parse(json));
			}),
		);
	});

	it('handles a text full of opening brackets quickly', async () => {
		expect(await extractJson('{'.repeat(300_000), anything)).toBeUndefined();
		expect(await extractJson('[{"a":'.repeat(50_000), anything)).toBeUndefined();
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

	it.each([
		[{ name: 'Ada' }, undefined],
		[{ name: 'Ada', age: 36, tags: ['a', 'b'], friend: { name: 'Bob', friend: null } }, undefined],
		[{}, 'the value is missing the field "name"'],
		[{ name: '' }, 'the value.name must have at least 1 character'],
		[{ name: 'Ada', age: 1.5 }, 'the value.age must be of type integer'],
		[{ name: 'Ada', age: 150 }, 'the value.age must be less than 150'],
		[{ name: 'Ada', tags: ['c'] }, 'the value.tags[0] must be one of "a", "b"'],
		[{ name: 'Ada', tags: ['a', 'a'] }, 'the value.tags must not repeat an element'],
		[{ name: 'Ada', more: 1 }, 'the value.more is not allowed'],
		[{ name: 'Ada', friend: { age: 3 } }, 'the value.friend matches none of the schemas in anyOf'],
		[[], 'the value must be of type object'],
	])('checks %j and reports %j', (value, mismatch) => {
		expect(firstMismatch(person, value)).toBe(mismatch);
	});

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
	])('reports for schema %j whether %j matches: %s', (schema, value, matches) => {
		expect(schemaDefect(schema)).toBeUndefined();
		expect(firstMismatch(schema, value) === undefined).toBe(matches);
	});

	it.each([
		[7, '# is neither an object'],
		[{ type: 'text' }, '#/type is not'],
		[{ properties: [] }, '#/properties is not'],
		[{ properties: { a: 5 } }, '#/properties is not'],
		[{ items: { minimum: '3' } }, '#/items/minimum is not'],
		[{ pattern: '(' }, '#/pattern is not'],
		[{ required: 'name' }, '#/required is not'],
		[{ $ref: '#/$defs/none' }, 'refers to "#/$defs/none"'],
		[{ $defs: { undefined: {} }, $ref: '#/$defs/%E0%A4%A' }, 'refers to "#/$defs/%E0%A4%A"'],
		[{ $ref: 'https://example.com/schema' }, 'refers to "https://example.com/schema"'],
		[{ $ref: '#' }, 'itself endlessly'],
		[{ allOf: [{ $ref: '#' }] }, 'itself endlessly'],
	])('rejects the schema %j', (schema, why) => {
		expect(schemaDefect(schema)).toContain(why);
	});

	it('names the keywords that are not checked', () => {
		const schema = {
			title: 'T',
			format: 'email',
			properties: { a: { unevaluatedItems: false, contains: {} } },
		};
		expect(uncheckedKeywords(schema)).toEqual(['unevaluatedItems', 'contains']);
	});

	it('names patterns that are not checked, which accept everything', () => {
		const schema: Schema = {
			properties: { a: { pattern: '^(?!x)' }, b: { pattern: '^[a-z]$' } },
			patternProperties: { '\\bc': { type: 'number' } },
			additionalProperties: false,
		};
		expect(uncheckedKeywords(schema)).toEqual([
			'pattern with lookaround, word boundaries, or references',
			'patternProperties with lookaround, word boundaries, or references',
		]);
		expect(firstMismatch(schema, { a: 'x', c: 'text' })).toBeUndefined();
		expect(firstMismatch(schema, { b: 'xx' })).toContain('must match');
	});
});
