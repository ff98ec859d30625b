import type { INodeProperties } from 'n8n-workflow';
import type { Encoding } from './catalogue/utility';

/** What the editor calls the encodings. */
export const ENCODING_NAMES: Record<Encoding, { name: string; description: string }> = {
	html: { name: 'HTML', description: 'A web page as text' },
	image: { name: 'Image', description: 'A picture, from the address that the gateway names' },
	'image-proxy': { name: 'Image via Gateway', description: 'A picture that the gateway passes on itself' },
	json: { name: 'JSON', description: 'Fields that later nodes can use' },
	markdown: { name: 'Markdown', description: 'Text with Markdown marks' },
	text: { name: 'Text', description: 'Plain text, ready to be read' },
};

/** Split Out Lists. It stands in the editor once for each default. */
export function splitOutField(preset: boolean): INodeProperties {
	const field: INodeProperties = {
		displayName: 'Split Out Lists',
		name: 'splitOutLists',
		type: 'boolean',
		default: true,
		description:
			'Whether to return one item per entry when the answer holds a list, instead of one item in all',
	};
	return { ...field, default: preset };
}

const TEXT_AND_FILES = ['html', 'image', 'image-proxy', 'markdown', 'text'];

/** Entry of Options: keep the envelope. Only JSON has one. */
export const fullResponseField: INodeProperties = {
	displayName: 'Full Response',
	name: 'fullResponse',
	type: 'boolean',
	default: true,
	displayOptions: { hide: { '/encoding': TEXT_AND_FILES } },
	description:
		'Whether to return the whole answer of the gateway (code, message and data) instead of its data only',
};

/** Entry of Options: which list is split out. */
export const listToSplitOutField: INodeProperties = {
	displayName: 'List to Split Out',
	name: 'listToSplitOut',
	type: 'string',
	default: '',
	placeholder: 'e.g. hourly_forecast',
	displayOptions: {
		show: { '/splitOutLists': [true] },
		hide: { '/encoding': TEXT_AND_FILES },
	},
	description: 'Name of the list to split out when the answer holds several. Leave empty for the usual one.',
};

/** Entry of Options: another path for the same endpoint. */
export const endpointPathField: INodeProperties = {
	displayName: 'Endpoint Path',
	name: 'endpointPath',
	type: 'string',
	default: '',
	placeholder: 'e.g. /v2/apis/other-name',
	description:
		'Path of this endpoint if your gateway has it under another name. A part of the path that a parameter fills is written in braces, for example {type}.',
};

/** Name-value pairs of a query; see `queryPairs`. */
export function queryField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description,
		options: [
			{
				displayName: 'Parameter',
				name: 'parameter',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. limit',
						description: 'Name of the parameter',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. 10',
						description: 'Value of the parameter',
					},
				],
			},
		],
	};
}
