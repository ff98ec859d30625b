import type { NodeType, WorkflowNode } from '../../tools/host/n8nTypes';
import { workflowNode } from '../../tools/host/workflowBuilder';

/** The newest AI Agent of the n8n that runs. */
export function newestAgent(nodeTypes: NodeType[]): number {
	const agents = nodeTypes.filter(({ name }) => name === '@n8n/n8n-nodes-langchain.agent');
	return Math.max(...agents.flatMap(({ version }) => version));
}

/** The value of a model that is entered as an ID. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A tool that needs no arguments: Utilities as a tool of an agent. */
export function newsTool(packageName: string): WorkflowNode {
	return workflowNode('headlines', `${packageName}.utilitiesTool`, 1, {
		descriptionType: 'manual',
		toolDescription: 'Gives the news of today',
		operation: 'worldNews',
		encoding: 'json',
		simplify: true,
		options: {},
	});
}

/** A tool whose argument the model writes: Chat as a tool of an agent. */
export function expertTool(packageName: string): WorkflowNode {
	return workflowNode('expert', `${packageName}.chatTool`, 1, {
		descriptionType: 'manual',
		toolDescription: 'Asks an expert about astronomy',
		operation: 'chatCompletion',
		model: byId('aurora-4-mini'),
		prompt: "={{ $fromAI('question', 'what the expert is asked') }}",
		simplify: true,
		options: {},
	});
}
