import fc from 'fast-check';
import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { streamFrom } from '../../../nodes/shared/answer/byteStream';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { brokenStream } from '../brokenStream';

type Fields = Record<string, unknown>;

const event = (data: unknown, name?: string) =>
	`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** A response whose body arrives in chunks of the given sizes (the last size repeats). */
function answerOf(text: string, sizes: number[] = [1_000_000], contentType = 'text/event-stream'): Answer {
	async function* chunks() {
		const bytes = Buffer.from(text);
		let start = 0;
		for (let index = 0; start < bytes.length; index++) {
			const size = Math.max(1, sizes[Math.min(index, sizes.length - 1)]);
			yield bytes.subarray(start, start + size);
			start += size;
		}
	}
	const headers = { 'content-type': contentType };
	return { status: 200, headers, body: streamFrom(chunks()), url: 'http://test/' };
}

async function read(answer: Answer): Promise<{ body: Fields; live: string }> {
	let live = '';
	const reader = new ChatReader(true, async (text) => void (live += text));
	const body = await reader.read(answer);
	return { body, live };
}

const chunk = (delta: object, finish: string | null = null, index = 0) => ({
	id: 'chatcmpl-1',
	model: 'm',
	choices: [{ index, delta, finish_reason: finish }],
	usage: null,
});

/** Streams of the three formats with the same text in the same chunks. */
function streamsOf(texts: string[]): Record<string, string[]> {
	return {
		chat: [
			event(chunk({ role: 'assistant', content: '' })),
			...texts.map((content) => event(chunk({ content }))),
			event(chunk({}, 'stop')),
			event({ id: 'chatcmpl-1', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
			event('[DONE]'),
		],
		messages: [
			event({ type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 1 } } }),
			event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
			...texts.map((text) =>
				event(
					{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
					'content_block_delta',
				),
			),
			event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
			event({ type: 'message_stop' }),
		],
		generate: [
			...texts.map((text) => event({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })),
			event({
				candidates: [{ finishReason: 'STOP' }],
				usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
				modelVersion: 'm',
			}),
		],
	};
}

const JUNK = [
	': PING\n',
	'\n',
	'data: keep-alive\n\n',
	'retry: 100\n\n',
	'data:\n\n',
	'data: 7\n\ndata: null\n\ndata: ["x"]\n\n',
	'event: ping\ndata: {"type":"ping"}\n\n',
	'id: 3\n\n',
	'no colon at all\n\n',
	'data: busy {1}\n\n',
];

const streamTexts = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { minLength: 1, maxLength: 12 });
const junk = fc.array(fc.constantFrom(...JUNK), { maxLength: 3 });

describe.each(['chat', 'messages', 'generate'])('Stream of the %s format', (format) => {
	it('yields the same text for any chunks and any junk between its events', async () => {
		await fc.assert(
			fc.asyncProperty(
				streamTexts.chain((texts) =>
					fc.tuple(
						fc.constant(texts.map((text) => text.toWellFormed())),
						fc.array(junk, { minLength: texts.length + 6, maxLength: texts.length + 6 }),
						fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
						fc.constantFrom('\n', '\r\n', '\r'),
					),
				),
				async ([texts, between, sizes, lineEnd]) => {
					const events = streamsOf(texts)[format].map((one, index) => (between[index] ?? []).join('') + one);
					const { body, live } = await read(answerOf(events.join('').replaceAll('\n', lineEnd), sizes));
					const answer = readChatAnswer(body, 'm');
					expect(answer.text).toBe(texts.join(''));
					expect(live).toBe(texts.join(''));
					expect(answer).toMatchObject({ inputTokens: 1, outputTokens: 2, totalTokens: 3 });
				},
			),
			{ numRuns: 60 },
		);
	});

	it('fails when it ends early, and keeps the text received so far', async () => {
		const events = streamsOf(['Once ', 'upon ', 'a time']);
		const cut = events[format].join('').indexOf('upon ') + 20;
		const reader = new ChatReader(true);
		const failure = await reader
			.read(answerOf(events[format].join('').slice(0, cut)))
			.catch((error: unknown) => reader.withArrived(error));
		expect(failure).toMatchObject({
			kind: 'interrupted',
			facts: { mayHaveBeenCarriedOut: true, partial: { text: expect.stringMatching(/^Once (upon )?$/) } },
		});
	});

	it('is complete when the connection is lost after the end of the answer', async () => {
		const events = streamsOf(['Once']);
		const sent = events[format].filter((one) => !one.includes('[DONE]'));
		const { body } = await read({ ...answerOf(''), body: brokenStream(new Error('aborted'), ...sent) });
		expect(readChatAnswer(body, 'm').text).toBe('Once');
	});

	it('is recognized without its content type, and as a JSON list of its events', async () => {
		const events = streamsOf(['Once ', 'more']);
		const unlabelled = await read(answerOf(events[format].join(''), [3], 'application/octet-stream'));
		expect(readChatAnswer(unlabelled.body, 'm').text).toBe('Once more');
		const bodies = events[format].flatMap((one) => /data: (\{.*\})/.exec(one)?.[1] ?? []);
		const list = await read(answerOf(`[${bodies.join(',')}]`, [7], 'application/json'));
		expect(readChatAnswer(list.body, 'm').text).toBe('Once more');
	});
});

describe('Stream with more than text', () => {
	const assembled = async (...events: unknown[]) =>
		(await read(answerOf(events.map((one) => event(one)).join('')))).body;

	it('assembles tool calls of the chat format by their index', async () => {
		const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
		const body = await assembled(
			chunk({ role: 'assistant', content: null }),
			call(0, { id: 'a', type: 'function', function: { name: 'first', arguments: '' } }),
			call(1, { id: 'b', type: 'function', function: { name: 'second', arguments: '{"x"' } }),
			call(0, { id: '', function: { name: null, arguments: '{"y":' } }),
			call(1, { function: { arguments: ':1}' } }),
			call(0, { function: { arguments: '2}' } }),
			chunk({}, 'tool_calls'),
		);
		expect(readChatAnswer(body, 'm')).toMatchObject({
			text: '',
			finishReason: 'tool_calls',
			toolCalls: [
				{ id: 'a', name: 'first', arguments: { y: 2 } },
				{ id: 'b', name: 'second', arguments: { x: 1 } },
			],
		});
	});

	it('keeps several choices separate, and passes on only the first one live', async () => {
		const events = [
			chunk({ content: 'B' }, null, 1),
			chunk({ content: 'A' }),
			chunk({ content: 'b' }, 'stop', 1),
			chunk({ content: 'a' }, 'stop'),
		];
		const { body, live } = await read(answerOf(events.map((one) => event(one)).join('')));
		expect(live).toBe('Aa');
		expect(readChatAnswer(body, 'm')).toMatchObject({ text: 'Aa', alternatives: ['Bb'] });
	});

	it('assembles reasoning, tool inputs, and citations of the messages format', async () => {
		const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields });
		const body = await assembled(
			{ type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 5 } } },
			{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
			delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
			delta(0, { type: 'thinking_delta', thinking: 'm.' }),
			delta(0, { type: 'signature_delta', signature: 'c2ln' }),
			{ type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'look' } },
			delta(2, { type: 'input_json_delta', partial_json: '{"at":' }),
			{ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
			delta(1, { type: 'text_delta', text: 'Wait' }),
			delta(1, { type: 'citations_delta', citation: { cited_text: 'x' } }),
			delta(2, { type: 'input_json_delta', partial_json: '"sky"}' }),
			{
				type: 'message_delta',
				delta: { stop_reason: 'tool_use' },
				usage: { output_tokens: 7 },
				context: { a: 1 },
			},
			{ type: 'message_stop', trace: 'xyz' },
		);
		expect(body).toMatchObject({
			context: { a: 1 },
			trace: 'xyz',
			content: [
				{ type: 'thinking', thinking: 'Hmm.', signature: 'c2ln' },
				{ type: 'text', text: 'Wait', citations: [{ cited_text: 'x' }] },
				{ type: 'tool_use', id: 't', name: 'look', input: { at: 'sky' } },
			],
			usage: { input_tokens: 5, output_tokens: 7 },
		});
		expect(readChatAnswer(body, 'm')).toMatchObject({
			text: 'Wait',
			reasoning: 'Hmm.',
			finishReason: 'tool_calls',
			toolCalls: [{ id: 't', name: 'look', arguments: { at: 'sky' } }],
		});
	});

	it('assembles reasoning and tool calls of the generate-content format', async () => {
		const part = (fields: object, more: object = {}) => ({
			candidates: [{ index: 0, content: { parts: [fields] }, ...more }],
		});
		const body = await assembled(
			part({ text: 'Let me ', thought: true }),
			part({ text: 'see.', thought: true }),
			part({ text: 'Blue' }),
			part({ text: '.' }),
			part({ functionCall: { name: 'look', args: { at: 'sky' } } }, { finishReason: 'STOP' }),
		);
		expect(body).toMatchObject({
			candidates: [
				{
					content: {
						parts: [
							{ text: 'Let me see.', thought: true },
							{ text: 'Blue.' },
							{ functionCall: { name: 'look', args: { at: 'sky' } } },
						],
					},
				},
			],
		});
		expect(readChatAnswer(body, 'm')).toMatchObject({
			text: 'Blue.',
			reasoning: 'Let me see.',
			finishReason: 'tool_calls',
			toolCalls: [{ name: 'look', arguments: { at: 'sky' } }],
		});
	});

	it('keeps the text of a block of the messages format that begins again', async () => {
		const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
		const text = (one: string) => ({
			type: 'content_block_delta',
			index: 0,
			delta: { type: 'text_delta', text: one },
		});
		const whole = { type: 'message_start', message: { id: 'msg_1', content: [{ type: 'text', text: 'A' }] } };
		const stop = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
		const events = [whole, text('b'), start, text('C'), start, text('d'), stop, { type: 'message_stop' }];
		const { body, live } = await read(answerOf(events.map((one) => event(one)).join('')));
		expect(live).toBe('AbCd');
		expect(readChatAnswer(body, 'm').text).toBe('AbCd');
	});

	it.each(['messages', 'generate'])('is not read as another format: %s', async (format) => {
		const foreign = {
			choices: [],
			type: format === 'generate' ? 'message' : 'message_delta',
			delta: { choices: [] },
		};
		const events = [...streamsOf(['Once'])[format], event(foreign)];
		// The stream of this format ends with its last event.
		if (format === 'messages') events.splice(-2, 0, events.pop()!);
		const { body } = await read(answerOf(events.join('')));
		expect(readChatAnswer(body, 'm').text).toBe('Once');
	});

	it('may have an event whose type cannot become text', async () => {
		const odd = event({ type: { toString: null } });
		const { body } = await read(answerOf(odd + streamsOf(['Once']).generate.join('')));
		expect(readChatAnswer(body, 'm').text).toBe('Once');
	});

	it('keeps a text that is followed by something else', async () => {
		const { body, live } = await read(
			answerOf(
				[chunk({ content: 'Once' }), chunk({ content: [] }), chunk({}, 'stop')]
					.map((one) => event(one))
					.join(''),
			),
		);
		expect([live, readChatAnswer(body, 'm').text]).toEqual(['Once', 'Once']);
	});

	it('takes nothing for a field that all objects have', async () => {
		const odd = { index: 0, constructor: null, toString: 'x', finish_reason: 'stop' };
		const { body } = await read(answerOf(event({ choices: [odd] })));
		expect((body.choices as Fields[])[0]).toMatchObject({ constructor: null, toString: 'x' });
	});

	it('ignores a field called __proto__', async () => {
		const hostile =
			'{"choices":[{"index":0,"__proto__":{"polluted":1},"delta":{"content":"x","__proto__":{"polluted":1}},"finish_reason":"stop"}]}';
		const { body } = await read(answerOf(event(hostile) + event(hostile)));
		expect(readChatAnswer(body, 'm').text).toBe('xx');
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
		expect((body.choices as Array<{ polluted?: number }>)[0].polluted).toBeUndefined();
	});
});

describe('ChatReader', () => {
	it('fails for an error inside the stream, and keeps the text received so far', async () => {
		const reader = new ChatReader(true);
		const text = event(chunk({ content: 'Half' })) + event({ error: { message: 'model overheated' } });
		const failure = await reader.read(answerOf(text)).catch((error: unknown) => reader.withArrived(error));
		expect(failure).toMatchObject({
			kind: 'answer',
			facts: { gatewayMessage: 'model overheated', partial: { text: 'Half' } },
		});
	});

	it('rejects a stream that contains nothing but its end', async () => {
		await expect(read(answerOf('data: [DONE]\n\n'))).rejects.toMatchObject({ kind: 'answer' });
		await expect(read(answerOf(': PING\n\n'))).rejects.toMatchObject({ kind: 'interrupted' });
	});

	it('rejects random bytes without hanging', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, isStream) => {
				const type = isStream ? 'text/event-stream' : 'application/json';
				async function* body() {
					yield Buffer.from(bytes);
				}
				const answer = { ...answerOf('', [1], type), body: streamFrom(body()) };
				await expect(read(answer)).rejects.toMatchObject({ name: 'GatewayFailure' });
			}),
			{ numRuns: 100 },
		);
	});
});
