import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { supplySubNode } from '../shared/run/subNode';
import { MODEL, rankingOptions, readRankingJob, TOP_N } from './fields';
import { GatewayReranker } from './model/gatewayReranker';

const FEW = {
	...TOP_N,
	default: 3,
	description: `${TOP_N.description} Let the vector store find more than that, for example 20.`,
};

export class RerankerModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Reranker Model',
		name: 'rerankerModel',
		icon: { light: 'file:rerankerModel.svg', dark: 'file:rerankerModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"] || "" }}',
		description: 'Rerank the results of a vector store with a unified AI gateway',
		builderHint: {
			searchHint: 'Connects to the reranker input of vector stores, whose option Rerank Results must be on.',
			relatedNodes: [
				{
					nodeType: '@n8n/n8n-nodes-langchain.vectorStoreInMemory',
					relationHint: 'Takes it as its reranker',
				},
			],
		},
		defaults: { name: 'Unified AI Reranker Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiReranker],
		outputNames: ['Reranker'],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: [MODEL, FEW, ...rankingOptions([], true)],
	};

	methods = { listSearch: { searchModels: modelSearch('reranking') }, credentialTest: { testCredential } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number) {
		return await supplySubNode(
			this,
			itemIndex,
			(call) => new GatewayReranker(call, readRankingJob(call, FEW)),
		);
	}
}
