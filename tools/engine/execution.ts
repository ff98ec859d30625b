import type { INode, INodeExecutionData } from 'n8n-workflow';

/*
 * The inputs of n8n's engine that do not depend on the workflow. The benchmark and the engine tests run different copies
 * of n8n-core, so this file imports only types.
 */

/** Returns the start of an execution: the first node, with its input items. */
export function startAt(node: INode, items: INodeExecutionData[]) {
	return {
		executionData: {
			contextData: {},
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
			nodeExecutionStack: [{ node, data: { main: [items] }, source: null }],
		},
	};
}

/** Returns the part of an execution's additional data that all runs without a server share. */
export function executionContext(executionId: string) {
	return {
		executionId,
		currentNodeExecutionIndex: 0,
		restApiUrl: '',
		instanceBaseUrl: '',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
	};
}
