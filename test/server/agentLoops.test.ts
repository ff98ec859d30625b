import type { Execution, Workflow, WorkflowNode } from '../../tools/host/n8nTypes';
import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { byId, expertTool, itemsOf, linksOfAgent, newsTool, run, workflowOf } from './workflows';
import { callStreaming, textOf } from './callStreaming';
import { apiKey, useServer } from './useServer';
import { describeSince, WITH_AI_SDK } from './versions';

const n8n = useServer();
const langchain = '@n8n/n8n-nodes-langchain';
const ROUTES = { chat: 'POST /v1/chat/completions', messages: 'POST /v1/messages' };

/**
 * The oldest AI Agent that calls tools, the oldest one that can stream its response, and the newest. `streamed` says who
 * asks for a stream: nobody, the agent in any case, the option of the model, or the trigger, which streams its response.
 */
const AGENTS = [
	{ version: 1.6, streamed: 'agent' },
	{ version: 2.1, streamed: 'no' },
	{ version: 2.1, streamed: 'trigger' },
	{ version: 3.1, streamed: 'no' },
	{ version: 3.1, streamed: 'option' },
	{ version: 3.1, streamed: 'trigger' },
] as const;
const ways = (['chat', 'messages'] as const).flatMap((format) =>
	AGENTS.map((agent) => ({ format, ...agent })),
);
type Way = (typeof ways)[number];

const STEPS =
	'First ask the expert about the moon, then ask the expert about Mars and read me the headlines, then ask the expert about Venus.';

function loopOf({ format, version, streamed }: Way): Workflow {
	const trigger =
		streamed === 'trigger'
			? node(
					'Start',
					'n8n-nodes-base.webhook',
					2.1,
					{ httpMethod: 'POST', path: pathOf({ format, version }), responseMode: 'streaming', options: {} },
					{ webhookId: `6f0d5d0e-4a1c-4c1e-9d4e-${format === 'chat' ? 'c' : 'd'}b6f3f9a0${version * 10}0` },
				)
			: manualTrigger();
	const options = {
		reasoningEffort: 'low',
		maxRetries: 0,
		...(streamed === 'option' ? { stream: true } : {}),
		...(format === 'messages' ? { promptCaching: '5m' } : {}),
	};
	const nodes: WorkflowNode[] = [
		trigger,
		node('Agent', `${langchain}.agent`, version, {
			...(version < 2 ? { agent: 'toolsAgent' } : {}),
			promptType: 'define',
			text: STEPS,
			options: {
				// Each test has a prompt of its own in the gateway's cache.
				systemMessage: `You are a patient assistant (${expect.getState().currentTestName}).`,
				...(streamed === 'trigger' ? { enableStreaming: true } : {}),
			},
		}),
		node('Model', `${n8n.packageName}.chatModel`, 1, { model: byId('aurora-4'), format, options }),
		newsTool(n8n.packageName),
		expertTool(n8n.packageName),
	];
	return workflowOf(n8n, nodes, linksOfAgent('headlines', 'expert'));
}

const pathOf = ({ format, version }: Pick<Way, 'format' | 'version'>) => `loop-${format}-${version * 10}`;

/** Runs the agent. @returns its execution and what the caller gets */
async function runLoop(way: Way): Promise<{ execution: Execution; output: string }> {
	const workflow = loopOf(way);
	if (way.streamed === 'trigger') {
		const id = await n8n.rest.saveWorkflow(workflow);
		await n8n.rest.publish(id);
		const lines = await callStreaming(n8n, `webhook/${pathOf(way)}`, {});
		return { execution: (await n8n.rest.lastExecution(id))!, output: textOf(lines) };
	}
	const execution = await run(n8n, workflow);
	return { execution, output: itemsOf(execution, 'Agent')[0].json.output as string };
}

/** A message of either format, as far as the tests check it. */
interface Message {
	role: string;
	content: string | Array<Record<string, unknown>> | null;
	reasoning_content?: string;
	tool_calls?: Array<{ id: string; function: { name: string; arguments: string } }>;
}
interface Body {
	model: string;
	stream?: boolean;
	messages: Message[];
	tools: Array<{ cache_control?: object }>;
}

/** The assistant's turns of a request: the thoughts that came back, and the calls. */
function turnsIn({ messages }: Body): Array<{ thoughts: string; calls: string[] }> {
	return messages.flatMap(({ role, content, reasoning_content, tool_calls = [] }) => {
		if (role !== 'assistant') return [];
		const blocks = Array.isArray(content) ? content : [];
		const thinking = blocks.filter(({ type }) => type === 'thinking');
		const calls = blocks.filter(({ type }) => type === 'tool_use');
		return {
			thoughts:
				reasoning_content ??
				thinking.map((block) => `${block.thinking as string} ${block.signature as string}`).join(),
			calls: [...tool_calls.map((call) => call.function.name), ...calls.map(({ name }) => name as string)],
		};
	});
}

const modelRequests = (format: Way['format']) =>
	n8n.emulator.journal.entries(ROUTES[format]).filter(({ body }) => (body as Body).model === 'aurora-4');

describeSince(WITH_AI_SDK)('A model that thinks, and calls tools in three turns', () => {
	it.each(ways)('$format format, AI Agent $version, streamed: $streamed', async (way) => {
		const { format, streamed } = way;
		const { execution, output } = await runLoop(way);
		expect(execution).toMatchObject({ status: 'success' });

		const requests = modelRequests(format);
		expect(requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		const bodies = requests.map(({ body }) => body as Body);
		expect(bodies.map(({ stream = false }) => stream)).toEqual(Array(4).fill(streamed !== 'no'));
		const last = turnsIn(bodies[3]);
		expect(last.map(({ calls }) => calls)).toEqual([['expert'], ['expert', 'headlines'], ['expert']]);
		// Each turn has thoughts of its own; the gateway refuses those of another turn.
		expect(last.every(({ thoughts }) => /^Let me think about "First ask/.test(thoughts))).toBe(true);
		expect(new Set(last.map(({ thoughts }) => thoughts)).size).toBe(3);
		expect(bodies.map(turnsIn)).toEqual([[], last.slice(0, 1), last.slice(0, 2), last]);

		// Each tool ran once for each of its calls.
		const asked = n8n.emulator.journal
			.entries(ROUTES.chat)
			.map(({ body }) => body as Body)
			.filter(({ model }) => model === 'aurora-4-mini');
		expect(asked).toHaveLength(3);
		expect(n8n.emulator.journal.count('GET /v2/apis/60s')).toBe(1);
		expect(execution.runData.expert).toHaveLength(3);
		expect(execution.runData.headlines).toHaveLength(1);
		for (const tool of ['expert', 'headlines']) expect(output).toContain(`The tool ${tool} reports`);
		expect(JSON.stringify(execution)).not.toContain(apiKey);

		const shown = itemsOf(execution, 'Model', 'ai_languageModel').map(({ json }) => json);
		const usage = shown.map(({ tokenUsage }) => tokenUsage as Record<string, number>);
		expect(usage).toHaveLength(4);
		for (const json of shown) expect(json).not.toHaveProperty('tokenUsageEstimate');
		for (const { completionTokens, reasoningTokens } of usage) {
			expect(completionTokens).toBeGreaterThan(0);
			if (format === 'chat') expect(reasoningTokens).toBeGreaterThan(0);
		}
		if (format === 'chat') return;

		// The list of tools is marked for the prompt cache at its end, in every turn, and each turn finds the one before.
		for (const { tools } of bodies) {
			expect(tools.map(({ cache_control: mark }) => mark)).toEqual([undefined, { type: 'ephemeral' }]);
		}
		const cached = usage.map(({ cachedInputTokens }) => cachedInputTokens);
		expect(cached.every((count, index) => index === 0 || count > cached[index - 1])).toBe(true);
		expect(usage.every(({ cacheWriteTokens }) => cacheWriteTokens >= 0)).toBe(true);
	});
});
