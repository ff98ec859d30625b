import type { Workflow } from '../../tools/host/n8nTypes';
import { workflowNode as node } from '../../tools/host/workflowBuilder';
import { callStreaming, textOf } from './callStreaming';
import { apiKey, useServer } from './useServer';

const n8n = useServer();

const callWebhook = async (path: string, body: object) => await callStreaming(n8n, `webhook/${path}`, body);

describe('Example "Streaming chat"', () => {
	it('streams the first words while the gateway is still sending', async () => {
		const id = await n8n.rest.saveWorkflow(n8n.prepare(await n8n.example('Streaming chat')));
		await n8n.rest.publish(id);
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { stream: { deltaDelayMs: 60 } });
		const lines = await callWebhook('streaming-chat', { question: 'Why is the sky blue?' });
		n8n.emulator.behaviour.reset();

		expect(lines.at(0)?.type).toBe('begin');
		expect(lines.at(-1)?.type).toBe('end');
		expect(textOf(lines)).toContain('Why is the sky blue?');
		const [first] = lines.filter(({ type }) => type === 'item');
		const last = lines[lines.length - 1];
		const chunks = lines.filter(({ type }) => type === 'item').length;
		// The gateway pauses before each chunk, so most chunks were still to come.
		expect(chunks).toBeGreaterThan(20);
		expect(last.at - first.at).toBeGreaterThan((chunks - 2) * 60 * 0.9);
	});

	it('explains to the caller why a response was cut off', async () => {
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { faults: [{ kind: 'cut', afterEvents: 5 }] });
		const lines = await callWebhook('streaming-chat', { question: 'Why is the sky blue?' });
		n8n.emulator.behaviour.reset();
		expect(lines.at(-1)).toMatchObject({
			type: 'error',
			content: expect.stringContaining('may have carried the request out'),
		});
		expect(textOf(lines)).not.toBe('');
	});
});

describe('Example "Classify rows"', () => {
	it('outputs one item for each row, with the fields of the schema', async () => {
		const result = await n8n.runExample('Classify rows');
		expect(result).toMatchObject({ succeeded: true });
		expect(result.nodes.find(({ name }) => name === 'Classified rows')).toMatchObject({ items: 5 });
		expect(result.nodes.find(({ name }) => name === 'Rows to look at')).toBeUndefined();
	});

	it('sends rows that do not match the schema to the other output', async () => {
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { answer: { texts: ['{"category":"other"}'] } });
		const result = await n8n.runExample('Classify rows');
		n8n.emulator.behaviour.reset();
		expect(result.nodes.find(({ name }) => name === 'Rows to look at')).toMatchObject({ items: 5 });
	});
});

describe("Unified AI Chat as a tool of n8n's AI Agent", () => {
	it('returns JSON and sends no chunks to the chat', async () => {
		const openAi = await n8n.rest.saveCredential('OpenAI', 'openAiApi', {
			apiKey,
			url: `${n8n.emulator.url}/v1`,
			header: false,
		});
		const workflow: Workflow = n8n.prepare({
			name: 'Agent',
			nodes: [
				node(
					'Ask',
					'n8n-nodes-base.webhook',
					2.1,
					{ httpMethod: 'POST', path: 'agent', responseMode: 'streaming', options: {} },
					{ webhookId: '6f0d5d0e-4a1c-4c1e-9d4e-0b6f3f9a0111' },
				),
				node('Agent', '@n8n/n8n-nodes-langchain.agent', 2.2, {
					promptType: 'define',
					text: '={{ $json.body.question }}',
					options: { enableStreaming: true },
				}),
				node(
					'Model',
					'@n8n/n8n-nodes-langchain.lmChatOpenAi',
					1.2,
					{ model: { __rl: true, mode: 'id', value: 'aurora-4' }, options: {} },
					{ credentials: { openAiApi: openAi } },
				),
				node('expert', `${n8n.packageName}.chatTool`, 1, {
					descriptionType: 'manual',
					toolDescription: 'Asks an expert about astronomy',
					operation: 'chatCompletion',
					model: { __rl: true, mode: 'id', value: 'aurora-4-mini' },
					prompt: "={{ $fromAI('question', 'what the expert is asked') }}",
					options: { stream: true },
				}),
			],
			connections: {
				Ask: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
				expert: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
			settings: { executionOrder: 'v1' },
		});
		const id = await n8n.rest.saveWorkflow(workflow);
		await n8n.rest.publish(id);
		n8n.emulator.journal.clear();
		const lines = await callWebhook('agent', { question: 'Ask the astronomy expert about the moon.' });

		expect(new Set(lines.map(({ metadata }) => metadata.nodeName))).toEqual(new Set(['Agent']));
		const execution = await n8n.rest.lastExecution(id);
		expect(execution?.status).toBe('success');
		// The model calls the tool, the tool calls its own model, and the model answers with the result.
		expect(n8n.emulator.journal.count('POST /v1/chat/completions')).toBe(3);
		const [run] = execution!.runData.expert;
		const answered = JSON.stringify(run.data);
		for (const key of ['text', 'model', 'finishReason', 'totalTokens']) expect(answered).toContain(key);
		expect(answered).not.toContain(apiKey);
		expect(textOf(lines)).toContain('The tool expert reports');
	});
});
