import type * as AiNodeSdk from '@n8n/ai-node-sdk';
import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { supplySubNode } from '../shared/run/subNode';
import { chatModelFields, readSettings } from './model/fields';
import { GatewayChat } from './model/gatewayChat';
import { loadSdk } from './sdk';
import { scopeOf, supplyChatModel } from './model/adapter';

export class ChatModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Chat Model',
		name: 'chatModel',
		icon: { light: 'file:chatModel.svg', dark: 'file:chatModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"] || "" }}',
		description: 'Use a chat model of a unified AI gateway in AI agents and chains',
		builderHint: {
			searchHint: 'Connects to the model input of AI Agent and chains.',
			relatedNodes: [
				{ nodeType: '@n8n/n8n-nodes-langchain.agent', relationHint: 'Takes it as its model' },
				{ nodeType: '@n8n/n8n-nodes-langchain.chainLlm', relationHint: 'Takes it as its model' },
			],
		},
		defaults: { name: 'Unified AI Chat Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		outputNames: ['Model'],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: chatModelFields,
	};

	methods = { listSearch: { searchModels: modelSearch('chat') }, credentialTest: { testCredential } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number) {
		return await supplySubNode(this, itemIndex, (call) => {
			const settings = readSettings(call);
			const sdk: typeof AiNodeSdk = loadSdk('the Unified AI Chat Model');
			const chat = new GatewayChat(call.client, settings, scopeOf(call));
			return supplyChatModel(sdk, call, chat, settings);
		});
	}
}
