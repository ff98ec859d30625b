import type { INodeProperties } from 'n8n-workflow';
import { batchSizeOption } from '../../shared/fields/options';
import { optionsField } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';
import { DEFAULT_RANKING_BATCH_SIZE } from '../rankDocuments';

/** Model and query, which both operations begin with. */
export const questionFields: INodeProperties[] = [
	modelField('reranker-v2-m3', 'e.g. reranker-v2-m3'),
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		typeOptions: { rows: 2 },
		required: true,
		default: '',
		placeholder: 'e.g. How do I reset my password?',
		description: 'What the texts are compared with',
	},
];

/** How many documents are kept. */
export const topNField: INodeProperties = {
	displayName: 'Top N',
	name: 'topN',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'How many documents to keep, the most relevant ones first. 0 keeps all of them.',
};

/** The Options collection of both operations. */
export function rankingOptionsField(own: INodeProperties[]): INodeProperties {
	return optionsField({ timeoutSeconds: endpoints.rerank.timeoutSeconds, body: true }, [
		...own,
		batchSizeOption(
			DEFAULT_RANKING_BATCH_SIZE,
			'How many documents share a request. More documents are sent in several requests, and the results are merged by score.',
		),
		{
			displayName: 'Empty Documents',
			name: 'emptyDocuments',
			type: 'options',
			options: [
				{ name: 'Leave Out', value: 'leaveOut', description: 'Documents without text do not leave the node' },
				{
					name: 'Put Last',
					value: 'putLast',
					description: 'Documents without text follow after all others, without a score',
				},
			],
			default: 'leaveOut',
			description: 'What to do with documents that hold no text; they cannot be scored',
		},
		{
			displayName: 'Minimum Score',
			name: 'minimumScore',
			type: 'number',
			typeOptions: { numberPrecision: 4 },
			default: 0.5,
			description: 'Documents with a lower score are left out. Which scores are high depends on the model.',
		},
		{
			displayName: 'Remove Duplicates',
			name: 'removeDuplicates',
			type: 'boolean',
			default: false,
			description: 'Whether to keep only the first of several documents with the same text',
		},
	]);
}
