import type { WorkflowNode } from '../../tools/host/n8nTypes';
import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { byId, type Link, newsTool, run, workflowOf } from './workflows';
import { useServer } from './useServer';
import { describeSince, WITH_AI_SDK } from './versions';

const n8n = useServer();
const langchain = '@n8n/n8n-nodes-langchain';

const question = 'Read me the headlines, and tell me the length of "moon".';
const chat = (operation: string, options: object) =>
	node('Chat', `${n8n.packageName}.chat`, 1, {
		...{ operation, model: byId('aurora-4'), inputType: 'prompt', prompt: question, simplify: true, options },
	});
/** A tool of n8n with a schema of its own. */
const measure = () =>
	node('length', `${langchain}.toolCode`, 1.3, {
		description: 'Tells the length of a text',
		language: 'javaScript',
		jsCode: 'return String(query.text.length);',
		specifyInputSchema: true,
		schemaType: 'manual',
		inputSchema: '{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}',
	});

const runChat = async (chatNode: WorkflowNode, tools: WorkflowNode[]) => {
	const trigger = manualTrigger();
	const toChat = tools.map(({ name }): Link => [name, 'Chat', 'ai_tool']);
	const links: Link[] = [[trigger.name, 'Chat'], ...toChat];
	return await run(n8n, workflowOf(n8n, [trigger, chatNode, ...tools], links));
};

describeSince(WITH_AI_SDK)('Tools of Unified AI Chat in a real n8n', () => {
	it.each([
		['chatCompletion', 'POST /v1/chat/completions'],
		['message', 'POST /v1/messages'],
		['generateContent', 'POST /v1beta/models/*'],
	])('are nodes of this package and of n8n for %s, while the model thinks', async (operation, route) => {
		const execution = await runChat(chat(operation, { reasoningEffort: 'low' }), [
			newsTool(n8n.packageName),
			measure(),
		]);
		expect(execution.error).toBeUndefined();
		const [item] = execution.runData.Chat[0].data!.main[0] as unknown as Array<{
			json: Record<string, unknown>;
		}>;
		const list = item.json.toolRuns as Array<{ name: string; result: string }>;
		const results = Object.fromEntries(list.map(({ name, result }) => [name, result]));
		expect(results).toEqual({
			headlines: expect.stringContaining('news'),
			length: expect.stringMatching(/^\d+$/),
		});
		expect(item.json.text).toContain('The tool headlines reports:');
		expect(n8n.emulator.journal.count(route)).toBe(2);
		// Both tools are seen in the execution.
		expect(Object.keys(execution.runData)).toEqual(expect.arrayContaining(['headlines', 'length']));
	});
});
