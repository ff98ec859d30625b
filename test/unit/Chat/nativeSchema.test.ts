import { responseFormat, responseSchema, withoutAnswerTool } from '../../../nodes/Chat/json/nativeSchema';
import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';

type Schema = Record<string, unknown>;
const text = { type: 'string' };
const object = (properties: Schema, more: Schema = {}): Schema => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
	...more,
});
const sentStrictly = (schema: Schema) =>
	responseFormat(schema) as { response_format: { json_schema: Schema } };

describe('Schema in the response format of a chat completion', () => {
	it('is strict when every object lists all of its properties, and then allows no others', () => {
		const inner = object({ name: text, tags: { type: 'array', items: object({ tag: text }) } });
		const schema = object(
			{
				one: inner,
				other: { anyOf: [object({ a: text }), { type: 'null' }] },
				again: { $ref: '#/$defs/inner' },
			},
			{ $defs: { inner }, $schema: 'https://json-schema.org/draft/2020-12/schema' },
		);
		const closed = (part: Schema): Schema => ({ ...part, additionalProperties: false });
		const closedInner = closed(
			object({ name: text, tags: { type: 'array', items: closed(object({ tag: text })) } }),
		);
		expect(sentStrictly(schema).response_format.json_schema).toEqual({
			name: 'answer',
			strict: true,
			schema: closed(
				object(
					{
						one: closedInner,
						other: { anyOf: [closed(object({ a: text })), { type: 'null' }] },
						again: { $ref: '#/$defs/inner' },
					},
					{ $defs: { inner: closedInner } },
				),
			),
		});
	});

	it.each<[string, Schema]>([
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

	it.each<[string, Schema]>([
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
