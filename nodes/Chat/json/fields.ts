import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { Call } from '../../shared/runtime/call';
import { jsonValue } from '../../shared/runtime/parameterReader';
import { schemaDefect, uncheckedKeywords, type Schema } from './jsonSchema';

/** Entry of Options. */
export const PARSE_JSON: INodeProperties = {
	displayName: 'Parse JSON Answer',
	name: 'parseJson',
	type: 'boolean',
	default: false,
	description:
		'Whether to parse the answer as JSON and return it in the field "data". Code fences and text around the JSON are ignored. If the answer contains no JSON, the item fails, and the error keeps the text.',
};

/** Entry of Options. Whoever adds it wants JSON. */
export const JSON_SCHEMA: INodeProperties = {
	displayName: 'JSON Schema',
	name: 'jsonSchema',
	type: 'json',
	typeOptions: { rows: 6 },
	default: '{}',
	description:
		'JSON Schema that the answer must match, e.g. {"type":"object","required":["category"],"properties":{"category":{"type":"string"}}}. The answer is parsed as JSON even if Parse JSON Answer is off. Leave {} to accept any JSON.',
};

/** Entry of Options. */
export const SEND_SCHEMA: INodeProperties = {
	displayName: 'Send Schema to Model',
	name: 'tellSchema',
	type: 'boolean',
	default: true,
	displayOptions: { show: { '/inputType': ['prompt', 'messages'] } },
	description:
		'Whether to add JSON Schema to the system prompt, so that the model knows the required structure',
};

/** How to parse an answer. */
export interface JsonOptions {
	/** Undefined: any JSON is accepted. */
	schema?: Schema;
}

/**
 * Reads how to parse the answer of this item. A hint names the keywords of the schema that are not checked.
 *
 * @returns undefined when the answer is not to be parsed
 * @throws GatewayFailure (kind `input`) when the schema cannot be used
 */
export function readJsonOptions(call: Call): JsonOptions | undefined {
	const value = call.options.value(JSON_SCHEMA);
	const isEmpty = value === undefined || value === null || value === '';
	if (isEmpty) return call.options.flag(PARSE_JSON) ? {} : undefined;
	const schema = jsonValue(value, JSON_SCHEMA, '{"type": "object"}');
	if (schema === undefined || isEmptyObject(schema)) return {};
	const defect = schemaDefect(schema);
	if (defect) {
		throw inputFailure(
			JSON_SCHEMA,
			`cannot be used: ${defect}`,
			'Correct the schema, for example {"type": "object", "properties": {"name": {"type": "string"}}}, or clear the field to accept any JSON.',
		);
	}
	const unchecked = uncheckedKeywords(schema);
	if (unchecked.length > 0 && call.itemIndex === 0) {
		call.hint(`These keywords of JSON Schema are not checked: ${unchecked.join(', ')}.`);
	}
	return { schema: schema as Schema };
}

/** The instruction for the model to answer in JSON; empty without a schema, or when the schema is not sent. */
export function readInstruction(call: Call, options: JsonOptions | undefined): string {
	if (options?.schema === undefined || !call.options.flagOrDefault(SEND_SCHEMA)) return '';
	return `Answer with JSON only, without any other text. The JSON must fit this JSON Schema:\n${JSON.stringify(options.schema)}`;
}

function isEmptyObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
