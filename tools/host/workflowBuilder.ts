import type { NodeType, Workflow, WorkflowNode } from './n8nTypes';

/** Returns a workflow node. `more` adds fields such as `credentials` or `webhookId`. */
export function workflowNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return {
		id: name,
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: parameters as WorkflowNode['parameters'],
		...more,
	};
}

/** Returns a manual trigger called "Start". */
export function manualTrigger(): WorkflowNode {
	return workflowNode('Start', 'n8n-nodes-base.manualTrigger', 1, {});
}

/** Returns connections from each node to the next one in the list. */
export function connectInOrder(nodes: WorkflowNode[]): Workflow['connections'] {
	return Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [nodes[index].name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
}

/** Returns a workflow with a manual trigger and a node of the given type. A sub-node is not connected. */
export function workflowWithNode({ name: type, displayName, inputs }: NodeType): Workflow {
	const nodes = [manualTrigger(), workflowNode(displayName, type, 1, {}, { position: [220, 0] })];
	return {
		name: displayName,
		nodes,
		connections: inputs.length === 0 ? {} : connectInOrder(nodes),
		settings: { executionOrder: 'v1' },
	};
}
