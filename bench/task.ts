import type { IDataObject, INode } from 'n8n-workflow';
import type { Task } from './child/messages';
import type { Gateway, Subject } from './measure';

/** The fields of a node that differ between subjects. */
export type NodeOf = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/**
 * Returns the task of a subject for the measured process. It runs the node over items with a short prompt each, and
 * continues when one fails.
 */
export function taskOf(subject: Subject, gateway: Gateway, count: number): Task {
	const { extraBody } = subject;
	const node = subject.node(gateway);
	const credentialType = node.type.startsWith('@n8n') ? 'openAiApi' : 'unifiedAiGatewayApi';
	return {
		node: {
			id: 'node',
			name: 'Node',
			position: [0, 0],
			credentials: { [credentialType]: { id: '1', name: 'Bench' } },
			onError: 'continueRegularOutput',
			...node,
		},
		items: Array.from({ length: count }, (_, index) => ({ prompt: `Row ${index}` })),
		credentials: {
			openAiApi: { apiKey: gateway.apiKey, url: `${gateway.url}/v1`, ...(extraBody ? { extraBody } : {}) },
			unifiedAiGatewayApi: {
				baseUrl: gateway.url,
				apiKey: gateway.apiKey,
				requestsPerMinute: gateway.requestsPerMinute,
			},
		},
	};
}

/** Returns the value of a resource locator, such as a model or voice, by ID. */
export const picked = (value: string) => ({ __rl: true, mode: 'id', value });

/** Returns one of our nodes. */
export const ourNode = (name: string, parameters: IDataObject): NodeOf => ({
	type: `n8n-nodes-unified-ai-gateway.${name}`,
	typeVersion: 1,
	parameters: parameters as INode['parameters'],
});

/** Returns n8n's OpenAI node, in the version that uses the chat endpoint. */
export const openAiNode = (parameters: IDataObject): NodeOf => ({
	type: '@n8n/n8n-nodes-langchain.openAi',
	typeVersion: 1.8,
	parameters: parameters as INode['parameters'],
});

/** n8n's HTTP Request node that posts JSON. @param jsonBody an expression */
export const httpRequestNode = (gateway: Gateway, path: string, jsonBody: string): NodeOf => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url: gateway.url + path,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${gateway.apiKey}` }] },
		sendBody: true,
		specifyBody: 'json',
		jsonBody,
		options: {},
	},
	credentials: {},
});

/** Returns the bare loop with one of the jobs in `child/bareJobs.ts`. */
export const bareNode = (gateway: Gateway, path: string, job: string, concurrency: number): NodeOf => ({
	type: 'bench.loop',
	typeVersion: 1,
	parameters: {
		url: gateway.url + path,
		key: gateway.apiKey,
		prompt: '={{ $json.prompt }}',
		concurrency,
		job,
	},
});
