import type { Subject } from '../measure';
import { bareNode, httpRequestNode, openAiNode, ourNode, picked } from '../task';

const PATH = '/v1/chat/completions';
const model = picked('aurora-4-mini');

/** Chat completions with our node. @param parallelRequests undefined for as many as the gateway can handle */
export const ourChat = (parallelRequests?: number): Subject => ({
	name: 'Unified AI Chat',
	node: () =>
		ourNode('chat', {
			operation: 'chatCompletion',
			model,
			prompt: '={{ $json.prompt }}',
			limits: { parallelRequests },
		}),
});

/** Requests chat completions with n8n's OpenAI node. */
export const openAi: Subject = {
	name: "n8n's OpenAI node",
	node: () =>
		openAiNode({
			resource: 'text',
			operation: 'message',
			modelId: model,
			messages: { values: [{ content: '={{ $json.prompt }}' }] },
			simplify: true,
			options: {},
		}),
};

/** Requests chat completions with n8n's HTTP Request node, all at once. */
export const httpRequest: Subject = {
	name: 'HTTP Request node',
	node: (gateway) =>
		httpRequestNode(
			gateway,
			PATH,
			'={{ JSON.stringify({ model: "aurora-4-mini", messages: [{ role: "user", content: $json.prompt }] }) }}',
		),
};

/** Returns a subject that requests chat completions with a bare loop over n8n's request helper. */
export const bareLoop = (concurrency: number): Subject => ({
	name: 'Bare helper loop',
	node: (gateway) => bareNode(gateway, PATH, 'chat', concurrency),
});
