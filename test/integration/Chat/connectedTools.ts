import { NodeConnectionTypes, type INodeExecutionData } from 'n8n-workflow';
import type { RunResult } from '../engine/runWorkflow';
import { testNode } from '../engine/testNode';

/** A node that supplies tools as those of LangChain are, and how often each was used. */
export function toolsNode(tools: Record<string, (input: { city?: string }) => unknown>) {
	const used: Record<string, object[]> = Object.fromEntries(Object.keys(tools).map((name) => [name, []]));
	const supplied = Object.entries(tools).map(([name, work]) => ({
		name,
		description: `Tells the ${name}`,
		schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
		invoke: async (input: object) => {
			used[name].push(input);
			return work(input);
		},
	}));
	const [single, ...toolkit] = supplied;
	let timesSupplied = 0;
	const type = testNode(
		{ inputs: [], outputs: [NodeConnectionTypes.AiTool] },
		{
			async supplyData() {
				timesSupplied += 1;
				return { response: [{ tools: [single] }, { getTools: () => toolkit }] };
			},
		},
	);
	return { type, used, supplied: () => timesSupplied };
}

/** The items of the Chat node, which is not the last one of the workflow. */
export function itemsOf({ run }: RunResult): INodeExecutionData[] {
	const { runData } = run.data.resultData;
	const [name] = Object.keys(runData).filter((node) => node !== 'Tools');
	return runData[name].at(-1)?.data?.main[0] ?? [];
}

export const functionCall = (id: string, name: string, given: string) => ({
	id,
	type: 'function',
	function: { name, arguments: given },
});
/** An answer that calls functions. */
export function answerOf(tool_calls: object[]) {
	const message = { role: 'assistant', content: null, tool_calls };
	const body = { model: 'aurora-4', choices: [{ index: 0, finish_reason: 'tool_calls', message }] };
	return { kind: 'status', status: 200, contentType: 'application/json', body } as const;
}
