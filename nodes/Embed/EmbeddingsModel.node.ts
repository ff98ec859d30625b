import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { supplySubNode } from '../shared/run/subNode';
import { embeddingOptions, MODEL, readEmbeddingJob } from './embedTexts';
import { GatewayEmbeddings } from './model/gatewayEmbeddings';

export class EmbeddingsModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Embeddings Model',
		name: 'embeddingsModel',
		icon: { light: 'file:embeddingsModel.svg', dark: 'file:embeddingsModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"] || "" }}',
		description: 'Use an embedding model of a unified AI gateway in a vector store',
		builderHint: {
			searchHint:
				'Connects to the embedding input of vector stores. Use the same model for inserting and for searching.',
			relatedNodes: [
				{
					nodeType: '@n8n/n8n-nodes-langchain.vectorStoreInMemory',
					relationHint: 'Takes it as its embedding',
				},
				{
					nodeType: 'n8n-nodes-unified-ai-gateway.rerankerModel',
					relationHint: 'Sorts what the store finds',
				},
			],
		},
		defaults: { name: 'Unified AI Embeddings Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiEmbedding],
		outputNames: ['Embeddings'],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: [MODEL, ...embeddingOptions(true)],
	};

	methods = { listSearch: { searchModels: modelSearch('embedding') }, credentialTest: { testCredential } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number) {
		return await supplySubNode(
			this,
			itemIndex,
			(call) => new GatewayEmbeddings(call, readEmbeddingJob(call)),
		);
	}
}
