import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import {
	byId,
	expertTool,
	itemsOf,
	linksOfAgent,
	newestAgent,
	newsTool,
	run,
	streamingChat,
	type Link,
	workflowOf,
} from './workflows';
import { askChat, expectLive, textOf } from './callStreaming';
import { useServer } from './useServer';
import { describeSince, WITH_AI_SDK, WITH_FORCED_TOOLS } from './versions';

const n8n = useServer();
const CHAT = 'POST /v1/chat/completions';
const langchain = '@n8n/n8n-nodes-langchain';

const chatModel = (parameters: Record<string, unknown> = {}) => {
	const usual = { model: byId('aurora-4'), format: 'chat', options: {} };
	return node('Model', `${n8n.packageName}.chatModel`, 1, { ...usual, ...parameters });
};

const agent = (text: string, options: Record<string, unknown> = {}) =>
	node('Agent', `${langchain}.agent`, newestAgent(n8n.nodeTypes), { promptType: 'define', text, options });

/** An agent that is asked for something that needs both its tools. */
const agentWithTwoTools = (model: Record<string, unknown>, options = {}, more = {}) =>
	workflowOf(
		n8n,
		[
			manualTrigger(),
			{ ...agent('Read me the headlines, and ask the expert about the moon.', options), ...more },
			chatModel(model),
			newsTool(n8n.packageName),
			expertTool(n8n.packageName),
		],
		linksOfAgent('headlines', 'expert'),
	);

const bodies = (route: string) =>
	n8n.emulator.journal.entries(route).map(({ body }) => body as Record<string, unknown>);

describeSince(WITH_AI_SDK)('Unified AI Chat Model in an AI Agent', () => {
	it.each([
		['continues', 'continueRegularOutput'],
		['stops', 'stopWorkflow'],
	])('ends its loop in words at a spending limit, if the agent %s on failure', async (_how, onError) => {
		const spending = { maxRequests: 1 };
		const execution = await run(n8n, agentWithTwoTools({ spending }, {}, { onError }));
		expect(bodies(CHAT).filter(({ model }) => model === 'aurora-4')).toHaveLength(1);
		const message = 'Max Requests (1) is reached in the node “Model”';
		const description = expect.stringContaining('everything that this node does in an execution');
		const errors = execution.runData.Model.map(({ error }) => error);
		expect(errors.at(-1)).toMatchObject({ message, description });
		const heard = execution.error?.message ?? itemsOf(execution, 'Agent')[0].json.error;
		expect(heard).toContain(message);
	});
});

describeSince(WITH_FORCED_TOOLS)('Unified AI Chat Model in an AI Agent that demands a tool call', () => {
	it.each([
		['chat', CHAT, 'required'],
		['messages', 'POST /v1/messages', { type: 'any' }],
	])('demands it of the model, in its first answer alone (%s format)', async (format, route, choice) => {
		const built = agentWithTwoTools({ format }, { forceToolCallOnFirstIteration: true });
		expect(await run(n8n, built)).toMatchObject({ status: 'success' });
		const asked = bodies(route).filter(({ model }) => model === 'aurora-4');
		expect(asked.map(({ tool_choice: demanded }) => demanded)).toEqual([choice, undefined]);
	});
});

describeSince(WITH_AI_SDK)('Unified AI Chat Model in a streaming AI Agent', () => {
	it('streams text while the model is still generating', async () => {
		const webhookId = '6f0d5d0e-4a1c-4c1e-9d4e-0b6f3f9a0a01';
		const nodes = [
			streamingChat('Start', webhookId),
			agent('={{ $json.chatInput }}', { enableStreaming: true }),
			chatModel(),
		];
		const id = await n8n.rest.saveWorkflow(workflowOf(n8n, nodes, linksOfAgent()));
		await n8n.rest.publish(id);
		n8n.emulator.behaviour.set(CHAT, { stream: { deltaDelayMs: 40 } });
		const chatInput = 'Why is the sky blue? Tell me in 60 words.';
		const lines = await askChat(n8n, webhookId, chatInput);
		expect(textOf(lines)).toContain('Why is the sky blue?');
		expectLive(lines);
		expect(bodies(CHAT)[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });

		const execution = (await n8n.rest.lastExecution(id))!;
		const [{ json: shown }] = itemsOf(execution, 'Model', 'ai_languageModel');
		expect((shown.tokenUsage as { completionTokens: number }).completionTokens).toBeGreaterThan(20);
		expect(shown).not.toHaveProperty('tokenUsageEstimate');
	});
});

describeSince(WITH_FORCED_TOOLS)('Unified AI Chat Model of an Evaluation', () => {
	it('rates an answer with an object that fits the schema of n8n', async () => {
		const metric = { operation: 'setMetrics', metric: 'correctness', expectedAnswer: '4', actualAnswer: '4' };
		const nodes = [manualTrigger(), node('Rate', 'n8n-nodes-base.evaluation', 4.8, metric), chatModel()];
		const links: Link[] = [
			['Start', 'Rate'],
			['Model', 'Rate', 'ai_languageModel'],
		];
		const execution = await run(n8n, workflowOf(n8n, nodes, links));
		expect(itemsOf(execution, 'Rate')).toMatchObject([{ json: { Correctness: expect.any(Number) } }]);
		expect(bodies(CHAT)).toMatchObject([{ tool_choice: 'required' }]);
	});
});
