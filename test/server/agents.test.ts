import path from 'node:path';

import type { Execution, Workflow, WorkflowNode } from '../../tools/host/n8nTypes';
import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { byId, expertTool, newestAgent, newsTool } from './agentTools';
import { callStreaming, textOf, type Line } from './callStreaming';
import { useServer } from './useServer';
import { describeSince, WITH_AI_SDK, WITH_FORCED_TOOLS } from './versions';

const n8n = useServer();
const CHAT = 'POST /v1/chat/completions';
const langchain = '@n8n/n8n-nodes-langchain';

const chatModel = (parameters: Record<string, unknown> = {}, name = 'Model') =>
	node(name, `${n8n.packageName}.chatModel`, 1, {
		model: byId('aurora-4'),
		format: 'chat',
		options: {},
		...parameters,
	});

const agent = (text: string, options: Record<string, unknown> = {}, version = newestAgent(n8n.nodeTypes)) =>
	node('Agent', `${langchain}.agent`, version, { promptType: 'define', text, options });

/** Connections as `['from', 'to', 'type']`. */
function workflow(nodes: WorkflowNode[], links: Array<[string, string, string?]>): Workflow {
	const connections: Record<string, Record<string, object[][]>> = {};
	for (const [from, to, type = 'main'] of links) {
		connections[from] ??= {};
		connections[from][type] ??= [[]];
		connections[from][type][0].push({ node: to, type, index: 0 });
	}
	const name = `Test ${String(expect.getState().currentTestName)}`.slice(0, 120);
	return n8n.prepare({ name, nodes, connections, settings: { executionOrder: 'v1' } });
}

async function run(built: Workflow): Promise<Execution> {
	const id = await n8n.rest.saveWorkflow(built);
	return await n8n.rest.runWorkflow(id, 'Start', 60_000);
}

/** The fields of output items that the tests check. */
interface OutputFields extends Record<string, unknown> {
	output: string;
	text: string;
	response: string;
	results: object[];
	tokenUsage: { completionTokens: number; totalTokens: number };
	document: { pageContent: string };
	score: number;
}

/** The output items of a node in one of its runs. */
const itemsOf = (execution: Execution, name: string, type = 'main', index = 0): OutputFields[] =>
	(execution.runData[name][index].data?.[type]?.[0] ?? []).map(
		(item) => (item as { json: OutputFields }).json,
	);
const itemOf = (...selection: Parameters<typeof itemsOf>) => itemsOf(...selection)[0];

/** An agent that is asked for something that needs both its tools. */
const agentWithTwoTools = (model: Record<string, unknown>, version?: number) =>
	workflow(
		[
			manualTrigger(),
			agent('Read me the headlines, and ask the expert about the moon.', {}, version),
			chatModel(model),
			newsTool(n8n.packageName),
			expertTool(n8n.packageName),
		],
		[
			['Start', 'Agent'],
			['Model', 'Agent', 'ai_languageModel'],
			['headlines', 'Agent', 'ai_tool'],
			['expert', 'Agent', 'ai_tool'],
		],
	);

/** The fields of request bodies that the tests check. */
interface Body extends Record<string, unknown> {
	model: string;
	messages: object[];
	input: string[];
	documents: string[];
}
const bodies = (route: string) => n8n.emulator.journal.entries(route).map(({ body }) => body as Body);

beforeEach(() => {
	n8n.emulator.behaviour.reset();
	n8n.emulator.journal.clear();
});

describeSince(WITH_AI_SDK)('Unified AI Chat Model in an AI Agent', () => {
	it.each([
		['continues', 'continueRegularOutput'],
		['stops', 'stopWorkflow'],
	])('ends its loop in words at a spending limit, if the agent %s on failure', async (_how, onError) => {
		const spending = { maxRunRequests: 1 };
		const built = agentWithTwoTools({ spending });
		Object.assign(
			built.nodes.find(({ name }) => name === 'Agent')!,
			{ onError },
		);
		const execution = await run(built);
		expect(bodies(CHAT).filter(({ model }) => model === 'aurora-4')).toHaveLength(1);
		const message = 'Max Requests (1) is reached';
		const description = expect.stringContaining('everything that this node does in an execution');
		const errors = execution.runData.Model.map(({ error }) => error);
		expect(errors.at(-1)).toMatchObject({ message, description });
		const heard = execution.error?.message ?? itemOf(execution, 'Agent').error;
		expect(heard).toContain(message);
	});

	it('sends requests to the chat endpoint for a model whose ID contains "codex"', async () => {
		const execution = await run(
			workflow(
				[manualTrigger(), agent('Hello'), chatModel({ model: byId('aurora-4-codex') })],
				[
					['Start', 'Agent'],
					['Model', 'Agent', 'ai_languageModel'],
				],
			),
		);
		expect(execution).toMatchObject({ status: 'success' });
		expect(n8n.emulator.journal.entries().map(({ path }) => path)).toEqual(['/v1/chat/completions']);
	});
});

describeSince(WITH_FORCED_TOOLS)('Unified AI Chat Model in an AI Agent that demands a tool call', () => {
	it.each([
		['chat', CHAT, 'required'],
		['messages', 'POST /v1/messages', { type: 'any' }],
	])('demands it of the model, in its first answer alone (%s format)', async (format, route, choice) => {
		const built = agentWithTwoTools({ format });
		const { parameters } = built.nodes.find(({ name }) => name === 'Agent')!;
		Object.assign(parameters, { options: { forceToolCallOnFirstIteration: true } });
		expect(await run(built)).toMatchObject({ status: 'success' });
		const asked = bodies(route).filter(({ model }) => model === 'aurora-4');
		expect(asked.map(({ tool_choice: demanded }) => demanded)).toEqual([choice, undefined]);
	});
});

describeSince(WITH_AI_SDK)('Unified AI Chat Model in a streaming AI Agent', () => {
	const question = 'Why is the sky blue? Tell me in 60 words.';
	const trigger = {
		chat: () =>
			node(
				'Start',
				`${langchain}.chatTrigger`,
				1.3,
				{ public: true, options: { responseMode: 'streaming' } },
				{ webhookId: '6f0d5d0e-4a1c-4c1e-9d4e-0b6f3f9a0a01' },
			),
		webhook: () =>
			node(
				'Start',
				'n8n-nodes-base.webhook',
				2.1,
				{ httpMethod: 'POST', path: 'live-agent', responseMode: 'streaming', options: {} },
				{ webhookId: '6f0d5d0e-4a1c-4c1e-9d4e-0b6f3f9a0a02' },
			),
	};
	const calls = {
		chat: async () =>
			await callStreaming(n8n, 'webhook/6f0d5d0e-4a1c-4c1e-9d4e-0b6f3f9a0a01/chat', {
				action: 'sendMessage',
				sessionId: 'test',
				chatInput: question,
			}),
		webhook: async () => await callStreaming(n8n, 'webhook/live-agent', { chatInput: question }),
	};

	it.each(['chat', 'webhook'] as const)(
		'streams text while the model is still generating (%s trigger)',
		async (kind) => {
			const text = '={{ $json.chatInput ?? $json.body.chatInput }}';
			const id = await n8n.rest.saveWorkflow(
				workflow(
					[trigger[kind](), agent(text, { enableStreaming: true }), chatModel()],
					[
						['Start', 'Agent'],
						['Model', 'Agent', 'ai_languageModel'],
					],
				),
			);
			await n8n.rest.publish(id);
			n8n.emulator.behaviour.set(CHAT, { stream: { deltaDelayMs: 40 } });
			const lines: Line[] = await calls[kind]();
			expect(textOf(lines)).toContain('Why is the sky blue?');
			const received = lines.filter(({ type, content }) => type === 'item' && content);
			expect(received.length).toBeGreaterThan(20);
			// The gateway pauses before each chunk, so most chunks were still to come.
			expect(lines[lines.length - 1].at - received[0].at).toBeGreaterThan((received.length - 2) * 40 * 0.9);
			expect(bodies(CHAT)[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });

			const execution = (await n8n.rest.lastExecution(id))!;
			const shown = itemOf(execution, 'Model', 'ai_languageModel');
			expect(shown.tokenUsage.completionTokens).toBeGreaterThan(20);
			expect(shown).not.toHaveProperty('tokenUsageEstimate');
		},
	);
});

describe('Unified AI Embeddings Model', () => {
	const chunks = (count: number) =>
		node('Chunks', 'n8n-nodes-base.code', 2, {
			jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { text: 'Chunk number ' + index } }));`,
		});
	const loader = () =>
		node('Loader', `${langchain}.documentDefaultDataLoader`, 1.1, {
			jsonMode: 'expressionData',
			jsonData: '={{ $json.text }}',
		});
	const store = (parameters: Record<string, unknown>) =>
		node('Store', `${langchain}.vectorStoreInMemory`, 1.3, {
			mode: 'insert',
			memoryKey: byId('test'),
			clearStore: true,
			...parameters,
		});
	const embeddings = (parameters: Record<string, unknown>) =>
		node('Embeddings', `${n8n.packageName}.embeddingsModel`, 1, {
			model: byId('embedding-3-small'),
			...parameters,
		});
	const links: Array<[string, string, string?]> = [
		['Start', 'Chunks'],
		['Chunks', 'Store'],
		['Loader', 'Store', 'ai_document'],
		['Embeddings', 'Store', 'ai_embedding'],
	];

	it('inserts 200 chunks with one request per batch and shows each call in the execution', async () => {
		const nodes = [
			manualTrigger(),
			chunks(200),
			store({}),
			loader(),
			embeddings({ limits: { batchSize: 50 } }),
		];
		const execution = await run(workflow(nodes, links));
		expect(execution).toMatchObject({ status: 'success' });
		expect(bodies('POST /v1/embeddings').map(({ input }) => input.length)).toEqual([50, 50, 50, 50]);
		expect(itemOf(execution, 'Embeddings', 'ai_embedding')).toMatchObject({
			vectors: 200,
			dimensions: 1536,
			model: 'embedding-3-small',
			requests: 4,
			tokenUsage: { totalTokens: expect.any(Number) },
		});
	});
});

describe('n8n without the SDK for AI nodes', () => {
	const options = process.env.NODE_OPTIONS;

	beforeAll(async () => {
		process.env.NODE_OPTIONS = `${options ?? ''} --require ${path.join(__dirname, 'withoutSdk.cjs')}`;
		await n8n.restart();
	});
	afterAll(() => {
		if (options === undefined) delete process.env.NODE_OPTIONS;
		else process.env.NODE_OPTIONS = options;
	});

	it('reports which n8n the chat model requires', async () => {
		const execution = await run(
			workflow(
				[manualTrigger(), agent('Hello'), chatModel()],
				[
					['Start', 'Agent'],
					['Model', 'Agent', 'ai_languageModel'],
				],
			),
		);
		expect(execution.error).toMatchObject({
			message: 'This n8n is too old for the Unified AI Chat Model; n8n 2.16.0 or newer is required',
			description: expect.stringContaining('Update n8n'),
		});
	});

	it('runs every other node', async () => {
		expect(await n8n.runExample('Classify rows')).toMatchObject({ succeeded: true });
		expect(await n8n.runExample('Rerank search results')).toMatchObject({ succeeded: true });
	});
});
