import type { Workflow, WorkflowNode } from '../../tools/host/n8nTypes';
import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { byId, linksOfAgent, newestAgent, run, streamingChat, workflowOf } from './workflows';
import { allTools, ownArguments, sampleArguments } from './allTools';
import { askChat, textOf as streamedText } from './callStreaming';
import { startScriptedModel, textOf, type Message, type Question, type Reply } from './scriptedModel';
import { apiKey, useServer } from './useServer';

const n8n = useServer();
const newest = () => newestAgent(n8n.nodeTypes);
const versions = [
	['2.2', () => 2.2],
	['as new as possible', newest],
] as const;
const tools = allTools();

/** The newest n8n hands several items over as a list, and a single one in a list of one. */
const answersOf = (messages: Message[]) =>
	new Map(
		messages
			.flatMap(({ tool_calls = [] }) => tool_calls)
			.map(({ id, function: { name } }) => [
				name,
				textOf(messages.find(({ tool_call_id }) => tool_call_id === id)!),
			]),
	);

/** An agent with tools whose model is scripted. n8n's own node for models asks it, so that only the tools are ours. */
async function agentWith(
	model: string,
	own: WorkflowNode[],
	version: number,
	start: WorkflowNode,
	text: string,
): Promise<Workflow> {
	const openAi = 'openAiApi';
	const credential = await n8n.rest.saveCredential(`Model ${model}`, openAi, {
		url: `${model}/v1`,
		apiKey: 'sk-model',
	});
	const chatModel = node(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: byId('scripted'), options: {} },
		{ credentials: { [openAi]: credential } },
	);
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		promptType: 'define',
		text,
		options: { maxIterations: 20 },
	});
	const links = linksOfAgent(...own.map(({ name }) => name));
	return workflowOf(n8n, [start, agent, chatModel, ...own], links);
}

/** Runs an agent that calls all tools; returns what its model was asked, and what each tool answered. */
async function callingAll(version: number) {
	const model = await startScriptedModel(callAll);
	try {
		const all = tools.map(({ tool }) => tool);
		const workflow = await agentWith(model.url, all, version, manualTrigger(), 'Call all tools');
		const execution = await run(n8n, workflow);
		expect(execution).toMatchObject({ status: 'success' });
		return { asked: model.questions, answers: answersOf(model.questions.at(-1)!.messages) };
	} finally {
		await model.close();
	}
}

/** Calls all tools once, with the arguments that they ask for; tools that need a task after the others. */
function callAll({ tools: declared, messages }: Question): Reply {
	const answers = answersOf(messages);
	const taskId = /"taskId":"([^"]+)"/.exec(answers.get('music_generate') ?? '')?.[1];
	const asksForTask = (tool: Question['tools'][number]) =>
		'taskId' in (tool.function.parameters.properties ?? {});
	const open = declared.filter((tool) => !answers.has(tool.function.name));
	const next = answers.size === 0 ? open.filter((tool) => !asksForTask(tool)) : open;
	if (next.length === 0) return { text: 'All tools were called.' };
	const samples = { ...sampleArguments, taskId: taskId ?? 'none' } as Record<string, string | number>;
	return {
		calls: next.map(({ function: { name, parameters } }) => ({
			name,
			arguments: Object.fromEntries(
				Object.keys(parameters.properties ?? {}).map((key) => [
					key,
					ownArguments[name]?.[key] ?? samples[key],
				]),
			),
		})),
	};
}

describe.each(versions)('The tools of AI Agent %s', (_name, versionOf) => {
	it('have a description of their very operation, and answer shortly with what was asked for', async () => {
		expect(tools.length).toBeGreaterThan(65);
		const version = versionOf();
		const { asked, answers } = await callingAll(version);
		const described = asked[0].tools.map(({ function: { name, description } }) => [name, description]);
		expect(Object.fromEntries(described)).toEqual(
			Object.fromEntries(tools.map(({ tool, description }) => [tool.name, description])),
		);
		expect(new Set(described.map(([, description]) => description)).size).toBe(tools.length);

		expect([...answers.keys()].sort()).toEqual(tools.map(({ tool }) => tool.name).sort());
		const failed = [...answers].filter(([, answer]) => answer === '' || /"error":/.test(answer));
		expect(failed).toEqual([]);
		for (const [, answer] of answers) {
			expect(answer.length).toBeLessThan(13_000);
			expect(answer).not.toContain(apiKey);
			expect(() => JSON.parse(answer) as unknown).not.toThrow();
		}
		expect(answers.get('utilities_whois')).toContain('example.com');
		expect(answers.get('music_wait')).toMatch(/"status":"SUCCESS"/);
		const words =
			version < 3
				? /drops the files of tools|older than version 3/
				: /The files are in the output of \\"speech_create\\"/;
		expect(answers.get('speech_create')).toMatch(words);
		expect(answers.get('speech_create')).toMatch(/"mimeType":"audio/);
	});

	it('answer with failures and their advice, and the agent goes on', async () => {
		const body = { error: { message: `The key ${apiKey} may not do this` } };
		n8n.emulator.behaviour.set('*', { faults: [{ kind: 'status', status: 403, body, times: 'always' }] });
		const { answers } = await callingAll(versionOf());
		expect(answers.size).toBe(tools.length);
		const withoutAdvice = [...answers].filter(
			([, answer]) => !/"error":"[^"]*may not do this[^"]*[.!] [A-Z][^"]+\."/.test(answer),
		);
		expect(withoutAdvice).toEqual([]);
		expect(JSON.stringify([...answers])).not.toContain(apiKey);
	});
});

describe('The tools of an AI Agent', () => {
	it('keep their own text out of the chat that the agent streams', async () => {
		const chats = tools
			.filter(({ tool }) => tool.name.startsWith('chat_'))
			.map(({ tool }) => ({ ...tool, parameters: { ...tool.parameters, options: { stream: true } } }));
		const model = await startScriptedModel(callAll);
		try {
			const chat = streamingChat('Start', 'chat-of-tools');
			const workflow = await agentWith(model.url, chats, newest(), chat, '={{ $json.chatInput }}');
			const id = await n8n.rest.saveWorkflow(workflow);
			await n8n.rest.publish(id);
			const lines = await askChat(n8n, 'chat-of-tools', 'Hello');
			expect(answersOf(model.questions.at(-1)!.messages).size).toBe(3);
			expect(streamedText(lines)).toBe('All tools were called.');
			expect(new Set(lines.map(({ metadata }) => metadata.nodeName))).toEqual(new Set(['Agent']));
		} finally {
			await model.close();
		}
	});
});
