import { scopeOf } from '../../../../nodes/Chat/model/adapter';
import { GatewayChat } from '../../../../nodes/Chat/model/gatewayChat';
import { chatCompletions } from '../../../../nodes/Chat/formats/chatCompletions/format';
import { OptionValues } from '../../../../nodes/shared/run/parameterReader';
import type { ChatModelSettings } from '../../../../nodes/Chat/model/fields';
import type { SdkChunk } from '../../../../nodes/Chat/sdk';
import { type GatewayClient, Learned } from '../../../../nodes/shared/send/client';
import { Ledger } from '../../../../nodes/shared/send/ledger';
import { systemClock } from '../../../../nodes/shared/limiter/clock';
import { streamFrom } from '../../../../nodes/shared/answer/byteStream';
import type { AnswerReader } from '../../../../nodes/shared/answer/answerReaders';
import { Redactor } from '../../../../nodes/shared/answer/redactor';

const settings: ChatModelSettings = {
	model: 'm',
	format: chatCompletions,
	generation: {},
	options: new OptionValues({}),
	stream: false,
	extraBodyFields: {},
	requestOptions: {},
};

/** A chat model whose gateway answers with this body. */
function chatWith(body: string | AsyncGenerator<Buffer>, type: string, keys: string[] = []): GatewayChat {
	const client = {
		learned: new Learned(systemClock),
		ledger: new Ledger(systemClock),
		redactor: new Redactor(keys),
		send: async (_request: object, read: AnswerReader<unknown>) =>
			await read({
				status: 200,
				headers: { 'content-type': type },
				body: streamFrom(typeof body === 'string' ? [Buffer.from(body)] : body),
				url: 'https://test/',
				cost: 9,
			}),
	};
	return new GatewayChat(client as unknown as GatewayClient, settings, 'scope');
}

const question = {
	messages: [{ role: 'user', content: [{ type: 'text', text: 'Draw.' }] }],
	tools: [],
	call: {},
};
const url = `data:image/png;base64,${Buffer.alloc(3_000, 7).toString('base64')}`;
const images = [{ type: 'image_url', image_url: { url } }];
const NOTE = '[Left out, because a chat model passes on only text: image/png]';
const LINK = 'https://files.test/a.png';
const linked = { images: [{ type: 'image_url', image_url: { url: LINK } }] };
const WITH_LINK = NOTE.replace('image/png', LINK);

describe('An agent gets, in place of a file that its model returns, a note', () => {
	it.each([
		['after the text', { content: 'Here.', images }, `Here.\n\n${NOTE}`],
		['in place of the text', { content: null, images }, NOTE],
		['with its link after the text', { content: 'Here.', ...linked }, `Here.\n\n${WITH_LINK}`],
		['with its link in place of the text', { content: null, ...linked }, WITH_LINK],
		['with the link in a part', { content: [{ type: 'video_url', video_url: LINK }] }, WITH_LINK],
		['with the link in a block', { content: [{ type: 'image', source: { url: LINK } }] }, WITH_LINK],
	])('%s', async (_where, said, expected) => {
		const whole = { choices: [{ message: said, finish_reason: 'stop' }] };
		const { message } = await chatWith(JSON.stringify(whole), 'application/json').generate(question);
		expect(message.content).toEqual([{ type: 'text', text: expected }]);

		const delta = { choices: [{ delta: said, finish_reason: 'stop' }] };
		const chunks: SdkChunk[] = [];
		const streamed = chatWith(`data: ${JSON.stringify(delta)}\n\n`, 'text/event-stream').stream(question);
		for await (const chunk of streamed) chunks.push(chunk);
		const texts = chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : ''));
		expect(texts.join('')).toBe(expected);
	});
});

it('A tool call has an ID of its own, although the gateway sends the same one in every answer', async () => {
	const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
	const body = { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] };
	const chat = chatWith(JSON.stringify(body), 'application/json');
	const idOf = async () => (await chat.generate(question)).message.content[0].toolCallId;
	expect(await idOf()).toBe('call_1');
	expect(await idOf()).toMatch(/^call_\w{24}$/);
});

it('The thoughts of a call are remembered for each execution and each model by itself', () => {
	const scope = (execution: string, name: string) =>
		scopeOf({ context: { getExecutionId: () => execution, getNode: () => ({ name }) } } as never);
	expect(scope('1', 'Model')).toBe(scope('1', 'Model'));
	expect(new Set([scope('1', 'Model'), scope('2', 'Model'), scope('1', 'Other')]).size).toBe(3);
});

it('The arguments of a call do not contain the key, streamed or not', async () => {
	const key = 'sk-3f9a1c7e5b2d8046af51';
	const call = {
		index: 0,
		id: 'c',
		type: 'function',
		function: { name: 'look', arguments: `{"at":"${key}"}` },
	};
	const usage = { prompt_tokens: 1, cost: 0.25 };
	const whole = { usage, choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] };
	const answers: unknown[] = [];
	const asked = { ...question, call: { onAnswer: (answer: unknown) => void answers.push(answer) } };
	const { message } = await chatWith(JSON.stringify(whole), 'application/json', [key]).generate(asked);
	const event = { choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] };
	const chunks: SdkChunk[] = [];
	const stream = chatWith(`data: ${JSON.stringify(event)}\n\n`, 'text/event-stream', [key]).stream(asked);
	for await (const chunk of stream) chunks.push(chunk);
	// The cost in the answer, or else that of its header.
	expect(answers).toMatchObject([{ cost: 0.25 }, { cost: 9 }]);
	for (const given of [message, chunks, ...answers]) {
		expect(JSON.stringify(given)).toContain('[API key]');
		expect(JSON.stringify(given)).not.toContain(key);
	}
});

describe('A streamed answer', () => {
	const delta = (content: string, finish: string | null = null) =>
		Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`);

	it('is passed on as it arrives, also if it breaks off', async () => {
		let goOn = () => {};
		async function* body() {
			yield delta('On');
			await new Promise<void>((resolve) => (goOn = resolve));
			yield delta('ce');
			throw new Error('aborted');
		}
		const chunks = chatWith(body(), 'text/event-stream').stream(question);
		expect((await chunks.next()).value).toEqual({ type: 'text-delta', delta: 'On' });
		goOn();
		expect((await chunks.next()).value).toEqual({ type: 'text-delta', delta: 'ce' });
		await expect(chunks.next()).rejects.toMatchObject({ facts: { partial: { text: 'Once' } } });
	});

	it('is passed on without the key, but with an end that looks like its beginning', async () => {
		const key = 'sk-3f9a1c7e5b2d8046af51';
		const body = [
			delta(`It is ${key.slice(0, 9)}`),
			delta(`${key.slice(9)}, not ${key.slice(0, 9)}`, 'stop'),
		];
		const chunks = chatWith(body.join(''), 'text/event-stream', [key]).stream(question);
		let text = '';
		for await (const chunk of chunks) text += chunk.type === 'text-delta' ? chunk.delta : '';
		expect(text).toBe(`It is [API key], not ${key.slice(0, 9)}`);
	});

	it.each([
		['content_filter', '', /withheld/],
		['length', '', /reached Max Tokens/],
		['length', ' \n', /reached Max Tokens/],
	])('fails if it ends with %s before the first word: %j', async (finish, text, words) => {
		const body = () => delta(text, finish).toString();
		const readAll = async () => {
			for await (const chunk of chatWith(body(), 'text/event-stream').stream(question)) void chunk;
		};
		await expect(readAll()).rejects.toMatchObject({ message: expect.stringMatching(words) });
	});

	it('is read to its end although the agent has stopped reading', async () => {
		let isRead = () => {};
		const read = new Promise<void>((resolve) => (isRead = resolve));
		async function* body() {
			yield delta('On');
			yield delta('ce', 'stop');
			isRead();
		}
		const chunks = chatWith(body(), 'text/event-stream').stream(question);
		await chunks.next();
		await chunks.return(undefined);
		await expect(read).resolves.toBeUndefined();
	});
});
