import { jsonStringify, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';
import { type Rule, startEmulator } from '../../../emulator';
import { nodeTypes, withDefaults } from '../engine/nodeTypes';
import { runWorkflow } from '../engine/runWorkflow';
import { runFaster } from '../faults/fastClock';
import { type OperationCase, operationCases, titleOf, workflowOf } from '../faults/operations';
import { filledIn } from './filledIn';

const answered = (body: object): Rule => ({
	faults: [{ kind: 'status', status: 200, body, times: 'always' }],
});
const message = { role: 'assistant', content: 'It scatters more.' };
const withCost = { usage: { prompt_tokens: 9, completion_tokens: 5, cost: 0.002 } };

const pricedInHeader: Rule = { headers: [{ 'x-litellm-response-cost': '0.02' }] };

/** Rules for values that gateways may report in addition to the usual ones, by node, or by node and operation. */
const REPORTED: Record<string, Rule[]> = {
	chat: [
		pricedInHeader,
		{ answer: { thinking: 'The user asks about light.' } },
		...['chat', 'messages', 'generate-content'].map((format) => ({ dialect: `optional-missing-${format}` })),
	],
	'chat chatCompletion': [
		{ dialect: 'chat-sources' },
		answered({ choices: [{ message, finish_reason: 'stop' }], ...withCost }),
	],
	'account getManyModels': [
		answered({ data: [{ id: 'aurora-4', owned_by: 'aurora', supported_endpoint_types: ['openai'] }] }),
	],
	'account getSubscription': [answered({ hard_limit_usd: 100, access_until: 1_800_000_000 })],
	speech: [pricedInHeader],
	'music generate': [pricedInHeader],
	'image generate': [
		{ images: { usage: true, revisedPrompt: true } },
		answered({ data: [{ b64_json: 'R0lGODlhAQABAAAAACw=' }], usage: { cost: 0.02 } }),
	],
};

/** What each operation outputs in a new node, in runs that succeed; by node and operation. */
export async function everyOutput(): Promise<Map<string, IDataObject[]>> {
	const endFastClock = runFaster(100);
	let now = Date.UTC(2026, 10, 28);
	const emulator = await startEmulator({ now: () => (now += 1) });
	const outputs = new Map<string, IDataObject[]>();
	try {
		for (const [index, operation] of usualCases().entries()) {
			emulator.behaviour.reset();
			emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 }, ...operation.rule });
			const given = operation.input?.(emulator) ?? [{ json: {} }];
			const input = given.map((item) => ({ ...item, json: { ...item.json, [MARK]: true } }));
			const { url: baseUrl, apiKey } = emulator;
			// The nodes remember what they learn about a credential, so each run has a different one.
			const credential = { baseUrl, apiKey, requestsPerMinute: 1e6 + index };
			const { items, error } = await runWorkflow(workflowOf(operation), { credential, input });
			if (error) throw new Error(`${titleOf(operation)}: ${error.message}`);
			const key = `${operation.node} ${operation.operation}`;
			outputs.set(key, [...(outputs.get(key) ?? []), ...items.map((item) => ownFields(item, input))]);
		}
	} finally {
		endFastClock();
		await emulator.close();
	}
	return outputs;
}

/** Returns every operation with the parameters of a new node, once for each way in which gateways may answer. */
function usualCases(): OperationCase[] {
	const utilities = Object.entries(filledIn).map(([operation, parameters]): OperationCase => {
		return { node: 'utilities', operation, parameters };
	});
	return [...operationCases.filter(({ node }) => node !== 'utilities'), ...utilities]
		.filter((one) => isUsual(workflowOf(one).nodes[0]))
		.flatMap((one) => {
			const rules = [...(REPORTED[one.node] ?? []), ...(REPORTED[`${one.node} ${one.operation}`] ?? [])];
			return [one, ...rules.map((rule) => ({ ...one, rule: { ...one.rule, ...rule } }))];
		});
}

/** The parameters that decide which fields the output has. */
const SHAPING = [
	...['simplify', 'output', 'encoding', 'splitOutLists', 'waitForCompletion', 'vectorField', 'longText'],
	...['includeInputFields', 'includeUsage', 'listToSplitOut', 'fallbackModels'],
];

/** Tells whether a node outputs the same fields as a new node. */
function isUsual({ type, parameters }: INode): boolean {
	const { operation, options, ...fields } = parameters;
	const preset = withDefaults(nodeTypes[type].description, { operation });
	const set = { ...fields, ...(options as object | undefined) };
	return SHAPING.every((name) => !(name in set) || jsonStringify(set[name]) === jsonStringify(preset[name]));
}

/** The name of a field in the input that shows whether an output item contains the fields of the input. */
const MARK = 'isInput';

/** Returns the fields of an item without those of the input, as n8n saves them. */
function ownFields({ json }: INodeExecutionData, input: INodeExecutionData[]): IDataObject {
	const ofInput = MARK in json ? input.flatMap((item) => Object.keys(item.json)) : [];
	const own = Object.entries(json).filter(([name]) => !ofInput.includes(name));
	return JSON.parse(JSON.stringify(Object.fromEntries(own))) as IDataObject;
}
