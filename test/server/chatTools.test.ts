import type { WorkflowNode } from '../../tools/host/n8nTypes';
import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { byId, expertTool, type Link, newsTool, run, workflowOf } from './workflows';
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

const runChat = async (chatNode: WorkflowNode, tools: WorkflowNode[], rows: WorkflowNode[] = []) => {
	const main = [manualTrigger(), ...rows, chatNode];
	const inOrder = main.slice(1).map(({ name }, index): Link => [main[index].name, name]);
	const toChat = tools.map(({ name }): Link => [name, 'Chat', 'ai_tool']);
	return await run(n8n, workflowOf(n8n, [...main, ...tools], [...inOrder, ...toChat]));
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

	it('get the arguments of their own item, with several items at once', async () => {
		const rows = node('Rows', 'n8n-nodes-base.code', 2, {
			jsCode: "return ['Mars', 'Venus', 'Pluto'].map((planet) => ({ json: { planet } }));",
		});
		const asking = chat('chatCompletion', {});
		asking.parameters.prompt = '={{ "Ask the expert about " + $json.planet + "." }}';
		const execution = await runChat(asking, [expertTool(n8n.packageName)], [rows]);
		expect(execution.error).toBeUndefined();
		const items = execution.runData.Chat[0].data!.main[0] as Array<{ json: object }>;
		const results = items.map(({ json }) => (json as { toolRuns: Array<{ result: string }> }).toolRuns);
		expect(results.map(([{ result }]) => /Mars|Venus|Pluto/.exec(result)?.[0])).toEqual([
			'Mars',
			'Venus',
			'Pluto',
		]);
		expect(results.map(({ length }) => length)).toEqual([1, 1, 1]);
	});
});
