import { readFileSync } from 'node:fs';
import type { StructuredChunk } from 'n8n-workflow';
import { FORMATS } from '../../../nodes/Chat/formats/formats';
import { generationOptions } from '../../../nodes/Chat/formats/generation';
import { startLocalServer } from '../../localServer';
import { chosen } from '../engine/chosen';
import { type Model, user } from '../engine/fakeSdk';
import { runSubNode } from '../engine/runSubNode';
import { type Operation, asJson, operations, useChat } from '../engine/useChat';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../engine/fakeSdk'), { virtual: true });

const chat = useChat();

describe('Request of Unified AI Chat', () => {
	it('contains JSON from another node, as text and as data', async () => {
		const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
		for (const messagesJson of [JSON.stringify(messages), '={{ $json.messages }}']) {
			chat.emulator.journal.clear();
			const { error } = await chat.ask(
				'message',
				{ inputType: 'json', messagesJson, systemPrompt: 'Be short.' },
				{ input: [{ json: { messages } }] },
			);
			expect(error).toBeUndefined();
			expect(chat.sentBody()).toMatchObject({ messages, system: 'Be short.' });
		}
	});

	it('contains messages with their roles', async () => {
		const sent = ['system', 'user', 'assistant', 'user'].map((role) => ({ role, text: `I am ${role}` }));
		await chat.ask('chatCompletion', messages(...sent));
		expect(chat.sentBody().messages).toEqual(sent.map(({ role, text }) => ({ role, content: text })));
	});

	it('contains stream options, the response format, and extra body fields', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { checkUndocumented: false });
		await chat.ask('chatCompletion', {
			simplify: false,
			style: 'chat-format',
			options: { stream: true, extraBodyFields: '{"seed": 7, "model": "nimbus-large"}' },
		});
		expect(chat.sentBody()).toMatchObject({
			style: 'chat-format',
			stream: true,
			stream_options: { include_usage: true },
			seed: 7,
		});
		chat.emulator.journal.clear();
		await chat.ask('chatCompletion', { options: { stream: true, withoutUsage: true } });
		expect(chat.sentBody()).not.toHaveProperty('stream_options');
	});
});

describe('Streams of Unified AI Chat', () => {
	it('reach the caller of a streaming trigger in chunks, separately for each item', async () => {
		const chunks: StructuredChunk[] = [];
		const input = ['moon', 'sun'].map((name) => ({ json: { name } }));
		const { items } = await chat.ask(
			'chatCompletion',
			{ options: { stream: true }, prompt: '=Tell me of the {{ $json.name }}' },
			{ input, onChunk: (chunk) => chunks.push(chunk) },
		);
		expect(items).toHaveLength(2);
		for (const [index, item] of items.entries()) {
			const own = chunks.filter(({ metadata }) => metadata.itemIndex === index);
			expect(own.at(0)?.type).toBe('begin');
			expect(own.at(-1)?.type).toBe('end');
			const texts = own.filter(({ type }) => type === 'item').map(({ content }) => content);
			expect(texts.length).toBeGreaterThan(5);
			expect(texts.join('')).toBe(item.json.text);
		}
	});

	it('end with the words of a failure, without the key', async () => {
		const { apiKey } = chat.emulator;
		const body = { error: { message: `Is the key ${apiKey} known?` } };
		chat.fail('POST /v1/*', { kind: 'status', status: 400, body });
		const chunks: StructuredChunk[] = [];
		await chat.ask(
			'chatCompletion',
			{ options: { stream: true } },
			{ onChunk: (chunk) => chunks.push(chunk) },
			{ onError: 'continueRegularOutput' },
		);
		expect(chunks.map(({ type }) => type)).toEqual(['begin', 'error', 'end']);
		expect(chunks[1].content).toContain('Is the key [API key] known? Check');
	});

	it.each([
		['an end', 'content', 'data: [DONE]\n\n'],
		['the end of a refusal', 'refusal', 'data: [DONE]\n\n'],
		['a failure', 'content', ''],
	])('have the last letters before %s, although they could have begun a key', async (_what, field, end) => {
		const text = `It begins with ${chat.emulator.apiKey.slice(0, 4)}`;
		const body = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { [field]: text } }] })}\n\n${end}`;
		chat.fail('POST /v1/*', { kind: 'status', status: 200, body, contentType: 'text/event-stream' });
		const chunks: StructuredChunk[] = [];
		await chat.ask(
			'chatCompletion',
			{ options: { stream: true } },
			{ onChunk: (chunk) => chunks.push(chunk) },
		);
		const shown = chunks.filter(({ type }) => type === 'item').map(({ content }) => content);
		expect(shown.join('')).toBe(text);
	});

	it('send no chunks when Stream is off', async () => {
		const chunks: StructuredChunk[] = [];
		await chat.ask('chatCompletion', {}, { onChunk: (chunk) => chunks.push(chunk) });
		expect(chunks).toEqual([]);
	});
});

const askNode = async (operation: Operation, options: object): Promise<{ error?: unknown }> =>
	await chat.ask(operation, { options });

/** Asks the chat model in the format of an operation. */
const askModel = async (operation: Operation, options: object) =>
	await runSubNode(
		'chatModel',
		{
			model: chosen('aurora-4'),
			format: operation === 'message' ? 'messages' : 'chat',
			options: { ...options },
		},
		async (model: Model) => await model.generate([user('Hi')]),
		{ credential: chat.credential() },
	);

/** The fields of the request besides those that every request has. */
async function fieldsFor(operation: Operation, options: object, ask = askNode): Promise<object> {
	chat.emulator.journal.clear();
	expect((await ask(operation, options)).error).toBeUndefined();
	return Object.fromEntries(Object.entries(chat.sentBody()).filter(([name]) => !USUAL.includes(name)));
}

const json = (messagesJson: string) => ({ inputType: 'json', messagesJson });

const USUAL = ['model', 'messages', 'contents'];

const STOPS = ['END', '\n\n'];
/** Each option, and what it adds to the requests of Message a Model, of the messages format, and to `generationConfig`. */
const OPTIONS: Array<[option: object, chat: object, messages: object, config: object]> = [
	[{ maxTokens: 500 }, { max_tokens: 500 }, { max_tokens: 500 }, { maxOutputTokens: 500 }],
	[{ temperature: 0.4 }, { temperature: 0.4 }, { temperature: 0.4 }, { temperature: 0.4 }],
	[{ topP: 0.9 }, { top_p: 0.9 }, { top_p: 0.9 }, { topP: 0.9 }],
	[{ stopSequences: [...STOPS, ''] }, { stop: STOPS }, { stop_sequences: STOPS }, { stopSequences: STOPS }],
	// The messages format has no seed.
	[{ seed: -7 }, { seed: -7 }, {}, { seed: -7 }],
	[
		{ reasoningEffort: 'low' },
		{ reasoning_effort: 'low' },
		{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
		{ thinkingConfig: { thinkingLevel: 'low' } },
	],
	[
		{ reasoningEffort: 'none' },
		{ reasoning_effort: 'none' },
		{ thinking: { type: 'disabled' } },
		{ thinkingConfig: { thinkingBudget: 0 } },
	],
	[
		{ thinkingBudget: 2048 },
		{ reasoning: { max_tokens: 2048 } },
		// The tokens for thinking come on top of those for the answer.
		{ max_tokens: 4096 + 2048, thinking: { type: 'enabled', budget_tokens: 2048 } },
		{ thinkingConfig: { thinkingBudget: 2048 } },
	],
];

it('Each option is above, and in the table of its page', () => {
	const options = FORMATS.flatMap(({ generation }) => generationOptions(generation));
	const tried = OPTIONS.flatMap(([option]) => Object.keys(option));
	expect([...new Set(tried)].sort()).toEqual([...new Set(options.map(({ name }) => name))].sort());
	const [, table] = /## What the formats have([^]*?)\n## /.exec(readFileSync('docs/nodes/chat.md', 'utf8'))!;
	const labels = options.map(({ displayName }) => displayName);
	expect(labels.filter((label) => !table.includes(`**${label}**`))).toEqual([]);
});

describe.each(operations)('A request of %s', (operation) => {
	it('has none of the fields whose options are not set, or are empty cells', async () => {
		const names = ['maxTokens', 'temperature', 'topP', 'seed', 'reasoningEffort', 'thinkingBudget'];
		const empty = Object.fromEntries(names.map((name) => [name, '={{ "" }}']));
		for (const options of [{}, empty]) {
			expect(await fieldsFor(operation, options)).toEqual(
				operation === 'message' ? { max_tokens: 4096 } : {},
			);
		}
	});

	it.each(OPTIONS)('has exactly the field of %j', async (options, ofChat, ofMessages, generationConfig) => {
		const fields: Record<Operation, object> = {
			chatCompletion: ofChat,
			message: { max_tokens: 4096, ...ofMessages },
			generateContent: { generationConfig },
		};
		expect(await fieldsFor(operation, options)).toEqual(fields[operation]);
		// The chat model has two formats.
		if (operation === 'generateContent') return;
		expect(await fieldsFor(operation, options, askModel)).toEqual(fields[operation]);
	});

	it('has messages that are JSON unchanged, also if the answer is to be JSON', async () => {
		// Beside tool calls, there may be nothing else.
		const contents = [{ parts: [{ text: 'Hi' }] }, { parts: [] }];
		const written =
			operation === 'generateContent' ? contents : ['Hi', null, ''].map((content) => ({ content }));
		const messages = written.map((message) => ({ role: 'user', ...message }));
		await chat.ask(operation, { ...json(JSON.stringify(messages)), ...asJson('{"type": "object"}') });
		const body = chat.sentBody();
		expect(body.messages ?? body.contents).toEqual(messages);
	});

	it('says that an effort and a budget exclude each other, and sends nothing', async () => {
		const { error } = await chat.ask(operation, {
			options: { reasoningEffort: 'high', thinkingBudget: 2000 },
		});
		expect(error?.message).toContain('Thinking Budget (Tokens) is set together with Reasoning Effort');
		expect(chat.emulator.journal.count()).toBe(0);
	});
});

it('All digits of long integers are sent, wherever a request is entered as JSON', async () => {
	const digits = '12345678901234567890';
	const bodies: string[] = [];
	const server = await startLocalServer((_request, response, body) => {
		bodies.push(body.toString());
		response.end('{}');
	});
	const credential = { ...chat.credential(), baseUrl: server.url };
	const of = (name: string) => `"${name}":${digits}`;
	await chat.ask(
		'generateContent',
		{
			...json(`[{"role":"user","parts":[{"text":"Hi",${of('inMessage')}}]}]`),
			options: {
				tools: `[{"googleSearch":{${of('inTool')}}}]`,
				safetySettings: `[{${of('inSetting')}}]`,
				extraBodyFields: `{${of('extra')}}`,
			},
		},
		{ credential },
	);
	await server.close();
	for (const name of ['inMessage', 'inTool', 'inSetting', 'extra']) expect(bodies[0]).toContain(of(name));
});

it.each(['', ' ', null])('Lists of objects that are empty are not sent: %j', async (empty) => {
	expect(await fieldsFor('generateContent', { tools: empty, safetySettings: empty })).toEqual({});
});

it('Extra Body Fields are merged, also inside generationConfig', async () => {
	const more = { topK: 3, temperature: 0.3, thinkingConfig: { includeThoughts: true } };
	const extraBodyFields = JSON.stringify({ generationConfig: more });
	const options = { temperature: 0.2, thinkingBudget: 512, extraBodyFields };
	expect(await fieldsFor('generateContent', options)).toEqual({
		generationConfig: { ...more, thinkingConfig: { thinkingBudget: 512, includeThoughts: true } },
	});
});

const messages = (...message: object[]) => ({ inputType: 'messages', messages: { message } });
const options = (values: object) => ({ options: values });

/** Parameters that cannot be used, by the words of the failure; numbers and JSON are tried in the unit tests. */
const CASES: Record<string, [operation: Operation, parameters: object]> = {
	'Temperature is 1.5': ['message', options({ temperature: 1.5 })],
	'Prompt is empty': ['chatCompletion', { prompt: ' ' }],
	'Messages is empty': ['message', { inputType: 'messages', messages: {} }],
	'Messages (entry 1) is empty': ['message', messages({ role: 'user', text: ' \n' })],
	'Messages (JSON) is not a list': ['chatCompletion', json('{}')],
	'entry 1, has no "role"': ['message', json('[{"content":"x"}]')],
	'has no list "parts"': ['generateContent', json('[{"role":"user"}]')],
	'Files in Messages (entry 1) cannot be sent with the role assistant': [
		'message',
		messages({
			...{ role: '={{ "assistant" }}', text: 'A cat' },
			files: { file: [{ source: 'url', url: 'https://files.test/cat.png' }] },
		}),
	],
	'Tools is not a list of JSON objects': ['generateContent', options({ tools: '[1]' })],
	'Extra Body Fields is not a JSON': ['message', options({ extraBodyFields: '[1]' })],
	'JSON Schema cannot be used: "type" must be one of': ['message', asJson('{"type":"x"}')],
	'JSON Schema is not a schema: it only has "name"': ['message', asJson('{"name": "Ada"}')],
	'Example is a JSON Schema': [
		'message',
		{ output: 'json', jsonExample: '{"type": "object", "properties": {}}' },
	],
};

describe('Unified AI Chat', () => {
	it.each(Object.entries(CASES))(
		'says "%s" before any request, and that nothing was sent',
		async (words, [operation, parameters]) => {
			const { error } = await chat.ask(operation, parameters);
			expect(error?.message).toContain(words);
			expect(error?.description).toMatch(/\S.* Nothing was sent\.$/);
			expect(chat.emulator.journal.count()).toBe(0);
		},
	);

	it('warns of a message with the text of an object', async () => {
		const parameters = messages({ role: 'user', text: '={{ "Sum up " + $json.data }}' });
		const { hints } = await chat.ask('chatCompletion', parameters, { input: [{ json: { data: {} } }] });
		expect(hints.join()).toContain('Messages (entry 1) contains "[object Object]"');
	});
});
