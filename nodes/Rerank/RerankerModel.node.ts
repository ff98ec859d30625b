import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';
import { searchModels } from '../shared/fields/picker';
import { supplySubNode } from '../shared/runtime/subNode';
import { rerankerModelFields } from './model/fields';
import { GatewayReranker } from './model/gatewayReranker';
import { readSettings } from './model/readSettings';

export class RerankerModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Reranker Model',
		name: 'rerankerModel',
		icon: { light: 'file:rerankerModel.svg', dark: 'file:rerankerModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"] || "" }}',
		description: 'Sort what a vector store finds by relevance, with a unified AI gateway',
		defaults: { name: 'Unified AI Reranker Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiReranker],
		outputNames: ['Reranker'],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true }],
		properties: rerankerModelFields,
	};

	methods = { listSearch: { searchModels } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		return await supplySubNode(
			this,
			itemIndex,
			(call) => new GatewayReranker(this, call.client, readSettings(call)),
		);
	}
}
