import { readFile } from 'node:fs/promises';
import type { Execution, NodeType, ResultItem, Workflow, WorkflowNode } from '../../tools/host/n8nTypes';
import { workflowNode } from '../../tools/host/workflowBuilder';
import type { ServerUnderTest } from './useServer';

/** A connection as `[from, to, type]`. */
export type Link = [from: string, to: string, type?: string];

/** Returns a workflow with the name of the test. */
export function workflowOf(n8n: ServerUnderTest, nodes: WorkflowNode[], links: Link[]): Workflow {
	const connections: Record<string, Record<string, object[][]>> = {};
	for (const [from, to, type = 'main'] of links) {
		connections[from] ??= {};
		connections[from][type] ??= [[]];
		connections[from][type][0].push({ node: to, type, index: 0 });
	}
	const name = `Test ${String(expect.getState().currentTestName)}`.slice(0, 120);
	return n8n.prepare({ name, nodes, connections, settings: { executionOrder: 'v1' } });
}

/** Runs a workflow like "Execute workflow", and waits until it has ended. */
export async function run(n8n: ServerUnderTest, workflow: Workflow): Promise<Execution> {
	const id = await n8n.rest.saveWorkflow(workflow);
	return await n8n.rest.runWorkflow(id, 'Start', 240_000);
}

/** The output items of a node. @param run the first of its runs that counts */
export function itemsOf(
	{ runData }: Execution,
	node: string,
	type = 'main',
	run = 0,
): Array<Required<ResultItem>> {
	const runs = (runData[node] ?? []).slice(run);
	return runs.flatMap(({ data }) => data?.[type]?.[0] ?? []) as Array<Required<ResultItem>>;
}

/** Returns the IDs of the executions that a process in queue mode has started, from its log. */
export async function executionsOf(logFile: string): Promise<string[]> {
	const log = await readFile(logFile, 'utf8');
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);
}

/** Returns the connections of an AI Agent with a trigger, a model, and tools. */
export function linksOfAgent(...tools: string[]): Link[] {
	return [
		['Start', 'Agent'],
		['Model', 'Agent', 'ai_languageModel'],
		...tools.map((tool): Link => [tool, 'Agent', 'ai_tool']),
	];
}

/** Returns a chat trigger that streams the answer to its caller. */
export function streamingChat(name: string, webhookId: string): WorkflowNode {
	const parameters = { public: true, options: { responseMode: 'streaming' } };
	return workflowNode(name, '@n8n/n8n-nodes-langchain.chatTrigger', 1.3, parameters, { webhookId });
}

/** Returns the newest version of the AI Agent in the running n8n. */
export function newestAgent(nodeTypes: NodeType[]): number {
	const agents = nodeTypes.filter(({ name }) => name === '@n8n/n8n-nodes-langchain.agent');
	return Math.max(...agents.flatMap(({ version }) => version));
}

/** Returns the value of a model that is entered as an ID. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Returns a tool that needs no arguments: Utilities as a tool of an agent. */
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

/** Returns a tool whose argument the model writes: Chat as a tool of an agent. */
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
