import type { StructuredChunk } from 'n8n-workflow';
import { operations, useChat } from '../engine/useChat';

const chat = useChat(2e7);

describe('Simplified output of Unified AI Chat', () => {
	const KEYS = ['text', 'model', 'finishReason', 'inputTokens', 'outputTokens'];
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
		});
	});
});

describe('Request of Unified AI Chat', () => {
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
});

describe('Streams of Unified AI Chat', () => {
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

	it('send no chunks when Stream is off', async () => {
		const chunks: StructuredChunk[] = [];
		await chat.run('chatCompletion', {}, { onChunk: (chunk) => chunks.push(chunk) });
		expect(chunks).toEqual([]);
	});
});
