import type { IBinaryKeyData, StructuredChunk } from 'n8n-workflow';
import { runWorkflow } from '../engine/runWorkflow';
import { operations, OPERATIONS, useChat } from '../engine/useChat';

const chat = useChat(2e7);

describe('one simplified output', () => {
	const KEYS = ['finishReason', 'id', 'model', 'text', 'usage'];
	const cases = [
		...operations.map((operation) => [operation, {}] as const),
		...['chat-format', 'messages-format', 'generate-content-format'].map(
			(style) => ['chatCompletion', { style }] as const,
		),
		['chatCompletion', { style: 'custom', customStyle: 'anthropic' }] as const,
	];
	const both = cases.flatMap(([operation, more]) =>
		[false, true].map((stream) => ({ operation, ...more, stream })),
	);

	test.each(both)('%j', async ({ operation, ...parameters }) => {
		const { items, error } = await chat.run(operation, parameters);
		expect(error).toBeUndefined();
		expect(Object.keys(items[0].json).sort()).toEqual(KEYS);
		expect(items[0].json).toMatchObject({
			text: expect.stringContaining('sky'),
			model: 'aurora-4',
			finishReason: 'stop',
			usage: {
				inputTokens: expect.any(Number),
				outputTokens: expect.any(Number),
				totalTokens: expect.any(Number),
			},
			id: expect.stringMatching(/[0-9a-f]{24}$/),
		});
	});

	test('a stream and a whole answer say the same, raw as well as simplified', async () => {
		for (const { operation, stream, ...parameters } of both) {
			const outputs = await Promise.all(
				[false, true].map(async (streamed) => {
					const { items } = await chat.run(operation, { ...parameters, stream: streamed, simplify: false });
					return JSON.stringify(items[0].json).replaceAll(/[0-9a-f]{24}/g, 'id');
				}),
			);
			expect(JSON.parse(outputs[stream ? 1 : 0])).toEqual({
				...JSON.parse(outputs[0]),
				...(operation === 'chatCompletion' && 'created' in JSON.parse(outputs[0])
					? { created: expect.any(Number) }
					: {}),
			});
		}
	});

	test('refusals, length stops, blocked and empty answers show in the finish reason', async () => {
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
			// The generate-content format has no word for it.
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

	test('thoughts and several text blocks are kept', async () => {
		for (const operation of operations) {
			chat.emulator.behaviour.set(OPERATIONS[operation], {
				answer: { texts: ['It scatters. ', 'Blue most.'], thinking: 'Light, air.' },
			});
			for (const stream of [false, true]) {
				const { items } = await chat.run(operation, { stream });
				expect(items[0].json).toMatchObject({
					text: 'It scatters. Blue most.',
					reasoning: 'Light, air.',
					finishReason: 'stop',
				});
			}
		}
	});
});

describe('what is sent', () => {
	test('prompt with system text', async () => {
		const parameters = { systemPrompt: 'Be short.', options: { temperature: 0.5, maxTokens: 50 } };
		await chat.run('chatCompletion', parameters);
		expect(chat.sentBody()).toEqual({
			model: 'aurora-4',
			messages: [
				{ role: 'system', content: 'Be short.' },
				{ role: 'user', content: 'Why is the sky blue?' },
			],
			max_tokens: 50,
			temperature: 0.5,
		});
		chat.emulator.journal.clear();
		await chat.run('message', { ...parameters, maxTokens: 50 });
		expect(chat.sentBody()).toEqual({
			model: 'aurora-4',
			system: 'Be short.',
			messages: [{ role: 'user', content: 'Why is the sky blue?' }],
			max_tokens: 50,
			temperature: 0.5,
		});
		chat.emulator.journal.clear();
		await chat.run('generateContent', {
			systemPrompt: 'Be short.',
			options: {
				temperature: 0.5,
				maxOutputTokens: 50,
				safetySettings: '[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]',
				tools: [{ functionDeclarations: [{ name: 'get_time', description: 'Tells the time' }] }],
			},
		});
		expect(chat.sentBody()).toEqual({
			contents: [{ role: 'user', parts: [{ text: 'Be short.' }, { text: 'Why is the sky blue?' }] }],
			generationConfig: { temperature: 0.5, maxOutputTokens: 50 },
			safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			tools: [{ functionDeclarations: [{ name: 'get_time', description: 'Tells the time' }] }],
		});
	});

	test('messages, in their order', async () => {
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

	test('JSON from another node, as text and as data', async () => {
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

	test('stream options, response format and extra body fields', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { acceptUnknownFields: true });
		await chat.run('chatCompletion', {
			stream: true,
			style: 'chat-format',
			options: { extraBodyFields: '{"seed": 7, "model": "nimbus-large"}' },
		});
		expect(chat.sentBody()).toMatchObject({
			style: 'chat-format',
			stream: true,
			stream_options: { include_usage: true },
			seed: 7,
		});
		chat.emulator.journal.clear();
		await chat.run('chatCompletion', { stream: true, options: { includeUsage: false } });
		expect(chat.sentBody()).not.toHaveProperty('stream_options');
		chat.emulator.journal.clear();
		await chat.run('chatCompletion');
		expect(chat.sentBody()).not.toHaveProperty('style');
		expect(chat.sentBody()).not.toHaveProperty('stream');
	});

	test('the messages endpoint takes the key as the credential says', async () => {
		const { error } = await chat.run(
			'message',
			{},
			{ credential: { ...chat.credential(), messagesAuthentication: 'xApiKey' } },
		);
		expect(error).toBeUndefined();
		expect(chat.emulator.journal.entries()[0]).toMatchObject({ status: 200, key: 'valid' });
	});

	test('a model id with odd characters stays one part of the path', async () => {
		const model = { __rl: true, mode: 'id', value: 'vendor/../a?b#c\ud800' };
		const { error } = await chat.run('generateContent', { model });
		expect(error?.message).toContain('[item 0]');
		expect(chat.emulator.journal.entries()[0].path).toMatch(/^\/v1beta\/models\/[^/]+:generateContent$/);
	});
});

describe('images', () => {
	const png = Buffer.from(
		'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
		'base64',
	);
	const dataUri = `data:image/png;base64,${png.toString('base64')}`;
	const images = {
		image: [
			{ source: 'url', url: 'https://example.com/a.png' },
			{ source: 'url', url: dataUri },
			{ source: 'binary', binaryPropertyName: 'data' },
		],
	};
	const inline: IBinaryKeyData = { data: { mimeType: 'image/png', data: png.toString('base64') } };
	const input = [{ json: {}, binary: inline }];

	test('go along in each format, from URL, data URI and binary field, in order', async () => {
		for (const operation of operations) {
			chat.emulator.journal.clear();
			const { items, error } = await chat.run(operation, { images }, { input });
			expect(error).toBeUndefined();
			expect(items[0].json.text).toContain('I have looked at the 3 images.');
		}
	});

	test('in messages, and in combined binary mode', async () => {
		const messages = {
			message: [
				{
					role: 'user',
					text: 'What is this?',
					images: { image: [{ source: 'binary', binaryPropertyName: '_files.photo' }] },
				},
			],
		};
		const workflow = chat.workflow('message', { inputType: 'messages', messages });
		const { items, error } = await runWorkflow(
			{ ...workflow, settings: { binaryMode: 'combined' } },
			{ credential: chat.credential(), input: [{ json: { _files: { photo: inline.data } } }] as never },
		);
		expect(error).toBeUndefined();
		expect(items[0].json.text).toContain('I have looked at the image.');
	});
});

describe('streams', () => {
	// Pieces of the generate-content format are longer, so there are fewer.
	const routes = operations.map(
		(operation) => [operation, OPERATIONS[operation], operation === 'generateContent' ? 1 : 5] as const,
	);

	test.each(routes)(
		'of %s that are cut keep the text so far and are not repeated',
		async (operation, route, afterEvents) => {
			chat.emulator.behaviour.set(route, { faults: [{ kind: 'cut', afterEvents }] });
			const { items } = await chat.run(operation, { stream: true }, {}, { onError: 'continueRegularOutput' });
			expect(items[0].json).toMatchObject({
				error: 'The connection to the gateway broke before the answer was complete',
				details: {
					mayHaveBeenCarriedOut: true,
					partial: { text: expect.stringMatching(/\S/) },
				},
			});
			expect(chat.emulator.journal.count()).toBe(1);
		},
	);

	test.each(routes)(
		'of %s that bring an error keep the text so far',
		async (operation, route, afterEvents) => {
			chat.emulator.behaviour.set(route, { faults: [{ kind: 'errorInStream', afterEvents }] });
			const { error } = await chat.run(operation, { stream: true });
			expect(error?.context.details).toMatchObject({ partial: { text: expect.stringMatching(/\S/) } });
			expect(chat.emulator.journal.count()).toBe(1);
		},
	);

	test('that stall end at the time limit, with the text so far', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { faults: [{ kind: 'stall', afterEvents: 5 }] });
		const { error } = await chat.run('chatCompletion', { stream: true, options: { timeoutSeconds: 0.3 } });
		expect(error?.message).toContain('did not answer in time');
		expect(error?.context.details).toMatchObject({ partial: { text: expect.stringMatching(/\S/) } });
	});

	test('take longer than the time limit as long as they move', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { stream: { deltaDelayMs: 25 } });
		const { items, tookMs } = await chat.run('chatCompletion', {
			stream: true,
			options: { timeoutSeconds: 0.3 },
		});
		expect(items[0].json.finishReason).toBe('stop');
		expect(tookMs).toBeGreaterThan(400);
	});

	test.each([
		{ comments: true, lineEnd: 'crlf', done: 'twice' },
		{ splitCharacters: true, chunkBytes: 1 },
		{ done: 'missing', nullUsage: true },
	] as const)('of the shape %j are read', async (shape) => {
		chat.emulator.behaviour.set('POST /v1/*', { stream: shape });
		const { items } = await chat.run('chatCompletion', { stream: true, prompt: '天空为什么是蓝色的？' });
		expect(items[0].json).toMatchObject({ finishReason: 'stop', text: expect.stringContaining('天空') });
	});

	test('under a streaming trigger reach the caller piece by piece, each item with its own', async () => {
		const chunks: StructuredChunk[] = [];
		const input = ['moon', 'sun'].map((name) => ({ json: { name } }));
		const { items } = await chat.run(
			'chatCompletion',
			{ stream: true, prompt: '=Tell me of the {{ $json.name }}' },
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

	test('that fail tell the caller why when the node goes on', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { faults: [{ kind: 'cut', afterEvents: 5 }] });
		const chunks: StructuredChunk[] = [];
		await chat.run(
			'chatCompletion',
			{ stream: true },
			{ onChunk: (chunk) => chunks.push(chunk) },
			{ onError: 'continueRegularOutput' },
		);
		expect(chunks.slice(-2).map(({ type }) => type)).toEqual(['error', 'end']);
		expect(chunks.at(-2)?.content).toContain('broke before the answer was complete');
	});

	test('send no chunk without Stream', async () => {
		const chunks: StructuredChunk[] = [];
		await chat.run('chatCompletion', {}, { onChunk: (chunk) => chunks.push(chunk) });
		expect(chunks).toEqual([]);
	});
});

test('300 items under 20 requests a second all succeed with at most a tenth more requests', async () => {
	chat.emulator.behaviour.set('POST /v1/*', { limit: { requests: 20, perMs: 1000, retryAfter: 'seconds' } });
	const input = Array.from({ length: 300 }, (_, index) => ({ json: { index } }));
	const { items, error } = await chat.run(
		'chatCompletion',
		{ prompt: '=Row {{ $json.index }}', options: { maxConcurrency: 20 } },
		{ input },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(300);
	expect(chat.emulator.journal.count()).toBeLessThanOrEqual(330);
}, 60_000);
