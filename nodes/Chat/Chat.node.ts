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
import { FORMATS } from './formats/formats';
import { messageIn } from './operations/message.operation';

const operations = FORMATS.map(messageIn);

export class Chat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Chat',
		name: 'chat',
		icon: { light: 'file:chat.svg', dark: 'file:chat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations, ['model']),
		description: 'Chat with the models of a unified AI gateway, in any of three formats',
		builderHint: {
			searchHint: 'Asks a chat model, one answer per item. For an AI Agent, use Unified AI Chat Model.',
			relatedNodes: [{ nodeType: 'n8n-nodes-unified-ai-gateway.account', relationHint: 'Lists model IDs' }],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiTool, displayName: 'Tools', required: false },
		],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Chat', value: 'chat' }, operations),
	};

	methods = { listSearch: { searchModels: modelSearch('chat') }, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
