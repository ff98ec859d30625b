import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import { runOperations } from '../shared/run/runOperations';
import { rerankInputItems } from './operations/rerankInputItems.operation';
import { rerankList } from './operations/rerankList.operation';

const operations = [rerankInputItems, rerankList];

export class Rerank implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Rerank',
		name: 'rerank',
		icon: { light: 'file:rerank.svg', dark: 'file:rerank.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations, ['model']),
		description: 'Sort texts by relevance to a query with a unified AI gateway',
		builderHint: {
			searchHint:
				'Ranks documents, or the input items, by how well they match a query. For a vector store, use Unified AI Reranker Model.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-unified-ai-gateway.rerankerModel',
					relationHint: 'Does this inside a vector store',
				},
				{ nodeType: 'n8n-nodes-base.limit', relationHint: 'Keeps the best items' },
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Ranking', value: 'ranking' }, operations),
	};

	methods = { listSearch: { searchModels: modelSearch('reranking') }, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
