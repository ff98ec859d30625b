import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import type { Execution, WorkflowNode } from '../../tools/host/n8nTypes';
import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { nodeTypes } from '../integration/engine/runWorkflow';
import { byId, expertTool } from './agentTools';
import { useServer } from './useServer';

const n8n = useServer();
const CHAT = 'POST /v1/chat/completions';

/** A tool for each operation of each node, without a description of its own. */
function allTools(): Array<{ tool: WorkflowNode; description: string }> {
	const nodes = Object.entries(nodeTypes).filter(([, { description }]) => description.usableAsTool);
	return nodes.flatMap(([type, { description }]) => {
		const { properties } = description;
		const selector = properties.find(({ name }) => name === 'operation')!;
		return (selector.options as INodePropertyOptions[]).map(({ value, action }) => {
			const name = `${type.split('.').at(-1)}_${value}`;
			const required = requiredOf(properties, String(value));
			const parameters = { descriptionType: 'auto', operation: value, ...required };
			return {
				tool: node(name, `${type}Tool`, 1, parameters),
				description: `${action} in ${description.defaults.name}`,
			};
		});
	});
}

/** Values for what has to be entered: the model writes texts. */
function requiredOf(properties: INodeProperties[], operation: string): Record<string, unknown> {
	const values = NodeHelpers.getNodeParameters(properties, { operation }, true, true, null, null)!;
	const shown = properties.filter(
		(property) => property.required && NodeHelpers.displayParameter(values, property, null, null),
	);
	const entered: Record<string, unknown> = {};
	for (const { name, type } of shown) {
		if (type === 'resourceLocator') entered[name] = byId('aurora-4-mini');
		else if (values[name] === '') entered[name] = `={{ $fromAI('${name}') }}`;
	}
	return entered;
}

async function runAgent(prompt: string, tools: WorkflowNode[]): Promise<Execution> {
	const model = node('Model', `${n8n.packageName}.chatModel`, 1, { model: byId('aurora-4'), options: {} });
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, {
		promptType: 'define',
		text: prompt,
		options: {},
	});
	const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const connections = Object.fromEntries([
		['Start', to('main')],
		['Model', to('ai_languageModel')],
		...tools.map(({ name }) => [name, to('ai_tool')] as const),
	]);
	const workflow = n8n.prepare({
		name: `Test ${String(expect.getState().currentTestName)}`.slice(0, 120),
		nodes: [manualTrigger(), model, agent, ...tools],
		connections,
		settings: { executionOrder: 'v1' },
	});
	return await n8n.rest.runWorkflow(await n8n.rest.saveWorkflow(workflow), 'Start', 60_000);
}

interface Tool {
	function: { name: string; description: string };
}
const bodies = () =>
	n8n.emulator.journal
		.entries(CHAT)
		.map(({ body }) => body as { model: string; tools?: Tool[]; messages: object[] });

beforeEach(() => {
	n8n.emulator.behaviour.reset();
	n8n.emulator.journal.clear();
});

describe('The tools of an AI Agent', () => {
	it('have a description of their very operation, each its own', async () => {
		const tools = allTools();
		expect(tools.length).toBeGreaterThan(70);
		const execution = await runAgent(
			'Good morning',
			tools.map(({ tool }) => tool),
		);
		expect(execution.status).toBe('success');
		const described = bodies()[0].tools!.map(({ function: { name, description } }) => [name, description]);
		expect(Object.fromEntries(described)).toEqual(
			Object.fromEntries(tools.map(({ tool, description }) => [tool.name, description])),
		);
		expect(new Set(described.map(([, description]) => description)).size).toBe(tools.length);
	});

	it('answer with a failure and its advice, and the agent goes on', async () => {
		const expert = expertTool(n8n.packageName);
		expert.parameters = { ...expert.parameters, model: byId('no-such-model') };
		const execution = await runAgent('Ask the expert about the moon.', [expert]);
		expect(execution.status).toBe('success');
		const [, { messages }] = bodies().filter(({ model }) => model === 'aurora-4');
		const answer = JSON.stringify(messages.at(-1));
		expect(answer).toContain('no-such-model');
		expect(answer).toContain('Check the parameters of this item');
	});
});
