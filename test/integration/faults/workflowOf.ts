import type { INode } from 'n8n-workflow';
import { oneNode, type WorkflowJson } from '../engine/runWorkflow';
import type { OperationCase } from './operationCase';

/** The workflow of an operation. @param more parameters and options beside its own ones */
export function workflowOf(
	{ node, operation, parameters }: OperationCase,
	more: { options?: object; [parameter: string]: unknown } = {},
	settings: Partial<INode> = {},
): WorkflowJson {
	const options = { ...(parameters.options as object), ...more.options };
	return oneNode(node, { operation, ...parameters, ...more, options }, settings);
}
