import type { StructuredChunk } from 'n8n-workflow';
import { CHECK_EVERY_MS } from '../../../nodes/shared/send/timeLimits';
import { useMovableClock } from '../engine/movableClock';
import { operations, OPERATIONS, useChat, type Operation } from '../engine/useChat';

const chat = useChat(2e7);
const clock = useMovableClock();
const TIMEOUT_SECONDS = 600;

describe('Simplified output of Unified AI Chat', () => {
	const KEYS = ['text', 'model', 'finishReason', 'inputTokens', 'outputTokens', 'totalTokens', 'id'];
	const cases = [
		...operations.map((operation) => [operation, {}] as const),
		...['chat-format', 'messages-format', 'generate-content-format', 'anthropic'].map(
			(style) => ['chatCompletion', { extraBodyFields: JSON.stringify({ style }) }] as const,
		),
	];
	const both = cases.flatMap(([operation, more]) =>
		[false, true].map((stream) => ({ operation, options: { ...more, stream } })),
	);

	it.each(both)('has the same fields for %j', async ({ operation, options }) => {
		const { items, error } = await chat.run(operation, { options });
		expect(error).toBeUndefined();
		expect(Object.keys(items[0].json)).toEqual(KEYS);
		expect(items[0].json).toMatchObject({
			text: expect.stringContaining('sky'),
			model: 'aurora-4',
			finishReason: 'stop',
			inputTokens: expect.any(Number),
			outputTokens: expect.any(Number),
			totalTokens: expect.any(Number),
			id: expect.stringMatching(/[0-9a-f]{24}$/),
		});
	});

	it('is the same for a stream and a whole response, and so is the raw output', async () => {
		for (const { operation, options } of both) {
			const outputs = await Promise.all(
				[false, true].map(async (streamed) => {
					const { items } = await chat.run(operation, {
						options: { ...options, stream: streamed },
						simplify: false,
					});
					return JSON.stringify(items[0].json).replaceAll(/[0-9a-f]{24}/g, 'id');
				}),
			);
			expect(JSON.parse(outputs[options.stream ? 1 : 0])).toEqual({
				...JSON.parse(outputs[0]),
				...(operation === 'chatCompletion' && 'created' in JSON.parse(outputs[0])
					? { created: expect.any(Number) }
					: {}),
			});
		}
	});

	it('shows refusals and cut-off, blocked, or empty answers in the finish reason', async () => {
		const reasons: Record<string, string[]> = {};
		const shapes = {
			refusal: { ending: 'refusal', texts: ['I would rather not.'] },
			filtered: { ending: 'filtered', texts: ['Well'] },
			blocked: { ending: 'blocked' },
			length: { ending: 'length', texts: ['Well'] },
			empty: { texts: [''] },
		} as const;
		for (const [name, answer] of Object.entries(shapes)) {
			for (const operation of operations) {
				chat.emulator.behaviour.set(OPERATIONS[operation], { answer: answer as object });
				for (const stream of [false, true]) {
					const { items } = await chat.run(operation, { stream });
					(reasons[name] ??= []).push(items[0].json.finishReason as string);
				}
			}
		}
		expect(reasons).toEqual({
			// The generate-content format has no finish reason for it.
			refusal: ['refusal', 'refusal', 'refusal', 'refusal', 'stop', 'stop'],
			filtered: [
				'content_filter',
				'content_filter',
				'refusal',
				'refusal',
				'content_filter',
				'content_filter',
			],
			blocked: ['empty', 'empty', 'refusal', 'refusal', 'content_filter', 'content_filter'],
			length: ['length', 'length', 'length', 'length', 'length', 'length'],
			empty: ['empty', 'empty', 'empty', 'empty', 'empty', 'empty'],
		});
	});
});

describe('Request of Unified AI Chat', () => {
	it('contains the prompt, the system prompt, and options', async () => {
		const tools = [{ functionDeclarations: [{ name: 'get_time', description: 'Tells the time' }] }];
		const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
		const user = { role: 'user', content: 'Why is the sky blue?' };
		const options = { temperature: 0.5, maxTokens: 50 };
		const sent: Record<Operation, object> = {
			chatCompletion: {
				model: 'aurora-4',
				messages: [{ role: 'system', content: 'Be short.' }, user],
				max_tokens: 50,
				temperature: 0.5,
			},
			message: {
				model: 'aurora-4',
				system: 'Be short.',
				messages: [user],
				max_tokens: 50,
				temperature: 0.5,
			},
			generateContent: {
				contents: [{ role: 'user', parts: [{ text: 'Be short.' }, { text: user.content }] }],
				generationConfig: { temperature: 0.5, maxOutputTokens: 50 },
				safetySettings,
				tools,
			},
		};
		for (const operation of operations) {
			chat.emulator.journal.clear();
			const own =
				operation === 'generateContent' ? { safetySettings: JSON.stringify(safetySettings), tools } : {};
			await chat.run(operation, { systemPrompt: 'Be short.', options: { ...options, ...own } });
			expect(chat.sentBody()).toEqual(sent[operation]);
		}
	});

	it('contains messages in their order', async () => {
		const messages = {
			message: [
				{ role: 'system', text: 'Be short.' },
				{ role: 'user', text: 'Hi' },
				{ role: 'assistant', text: 'Hello' },
				{ role: 'user', text: 'And now?' },
			],
		};
		await chat.run('chatCompletion', { inputType: 'messages', messages });
		expect(chat.sentBody().messages).toEqual([
			{ role: 'system', content: 'Be short.' },
			{ role: 'user', content: 'Hi' },
			{ role: 'assistant', content: 'Hello' },
			{ role: 'user', content: 'And now?' },
		]);
	});

	it('contains JSON from another node, as text and as data', async () => {
		const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
		for (const messagesJson of [JSON.stringify(messages), '={{ $json.messages }}']) {
			chat.emulator.journal.clear();
			const { error } = await chat.run(
				'message',
				{ inputType: 'json', messagesJson, systemPrompt: 'Be short.' },
				{ input: [{ json: { messages } }] },
			);
			expect(error).toBeUndefined();
			expect(chat.sentBody()).toMatchObject({ messages, system: 'Be short.' });
		}
		chat.emulator.journal.clear();
		const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
		await chat.run('generateContent', { inputType: 'json', messagesJson: JSON.stringify(contents) });
		expect(chat.sentBody().contents).toEqual(contents);
	});

	it('contains stream options, the response format, and extra body fields', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { checkUndocumented: false });
		await chat.run('chatCompletion', {
			simplify: false,
			style: 'chat-format',
			options: {
				stream: true,
				extraBodyFields: '{"seed": 7, "model": "nimbus-large"}',
			},
		});
		expect(chat.sentBody()).toMatchObject({
			style: 'chat-format',
			stream: true,
			stream_options: { include_usage: true },
			seed: 7,
		});
		chat.emulator.journal.clear();
		await chat.run('chatCompletion', { options: { stream: true, withoutUsage: true } });
		expect(chat.sentBody()).not.toHaveProperty('stream_options');
		chat.emulator.journal.clear();
		await chat.run('chatCompletion');
		expect(chat.sentBody()).not.toHaveProperty('style');
		expect(chat.sentBody()).not.toHaveProperty('stream');
	});

	it('sends the key to the messages endpoint as the credential is set', async () => {
		const { error } = await chat.run(
			'message',
			{},
			{ credential: { ...chat.credential(), messagesAuthentication: 'xApiKey' } },
		);
		expect(error).toBeUndefined();
		expect(chat.emulator.journal.entries()[0]).toMatchObject({ status: 200, key: 'valid' });
	});

	it('keeps a model ID with special characters in one segment of the path', async () => {
		const model = { __rl: true, mode: 'id', value: 'vendor/../a?b#c\ud800' };
		const { error } = await chat.run('generateContent', { model });
		expect(error?.message).toContain('[item 0]');
		expect(chat.emulator.journal.entries()[0].path).toMatch(/^\/v1beta\/models\/[^/]+:generateContent$/);
	});
});

describe('Streams of Unified AI Chat', () => {
	// Chunks of the generate-content format are longer, so there are fewer.
	const routes = operations.map(
		(operation) => [operation, OPERATIONS[operation], operation === 'generateContent' ? 1 : 5] as const,
	);

	it.each(routes)(
		'for %s that break keep the text received so far and are not requested again',
		async (operation, route, afterEvents) => {
			for (const kind of ['cut', 'errorInStream'] as const) {
				chat.emulator.journal.clear();
				chat.emulator.behaviour.set(route, { faults: [{ kind, afterEvents }] });
				const { error } = await chat.run(operation, { options: { stream: true } });
				expect(error?.context.details).toMatchObject({
					mayHaveBeenCarriedOut: true,
					partial: { text: expect.stringMatching(/\S/) },
				});
				expect(chat.emulator.journal.count()).toBe(1);
			}
		},
	);

	it('that stall end at the time limit, with the text received so far', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { faults: [{ kind: 'stall', afterEvents: 5 }] });
		const parameters = { options: { stream: true, timeoutSeconds: TIMEOUT_SECONDS } };
		const { error } = await chat.run('chatCompletion', parameters, {
			onChunk: ({ type }) => type === 'item' && clock.pass(TIMEOUT_SECONDS * 1000),
		});
		expect(error?.message).toContain('did not respond in time');
		expect(error?.context.details).toMatchObject({ partial: { text: expect.stringMatching(/\S/) } });
	});

	it('may take longer than the time limit while chunks arrive', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { stream: { deltaDelayMs: 2 * CHECK_EVERY_MS } });
		let chunks = 0;
		const parameters = { options: { stream: true, timeoutSeconds: TIMEOUT_SECONDS, maxTokens: 10 } };
		const { items, error } = await chat.run('chatCompletion', parameters, {
			onChunk({ type }) {
				if (type !== 'item') return;
				chunks += 1;
				clock.pass(0.4 * TIMEOUT_SECONDS * 1000);
			},
		});
		expect(error).toBeUndefined();
		expect(items[0].json.text).toMatch(/\S/);
		expect(chunks).toBeGreaterThan(5);
	});

	it('reach the caller of a streaming trigger in chunks, separately for each item', async () => {
		const chunks: StructuredChunk[] = [];
		const input = ['moon', 'sun'].map((name) => ({ json: { name } }));
		const { items } = await chat.run(
			'chatCompletion',
			{ options: { stream: true }, prompt: '=Tell me of the {{ $json.name }}' },
			{ input, onChunk: (chunk) => chunks.push(chunk) },
		);
		for (const [index, item] of items.entries()) {
			const own = chunks.filter(({ metadata }) => metadata.itemIndex === index);
			expect(own.at(0)?.type).toBe('begin');
			expect(own.at(-1)?.type).toBe('end');
			const texts = own.filter(({ type }) => type === 'item').map(({ content }) => content);
			expect(texts.length).toBeGreaterThan(5);
			expect(texts.join('')).toBe(item.json.text);
		}
	});

	it('tell the caller why they fail when the node continues on failure', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { faults: [{ kind: 'cut', afterEvents: 5 }] });
		const chunks: StructuredChunk[] = [];
		await chat.run(
			'chatCompletion',
			{ options: { stream: true } },
			{ onChunk: (chunk) => chunks.push(chunk) },
			{ onError: 'continueRegularOutput' },
		);
		expect(chunks.slice(-2).map(({ type }) => type)).toEqual(['error', 'end']);
		expect(chunks.at(-2)?.content).toContain('was lost before the response was complete');
	});

	it('send no chunks when Stream is off', async () => {
		const chunks: StructuredChunk[] = [];
		await chat.run('chatCompletion', {}, { onChunk: (chunk) => chunks.push(chunk) });
		expect(chunks).toEqual([]);
	});
});
