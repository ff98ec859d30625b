import type { INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import { questionFields, rankingOptionsField, topNField } from './fields';

/** Parameters of Rerank → Rerank Input Items. */
export const rerankInputItemsFields: INodeProperties[] = [
	{
		displayName:
			'Every input item is a document. The items leave the node in the order of their relevance, whole and with their files.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	...questionFields,
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 2 },
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.title }} {{ $json.content }}',
		description: 'The text of an item that is compared with the query',
	},
	topNField,
	SIMPLIFY,
	rankingOptionsField([]),
];
