import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { Call } from '../../shared/run/call';
import { jsonValue } from '../../shared/run/parameterReader';
import { type AnswerSchema, answerSchema, type Schema } from './jsonSchema';

export const PARSE_JSON: INodeProperties = {
	displayName: 'Parse JSON Answer',
	name: 'parseJson',
	type: 'boolean',
	default: true,
	description: 'Whether to parse the answer as JSON and return it in the field "data"',
};

export const JSON_SCHEMA: INodeProperties = {
	displayName: 'JSON Schema',
	name: 'jsonSchema',
	type: 'json',
	typeOptions: { rows: 6 },
	default: '{}',
	description: 'JSON Schema that the answer must match. The answer is then parsed as JSON.',
};

export const SEND_SCHEMA: INodeProperties = {
	displayName: 'Send Schema to Model',
	name: 'sendSchema',
	type: 'options',
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'As a field of the request and in the system prompt, because some gateways ignore the field',
		},
		{
			name: 'In the System Prompt',
			value: 'prompt',
			description: 'Only as an instruction',
		},
		{ name: 'As a Field of the Request', value: 'field', description: 'Takes fewer tokens' },
		{ name: 'Do Not Send', value: 'no', description: 'The prompt says what is wanted' },
	],
	default: 'automatic',
	description: 'How the model gets to know JSON Schema',
};

export interface JsonOptions {
	/** Undefined: any JSON is accepted. */
	schema?: AnswerSchema;
	/** Whether the schema is sent as a field of the request, as far as the format and the gateway allow. */
	inField: boolean;
	/** Whether it is sent in the system prompt, even if the field is sent. */
	inPrompt: boolean;
}

/**
 * Reads how to parse the answer of this item. A hint names the keywords of the schema that are not checked.
 *
 * @returns undefined when the answer is not to be parsed
 * @throws GatewayFailure (kind `input`) when the schema cannot be used
 */
export function readJsonOptions(call: Call): JsonOptions | undefined {
	const value = call.options.value(JSON_SCHEMA);
	const anyJson = { inField: false, inPrompt: false };
	const isEmpty = value === undefined || value === null || value === '';
	if (isEmpty) return call.options.flag(PARSE_JSON) ? anyJson : undefined;
	const schema = jsonValue(value, JSON_SCHEMA, '{"type": "object"}');
	if (schema === undefined || isEmptyObject(schema)) return anyJson;
	const usable = usableSchema(call, schema);
	if (usable.unchecked.length > 0 && call.itemIndex === 0) {
		call.hint(`These keywords of JSON Schema are not checked: ${usable.unchecked.join(', ')}.`);
	}
	const how = call.options.text(SEND_SCHEMA) || SEND_SCHEMA.default;
	return {
		schema: usable,
		inField: how === 'automatic' || how === 'field',
		inPrompt: how === 'automatic' || how === 'prompt',
	};
}

const LAST = 'the JSON Schema of the last item';

/** Nearly always, the next item has the same schema. */
function usableSchema({ client }: Call, source: unknown): AnswerSchema {
	const last = client.learned.recall<AnswerSchema>(LAST);
	try {
		if (last && JSON.stringify(last.source) === JSON.stringify(source)) return last;
		const schema = answerSchema(source);
		client.learned.note(LAST, schema);
		return schema;
	} catch (error) {
		throw inputFailure(
			JSON_SCHEMA,
			`cannot be used: ${(error as Error).message}`,
			'Correct the schema, for example {"type": "object", "properties": {"name": {"type": "string"}}}, or clear the field to accept any JSON.',
		);
	}
}

/** The instruction for the model to answer in the JSON of a schema. */
export function schemaInstruction(schema: Schema): string {
	return `Answer with JSON only, without any other text. The JSON must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

function isEmptyObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
