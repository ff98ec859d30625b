import type { INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import { questionFields, rankingOptionsField, topNField } from './fields';

/** Parameters of Rerank → Rerank List. */
export const rerankListFields: INodeProperties[] = [
	...questionFields,
	{
		displayName: 'Documents',
		name: 'documents',
		type: 'string',
		typeOptions: { rows: 6 },
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.passages }}',
		description: 'JSON list of texts or objects, or plain text with one document per line',
	},
	topNField,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'One Item per Document', value: 'documents', description: 'The best document first' },
			{ name: 'One Item With All Documents', value: 'list', description: 'The documents as a list' },
		],
		default: 'documents',
		description: 'How the ranked documents leave the node',
	},
	SIMPLIFY,
	rankingOptionsField([
		{
			displayName: 'Text Field',
			name: 'textField',
			type: 'string',
			default: 'text',
			placeholder: 'e.g. content',
			description: 'Name of the field that holds the text when the documents are objects',
		},
	]),
];
