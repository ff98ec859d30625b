import type { INode, INodeParameters } from 'n8n-workflow';
import type { Task } from './child/messages';
import type { Gateway, Subject } from './measure';

const model = { __rl: true, mode: 'id', value: 'aurora-4-mini' };

function task(
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
	gateway: Gateway,
	count: number,
	more: Partial<INode> = {},
): Task {
	const credentialType = type.startsWith('@n8n') ? 'openAiApi' : 'unifiedAiGatewayApi';
	return {
		node: {
			id: 'node',
			name: 'Node',
			type,
			typeVersion,
			position: [0, 0],
			parameters,
			credentials: { [credentialType]: { id: '1', name: 'Bench' } },
			...more,
		},
		items: Array.from({ length: count }, (_, index) => ({ prompt: `Row ${index}` })),
		credentials: {
			openAiApi: { apiKey: gateway.apiKey, url: `${gateway.url}/v1` },
			unifiedAiGatewayApi: {
				baseUrl: gateway.url,
				apiKey: gateway.apiKey,
				requestsPerMinute: gateway.requestsPerMinute,
			},
		},
	};
}

/** Chat completions by our node. */
export const ourChat = (maxConcurrency: number): Subject => ({
	name: 'Unified AI Chat',
	task: (gateway, count) =>
		task(
			'n8n-nodes-unified-ai-gateway.chat',
			1,
			{
				operation: 'chatCompletion',
				model,
				prompt: '={{ $json.prompt }}',
				options: { maxConcurrency },
			},
			gateway,
			count,
			{ onError: 'continueRegularOutput' },
		),
});

/** Chat completions by n8n's OpenAI node, in the version that uses the chat endpoint. */
export const openAi: Subject = {
	name: "n8n's OpenAI node",
	task: (gateway, count) =>
		task(
			'@n8n/n8n-nodes-langchain.openAi',
			1.8,
			{
				resource: 'text',
				operation: 'message',
				modelId: model,
				messages: { values: [{ content: '={{ $json.prompt }}' }] },
				simplify: true,
				options: {},
			},
			gateway,
			count,
			{ onError: 'continueRegularOutput' },
		),
};

/** Chat completions by n8n's HTTP Request node; it sends everything at once unless it is given batches. */
export const httpRequest = (batch?: { batchSize: number; batchInterval: number }): Subject => ({
	name: batch
		? `HTTP Request, batches of ${batch.batchSize} every ${batch.batchInterval} ms`
		: 'HTTP Request node',
	task: (gateway, count) =>
		task(
			'n8n-nodes-base.httpRequest',
			4.2,
			{
				method: 'POST',
				url: `${gateway.url}/v1/chat/completions`,
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${gateway.apiKey}` }] },
				sendBody: true,
				specifyBody: 'json',
				jsonBody:
					'={{ JSON.stringify({ model: "aurora-4-mini", messages: [{ role: "user", content: $json.prompt }] }) }}',
				options: batch ? { batching: { batch } } : {},
			},
			gateway,
			count,
			{ credentials: {}, onError: 'continueRegularOutput' },
		),
});

/** Chat completions by a bare loop over n8n's request helper. */
export const bareLoop = (concurrency: number, patient = false): Subject => ({
	name: 'Bare helper loop',
	task: (gateway, count) =>
		task(
			'bench.loop',
			1,
			{
				url: `${gateway.url}/v1/chat/completions`,
				key: gateway.apiKey,
				prompt: '={{ $json.prompt }}',
				concurrency,
				patient,
			},
			gateway,
			count,
		),
});
