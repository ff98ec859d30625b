import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type ISupplyDataFunctions,
} from 'n8n-workflow';
import { useMovableClock } from '../engine/movableClock';
import { retryRun } from '../engine/retry';
import { runWorkflow, type RunResult, type WorkflowJson } from '../engine/runWorkflow';
import { operations, OPERATIONS, useChat, type Operation } from '../engine/useChat';

const chat = useChat(4.3e7);
const clock = useMovableClock();

/** A node that supplies tools as those of LangChain are, and how often each was used. */
function toolsNode(tools: Record<string, (input: { city?: string }) => unknown>) {
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
	const type: INodeType = {
		description: {
			displayName: 'Tools',
			name: 'tools',
			group: ['transform'],
			version: 1,
			description: 'Supplies tools',
			defaults: { name: 'Tools' },
			inputs: [],
			outputs: [NodeConnectionTypes.AiTool],
			properties: [],
		},
		async supplyData(this: ISupplyDataFunctions) {
			timesSupplied += 1;
			return { response: toolkit.length > 0 ? { tools: [single, ...toolkit] } : single };
		},
	};
	return { type, used, supplied: () => timesSupplied };
}

function withTools(operation: Operation, parameters: object): WorkflowJson {
	const { nodes } = chat.workflow(operation, parameters);
	const tools = {
		...nodes[0],
		id: 'tools',
		name: 'Tools',
		type: 'n8n-nodes-unified-ai-gateway.tools',
		parameters: {},
	};
	const connection = { node: nodes[0].name, type: NodeConnectionTypes.AiTool, index: 0 };
	return {
		nodes: [nodes[0], tools],
		connections: { Tools: { [NodeConnectionTypes.AiTool]: [[connection]] } },
	};
}

/** The items of the Chat node, which is not the last one of the workflow. */
function itemsOf({ run }: RunResult): INodeExecutionData[] {
	const { runData } = run.data.resultData;
	const [name] = Object.keys(runData).filter((node) => node !== 'Tools');
	return runData[name].at(-1)?.data?.main[0] ?? [];
}

const prompt = 'What is the weather in Paris?';
const run = async (operation: Operation, tools: ReturnType<typeof toolsNode>, parameters: object = {}) => {
	const options = { credential: chat.credential(), nodeTypes: { tools: tools.type } };
	const result = await runWorkflow(withTools(operation, { prompt, ...parameters }), options);
	return { error: result.error, items: itemsOf(result) };
};
const bodies = () => chat.emulator.journal.entries().map(({ body }) => JSON.stringify(body));

const functionCall = (id: string, name: string, given: string) => ({
	id,
	type: 'function',
	function: { name, arguments: given },
});
/** Lets the next answers call functions. */
function answers(...calls: object[][]) {
	const faults = calls.map((tool_calls) => {
		const message = { role: 'assistant', content: null, tool_calls };
		const body = { model: 'aurora-4', choices: [{ index: 0, finish_reason: 'tool_calls', message }] };
		return { kind: 'status', status: 200, contentType: 'application/json', body } as const;
	});
	chat.emulator.behaviour.set('POST /v1/*', { faults });
}

describe('Tools of Unified AI Chat', () => {
	it.each(operations)(
		'are used by %s, streamed or not, while it thinks, and their results are in the output',
		async (operation) => {
			// The emulator refuses results without the thoughts that came with their calls.
			for (const options of [{}, { stream: true }, { reasoningEffort: 'low' }]) {
				chat.emulator.journal.clear();
				const tools = toolsNode({ weather: () => ({ sky: 'clear' }), time: () => 'noon' });
				const { items, error } = await run(operation, tools, { options });
				expect(error).toBeUndefined();
				expect(items[0].json.text).toContain('The tool weather reports:');
				expect(items[0].json.toolRuns).toEqual([
					{ name: 'weather', arguments: { city: 'Paris' }, result: '{"sky":"clear"}' },
				]);
				expect(items[0].json).not.toHaveProperty('toolCalls');
				expect(tools.used).toEqual({ weather: [{ city: 'Paris' }], time: [] });
				expect(chat.emulator.journal.count()).toBe(2);
				expect(bodies()[0]).toContain('Tells the weather');
			}
		},
	);

	it('may be used at the same time, and fail in words', async () => {
		const tools = toolsNode({
			weather: () => {
				throw new Error('The station is closed');
			},
			time: () => [
				{ type: 'text', text: 'noon' },
				{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
			],
		});
		const { items, error } = await run('message', tools, {
			prompt: 'What is the weather and the time in Paris?',
		});
		expect(error).toBeUndefined();
		expect(items[0].json.toolRuns).toMatchObject([
			{ name: 'weather', result: '{"error":"The station is closed"}' },
			{ name: 'time', result: 'noon' },
		]);
		expect(bodies()[1]).toContain('"type":"image"');
	});

	it('are never used twice when a later question to the model fails, and nothing is paid for twice', async () => {
		for (const operation of operations) {
			chat.emulator.journal.clear();
			const fault = {
				kind: 'status',
				status: 402,
				body: { error: { message: 'No credit.' } },
				skip: 1,
			} as const;
			chat.fail(OPERATIONS[operation], fault);
			const tools = toolsNode({ weather: () => 'rain' });
			const workflow = withTools(operation, { prompt });
			const options = { credential: chat.credential(), nodeTypes: { tools: tools.type } };
			const failed = await runWorkflow(workflow, options);
			expect(failed.error?.message).toContain('enough credit');
			expect(failed.error?.context.details).toMatchObject({
				partial: { toolRuns: [{ name: 'weather', result: 'rain' }], inputTokens: expect.any(Number) },
			});
			const items = itemsOf(await retryRun(workflow, failed, options));
			expect(items[0].json.toolRuns).toHaveLength(1);
			expect(tools.used.weather).toHaveLength(1);
			const paid = chat.emulator.journal.entries().filter(({ status }) => status === 200);
			expect(paid).toHaveLength(2);
		}
	});

	it('are used at most Max Iterations times, and a retry with more goes on from there', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		answers(...['a', 'b', 'c'].map((id) => [functionCall(id, 'weather', '{"city":"Rome"}')]));
		const workflow = (maxIterations: number) =>
			withTools('chatCompletion', { prompt, options: { maxIterations } });
		const options = { credential: chat.credential(), nodeTypes: { tools: tools.type } };
		const failed = await runWorkflow(workflow(2), options);
		expect(failed.error?.message).toContain('has used the tools 2 times without an answer');
		expect(tools.used.weather).toHaveLength(2);
		const items = itemsOf(await retryRun(workflow(3), failed, options));
		expect(items[0].json.toolRuns).toHaveLength(3);
		expect(tools.used.weather).toHaveLength(3);
		expect(chat.emulator.journal.count()).toBe(4);
	});

	it('that the model invents, or calls with half of the arguments, are answered in words', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		answers([functionCall('', 'tide', '{}'), functionCall('', 'weather', '{"city":"Ro')]);
		const { items, error } = await run('chatCompletion', tools);
		expect(error).toBeUndefined();
		expect(items[0].json.toolRuns).toMatchObject([
			{ name: 'tide', result: '{"error":"There is no tool \\"tide\\"."}' },
			{ name: 'weather', result: '{"error":"The arguments are not a JSON object."}' },
		]);
		expect(tools.used.weather).toEqual([]);
	});

	it('do not get the key, which a gateway may write into their arguments', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		const given = { city: `Paris ${chat.emulator.apiKey}` };
		answers([functionCall('a', 'weather', JSON.stringify(given))]);
		await run('chatCompletion', tools);
		expect(tools.used.weather).toHaveLength(1);
		expect(JSON.stringify(tools.used)).not.toContain(chat.emulator.apiKey);
	});

	it('stay with the model that began to use them, even if it is a fallback model', async () => {
		const when = '"model":"aurora-4"';
		chat.fail('POST /v1/*', { kind: 'status', status: 503, body: { error: { message: 'Busy.' } }, when });
		const tools = toolsNode({
			weather: () => {
				// The first model would be asked again.
				clock.pass(60_000);
				return 'rain';
			},
		});
		const fallbackModels = { model: [{ model: { __rl: true, mode: 'id', value: 'sonata-3-large' } }] };
		const options = { fallbackModels, maxRetries: 0, reasoningEffort: 'low' };
		const { items, error } = await run('message', tools, { options });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			model: 'sonata-3-large',
			unavailableModels: [{ model: 'aurora-4' }],
		});
		expect(bodies().filter((body) => body.includes(when))).toHaveLength(1);
		expect(bodies()).toHaveLength(3);
	});

	it('are used on by another model, which does not get what the first one thought', async () => {
		for (const operation of ['chatCompletion', 'message'] as const) {
			chat.emulator.journal.clear();
			const thoughts = { reasoning_content: 'Hm.' };
			const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
			const blocks = [
				{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
				{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Rome' } },
			];
			const body =
				operation === 'message'
					? { type: 'message', role: 'assistant', content: blocks, stop_reason: 'tool_use' }
					: { choices: [{ message: { role: 'assistant', content: null, tool_calls: [call], ...thoughts } }] };
			const fault = { kind: 'status', when: '"model":"aurora-4"' } as const;
			chat.fail(
				OPERATIONS[operation],
				{ ...fault, status: 200, body },
				{ ...fault, status: 503, body: { error: { message: 'Busy.' } } },
			);
			const tools = toolsNode({ weather: () => 'rain' });
			const fallbackModels = { model: [{ model: { __rl: true, mode: 'id', value: 'sonata-3-large' } }] };
			const { items, error } = await run(operation, tools, { options: { fallbackModels, maxRetries: 0 } });
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ model: 'sonata-3-large', toolRuns: [{ name: 'weather' }] });
			expect(bodies().map((sent) => sent.includes('Hm.'))).toEqual([false, true, false]);
		}
	});

	it('are set up once for all items, because n8n numbers the runs of each set by itself', async () => {
		const tools = toolsNode({ weather: ({ city }: { city?: string }) => `rain in ${city}` });
		const workflow = withTools('chatCompletion', {
			prompt: '={{ "What is the weather in \\"" + $json.city + "\\"?" }}',
		});
		const input = ['Paris', 'Rome', 'Oslo'].map((city) => ({ json: { city } }));
		const options = { credential: chat.credential(), nodeTypes: { tools: tools.type }, input };
		const items = itemsOf(await runWorkflow(workflow, options));
		expect(items.map(({ json }) => (json.toolRuns as Array<{ result: string }>)[0].result)).toEqual(
			input.map(({ json }) => `rain in ${json.city}`),
		);
		expect(tools.supplied()).toBe(1);
	});

	it('leave the calls of functions that the user declares to the user', async () => {
		const declared = [{ functionDeclarations: [{ name: 'forecast', description: 'Tells the forecast' }] }];
		const options = { tools: JSON.stringify(declared) };
		const tools = toolsNode({ weather: () => 'rain' });
		const { items } = await run('generateContent', tools, { prompt: 'What is the forecast?', options });
		expect(items[0].json.toolCalls).toMatchObject([{ name: 'forecast' }]);
		expect(chat.emulator.journal.count()).toBe(1);
	});
});
