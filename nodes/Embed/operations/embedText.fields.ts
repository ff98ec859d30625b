import type { INodeProperties } from 'n8n-workflow';
import { batchSizeOption } from '../../shared/fields/options';
import { optionsField, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { DEFAULT_EMBEDDING_BATCH_SIZE } from '../embedTexts';
import { endpoints } from '../../shared/gateway/endpoints';

/** Parameters of Embed → Embed Text. */
export const embedTextFields: INodeProperties[] = [
	modelField('', 'e.g. embedding-3-small'),
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.text }}',
		description: 'What becomes a vector; the texts of many items share a request',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Input Item With Vector',
				value: 'item',
				description: 'The whole item with its files, and the vector in a field of its own',
			},
			{
				name: 'Vector Only',
				value: 'vector',
				description: 'The vector, its length, the model and the tokens used',
			},
		],
		default: 'item',
		description: 'What leaves the node for each item',
	},
	{
		displayName: 'Put Vector in Field',
		name: 'vectorField',
		type: 'string',
		required: true,
		default: 'embedding',
		displayOptions: { show: { output: ['item'] } },
		placeholder: 'e.g. embedding',
		description:
			'Name of the field that gets the vector. The tokens used stand beside it, in a field whose name ends with "Usage".',
	},
	{ ...SIMPLIFY, displayOptions: { show: { output: ['vector'] } } },
	optionsField({ timeoutSeconds: endpoints.embeddings.timeoutSeconds, body: true }, [
		batchSizeOption(
			DEFAULT_EMBEDDING_BATCH_SIZE,
			'How many texts share a request. Items with other settings never share one. The value of the first item counts.',
		),
		{
			displayName: 'Dimensions',
			name: 'dimensions',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 256,
			description:
				'How many numbers a vector has, for models that can shorten it. Leave out for the length of the model.',
		},
		{
			displayName: 'Encoding Format',
			name: 'encodingFormat',
			type: 'options',
			options: [
				{ name: 'Base64', value: 'base64', description: 'A quarter of the size on the way; same numbers' },
				{ name: 'Float', value: 'float', description: 'Plain numbers, which every gateway can send' },
				{ name: 'Gateway Default', value: 'default', description: 'Let the gateway choose' },
			],
			default: 'default',
			description: 'How vectors travel. The output is the same: numbers.',
		},
	]),
];
