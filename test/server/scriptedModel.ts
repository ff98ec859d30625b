import type { ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from '../localServer';

/** A tool, as a model receives it. */
interface DeclaredTool {
	function: {
		name: string;
		description: string;
		parameters: { properties?: Record<string, { type?: string; description?: string }> };
	};
}

export interface Message {
	role: string;
	content: string | Array<{ text?: string }> | null;
	tool_calls?: Array<{ id: string; function: { name: string; arguments: string } }>;
	tool_call_id?: string;
}

/** A request to the model. */
export interface Question {
	tools: DeclaredTool[];
	messages: Message[];
	stream: boolean;
}

/** The reply of the model: the tools to call with their arguments, or the final text. */
export type Reply = { calls: Array<{ name: string; arguments: object }> } | { text: string };

/** A model that answers as a test says. It has its own server, so that nothing of the emulator decides what agents get. */
interface ScriptedModel extends LocalServer {
	/** All requests, in order. */
	questions: Question[];
}

/** Starts a model; `reply` decides what it answers. */
export async function startScriptedModel(reply: (question: Question) => Reply): Promise<ScriptedModel> {
	const questions: Question[] = [];
	const server = await startLocalServer(({ url }, response, body) => {
		if (url !== '/v1/chat/completions') return void response.writeHead(404).end();
		const { tools = [], messages = [], stream = false } = JSON.parse(body.toString()) as Partial<Question>;
		const question = { tools, messages, stream };
		questions.push(question);
		answer(response, stream, messageOf(reply(question)));
	});
	return { ...server, questions };
}

function messageOf(reply: Reply): object {
	if ('text' in reply) return { role: 'assistant', content: reply.text };
	const tool_calls = reply.calls.map(({ name, arguments: values }, index) => ({
		index,
		id: `call_${index}_${name}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(values) },
	}));
	return { role: 'assistant', content: null, tool_calls };
}

function answer(response: ServerResponse, stream: boolean, message: object): void {
	const envelope = { id: 'answer-1', created: 1, model: 'scripted' };
	const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	if (!stream) {
		const choices = [{ index: 0, message, finish_reason }];
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ...envelope, object: 'chat.completion', choices, usage }));
		return;
	}
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const send = (choice: object) =>
		response.write(
			`data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`,
		);
	send({ delta: message, finish_reason: null });
	send({ delta: {}, finish_reason });
	response.end('data: [DONE]\n\n');
}

/** Returns the text of a message. */
export function textOf({ content }: Message): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map(({ text = '' }) => text).join('');
}
