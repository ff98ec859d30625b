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
	};
	const nodes: WorkflowNode[] = [
		trigger,
		node('Agent', `${langchain}.agent`, version, {
			...(version < 2 ? { agent: 'toolsAgent' } : {}),
			promptType: 'define',
			text: STEPS,
			options: streamed === 'trigger' ? { enableStreaming: true } : {},
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

interface Body {
	model: string;
	stream?: boolean;
}

describeSince(WITH_AI_SDK)('A model that thinks, and calls tools in three turns', () => {
	it.each(ways)('$format format, AI Agent $version, streamed: $streamed', async (way) => {
		const { format, streamed } = way;
		const { execution, output } = await runLoop(way);
		expect(execution).toMatchObject({ status: 'success' });

		const { journal } = n8n.emulator;
		const requests = journal
			.entries(ROUTES[format])
			.filter(({ body }) => (body as Body).model === 'aurora-4');
		// Each turn has thoughts of its own; the gateway refuses a turn without them, and those of another one.
		expect(requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		const streams = requests.map(({ body }) => (body as Body).stream ?? false);
		expect(streams).toEqual(Array(4).fill(streamed !== 'no'));

		// Each tool ran once for each of its calls.
		expect(journal.count('GET /v2/apis/60s')).toBe(1);
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
	});
});
