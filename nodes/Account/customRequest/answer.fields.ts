import type { INodeProperties } from 'n8n-workflow';
import { OUTPUT_FILE } from '../../shared/fields/options';
import type { Call } from '../../shared/runtime/call';

/** How to read a response. */
export type AnswerFormat = 'automatic' | 'file' | 'json' | 'text';

const RESPONSE_FORMAT: INodeProperties = {
	displayName: 'Response Format',
	name: 'answerFormat',
	type: 'options',
	options: [
		{ name: 'Automatic', value: 'automatic', description: 'The format that the response declares' },
		{ name: 'File', value: 'file', description: 'A file, whatever the response contains' },
		{ name: 'JSON', value: 'json', description: 'JSON. Any other content fails the item.' },
		{ name: 'Text', value: 'text', description: 'Text in the field "text"' },
	],
	default: 'automatic',
	description: 'How to read the response',
};

export const ITEMS_FIELD: INodeProperties = {
	displayName: 'Items Field',
	name: 'itemsField',
	type: 'string',
	default: '',
	displayOptions: { show: { answerFormat: ['automatic', 'json'] } },
	placeholder: 'e.g. data',
	description:
		'Field of a JSON response whose list becomes one item per entry. Use dots for nested fields. Leave empty to output the response unchanged. A response that is itself a list is always split.',
};

/** Parameters for the response to a custom request. */
export const answerFields: INodeProperties[] = [
	RESPONSE_FORMAT,
	{ ...OUTPUT_FILE, displayOptions: { show: { answerFormat: ['automatic', 'file'] } } },
	ITEMS_FIELD,
];

/** How to turn a response into items. */
export interface AnswerSettings {
	format: AnswerFormat;
	/** Dotted path of the list to split; empty for none. */
	itemsField: string;
}

export function readAnswerSettings(call: Call): AnswerSettings {
	return {
		format: call.text(RESPONSE_FORMAT) as AnswerFormat,
		itemsField: call.text(ITEMS_FIELD).trim(),
	};
}

/**
 * The name of the output field for a file.
 *
 * @throws GatewayFailure (kind `input`) when it is empty
 */
export function readOutputField(call: Call): string {
	return call.requiredText(OUTPUT_FILE);
}
