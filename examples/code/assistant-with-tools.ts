/** Let an assistant answer a question with the news of today and draw a picture of it. */
import { fromAi, languageModel, newCredential, node, tool, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const model = languageModel({
	type: 'n8n-nodes-unified-ai-gateway.chatModel',
	version: 1,
	config: {
		name: 'Model',
		parameters: { model: { __rl: true, mode: 'id', value: 'aurora-4' } },
		credentials: gateway,
	},
});

const news = tool({
	type: 'n8n-nodes-unified-ai-gateway.utilitiesTool',
	version: 1,
	config: { name: 'News', parameters: { operation: 'worldNews' }, credentials: gateway },
});

const picture = tool({
	type: 'n8n-nodes-unified-ai-gateway.imageTool',
	version: 1,
	config: {
		name: 'Picture',
		parameters: {
			operation: 'generate',
			model: { __rl: true, mode: 'id', value: 'image-2' },
			prompt: fromAi('prompt', 'what the picture shows'),
			downloadImages: false,
		},
		credentials: gateway,
	},
});
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const assistant = node({
	type: '@n8n/n8n-nodes-langchain.agent',
	version: 3,
	config: {
		name: 'Assistant',
		parameters: {
			promptType: 'define',
			text: 'Read me the news, and draw a picture of the most important story.',
		},
		subnodes: { model, tools: [news, picture] },
	},
});

export default workflow('assistant-with-tools', 'Assistant with tools').add(start).to(assistant);
