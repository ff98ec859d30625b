import type { INodeProperties } from 'n8n-workflow';
import { emptyFailure, inputFailure } from '../../shared/failure/words';
import { asRecord } from '../../shared/plain/values';
import type { Call } from '../../shared/run/call';
import { isUnset, jsonValue } from '../../shared/run/parameterReader';
import { type AnswerSchema, answerSchema } from './jsonSchema';
import { isChecked, type Schema } from './keywords';
import { choiceField } from '../../shared/fields/field';

const [JSON_OUTPUT, COLUMNS, EXAMPLE, SCHEMA] = ['json', 'columns', 'example', 'schema'];
const PARSED = [JSON_OUTPUT, COLUMNS];

const OUTPUT = choiceField('Output', 'output', {
	default: 'text',
	description: 'Form of the answer',
	options: [
		{ name: 'JSON', value: JSON_OUTPUT, description: 'In the field "data"' },
		{
			name: 'JSON as Columns',
			value: COLUMNS,
			description: 'Beside the input fields, and without anything else',
		},
		{ name: 'Text', value: 'text' },
	],
});

const SCHEMA_FROM = choiceField('Schema', 'schemaFrom', {
	default: EXAMPLE,
	description: 'What the answer must match',
	options: [
		{ name: 'Any JSON', value: 'any', description: 'The prompt says what is wanted' },
		{ name: 'From an Example', value: EXAMPLE },
		{ name: 'JSON Schema', value: SCHEMA, description: 'With limits, choices, and optional fields' },
	],
	displayOptions: { show: { [OUTPUT.name]: PARSED } },
});

const JSON_EXAMPLE: INodeProperties = {
	displayName: 'Example',
	name: 'jsonExample',
	type: 'json',
	required: true,
	typeOptions: { rows: 5 },
	default: '{\n  "category": "praise",\n  "score": 4,\n  "tags": ["delivery"]\n}',
	displayOptions: { show: { [OUTPUT.name]: PARSED, [SCHEMA_FROM.name]: [EXAMPLE] } },
	description: 'An answer as you want it',
};

const JSON_SCHEMA: INodeProperties = {
	displayName: 'JSON Schema',
	name: 'jsonSchema',
	type: 'json',
	required: true,
	typeOptions: { rows: 8 },
	default: JSON.stringify(
		{
			type: 'object',
			required: ['category', 'score'],
			properties: {
				category: { enum: ['praise', 'complaint', 'question'] },
				score: { type: 'integer', minimum: 1, maximum: 5 },
			},
		},
		null,
		2,
	),
	displayOptions: { show: { [OUTPUT.name]: PARSED, [SCHEMA_FROM.name]: [SCHEMA] } },
	description: 'Schema of the answer',
};

export const outputFields = [OUTPUT, SCHEMA_FROM, JSON_EXAMPLE, JSON_SCHEMA];

export const SEND_SCHEMA = choiceField('Send Schema to Model', 'sendSchema', {
	default: 'automatic',
	description: 'How to send the schema to the model',
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'Both, because some gateways ignore the field',
		},
		{ name: 'In the System Prompt', value: 'prompt' },
		{ name: 'As a Field of the Request', value: 'field', description: 'Takes fewer tokens' },
		{ name: 'Do Not Send', value: 'no', description: 'The prompt says what is wanted' },
	],
	displayOptions: { show: { [`/${OUTPUT.name}`]: PARSED } },
});

export interface JsonOptions {
	/** True if the output contains only the fields of the data and those of the input item. */
	asColumns: boolean;
	/** Undefined if any JSON is accepted. */
	schema?: AnswerSchema;
	/** True if the schema is sent as a field of the request, as far as the format and the gateway allow. */
	inField: boolean;
	/** True if it is sent in the system prompt, even if the field is sent. */
	inPrompt: boolean;
}

/** Reads how to parse the answer of this item; undefined if it is not to be parsed. */
export async function readJsonOptions(call: Call): Promise<JsonOptions | undefined> {
	const output = call.text(OUTPUT);
	if (!PARSED.includes(output)) return undefined;
	const asColumns = output === COLUMNS;
	const source = sourceOf(call);
	if (source === undefined) return { asColumns, inField: false, inPrompt: false };
	const schema = await usableSchema(call, source);
	if (schema.unchecked.length > 0 && call.itemIndex === 0) {
		call.hint(`These keywords of JSON Schema are not checked: ${schema.unchecked.join(', ')}.`);
	}
	const how = call.options.text(SEND_SCHEMA) || SEND_SCHEMA.default;
	return {
		asColumns,
		schema,
		inField: how === 'automatic' || how === 'field',
		inPrompt: how === 'automatic' || how === 'prompt',
	};
}

function sourceOf(call: Call): unknown {
	const from = call.text(SCHEMA_FROM);
	if (from === EXAMPLE) return schemaOf(exampleOf(call));
	if (from !== SCHEMA) return undefined;
	const value = call.value(JSON_SCHEMA);
	if (isUnset(value)) throw emptyFailure(JSON_SCHEMA, 'Enter a schema, or select Any JSON under Schema.');
	const schema = jsonValue(value, JSON_SCHEMA, '{"type": "object"}');
	const names = Object.keys(asRecord(schema) ?? {});
	if (asRecord(schema) && names.length === 0) return undefined;
	if (names.length === 0 || names.some(isChecked)) return schema;
	const shown = names.slice(0, 5).map((name) => `"${name}"`);
	throw inputFailure(
		JSON_SCHEMA,
		`is not a schema: it only has ${shown.join(', ')}`,
		'If it is an example of an answer, select From an Example under Schema, and enter it there.',
	);
}

function exampleOf(call: Call): unknown {
	const value = call.value(JSON_EXAMPLE);
	if (isUnset(value)) {
		throw emptyFailure(JSON_EXAMPLE, 'Enter an answer as you want it, for example {"name": "Ada"}.');
	}
	const example = jsonValue(value, JSON_EXAMPLE, '{"name": "Ada"}');
	const { type, properties } = asRecord(example) ?? {};
	// An object with these two fields is a schema: nobody wants such an answer.
	if (type !== 'object' || asRecord(properties) === undefined) return example;
	throw inputFailure(
		JSON_EXAMPLE,
		'is a JSON Schema',
		'Under Schema, select JSON Schema, and enter it there.',
	);
}

async function usableSchema(call: Call, source: unknown): Promise<AnswerSchema> {
	try {
		return await call.oncePerRun(['schema', source], async () => answerSchema(source));
	} catch (error) {
		throw inputFailure(
			JSON_SCHEMA,
			`cannot be used: ${(error as Error).message}`,
			'Correct the schema, for example {"type": "object", "properties": {"name": {"type": "string"}}}, or select From an Example under Schema.',
		);
	}
}

/** Returns the instruction for the model to answer in JSON that fits a schema. */
export function schemaInstruction(schema: Schema): string {
	return `Answer with JSON only, without any other text. The JSON must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Returns the JSON Schema of values like an example. Null, and elements of a list that differ, stand for any value. */
export function schemaOf(example: unknown): Schema {
	if (Array.isArray(example)) {
		const [first, ...others] = example.map(schemaOf);
		const areAlike = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
		return first === undefined || !areAlike ? { type: 'array' } : { type: 'array', items: first };
	}
	if (typeof example !== 'object') return { type: typeof example };
	if (example === null) return {};
	const properties = Object.fromEntries(
		Object.entries(example).map(([name, value]) => [name, schemaOf(value)]),
	);
	return { type: 'object', required: Object.keys(properties), properties };
}
