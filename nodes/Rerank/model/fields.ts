import type { INodeProperties } from 'n8n-workflow';
import { batchSizeOption } from '../../shared/fields/options';
import { optionsField } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';
import { DEFAULT_RANKING_BATCH_SIZE } from '../rankDocuments';

/** Parameters of the Reranker Model. */
export const rerankerModelFields: INodeProperties[] = [
	modelField('reranker-v2-m3', 'e.g. reranker-v2-m3'),
	{
		displayName: 'Top N',
		name: 'topN',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description:
			'How many documents to keep, the most relevant ones first. 0 keeps all of them. The vector store should find more than that, 20 or so.',
	},
	optionsField({ timeoutSeconds: endpoints.rerank.timeoutSeconds, body: true }, [
		batchSizeOption(
			DEFAULT_RANKING_BATCH_SIZE,
			'How many documents share a request. More documents are sent in several requests, and the results are merged by score.',
		),
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
	]),
];
