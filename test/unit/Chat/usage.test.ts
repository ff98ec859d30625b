import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';

const chatCompletion = (usage: object) => ({
	choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
	usage,
});
const message = (usage: object) => ({
	type: 'message',
	content: [{ type: 'text', text: 'Hello' }],
	stop_reason: 'end_turn',
	usage,
});
const generated = (usageMetadata: object) => ({
	candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
	usageMetadata,
});

/** The usage in the simplified output. */
function usageIn(body: Record<string, unknown>): object {
	const others = ['text', 'model', 'finishReason', 'id'];
	return Object.fromEntries(
		Object.entries(readChatAnswer(body, 'm')).filter(([name]) => !others.includes(name)),
	);
}

describe('The usage of an answer', () => {
	it('has all counts of a chat completion', () => {
		const usage = {
			prompt_tokens: 100,
			completion_tokens: 40,
			total_tokens: 140,
			cost: 0.0021,
			prompt_tokens_details: { cached_tokens: 80, audio_tokens: 5, cache_write_tokens: 10 },
			completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 2 },
		};
		expect(usageIn(chatCompletion(usage))).toEqual({
			inputTokens: 100,
			outputTokens: 40,
			totalTokens: 140,
			cachedInputTokens: 80,
			cacheWriteTokens: 10,
			audioInputTokens: 5,
			reasoningTokens: 30,
			audioOutputTokens: 2,
			cost: 0.0021,
		});
	});

	it('has the cached tokens of a message object among its input tokens', () => {
		const usage = {
			input_tokens: 10,
			cache_read_input_tokens: 80,
			cache_creation_input_tokens: 15,
			output_tokens: 40,
			output_tokens_details: { thinking_tokens: 30 },
		};
		expect(usageIn(message(usage))).toEqual({
			inputTokens: 105,
			outputTokens: 40,
			totalTokens: 145,
			cachedInputTokens: 80,
			cacheWriteTokens: 15,
			reasoningTokens: 30,
		});
	});

	it('has all counts of a generate-content response', () => {
		const usage = {
			promptTokenCount: 100,
			cachedContentTokenCount: 80,
			candidatesTokenCount: 10,
			thoughtsTokenCount: 30,
			totalTokenCount: 140,
			promptTokensDetails: [
				{ modality: 'TEXT', tokenCount: 95 },
				{ modality: 'AUDIO', tokenCount: 5 },
			],
			candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 2 }],
		};
		expect(usageIn(generated(usage))).toEqual({
			inputTokens: 100,
			outputTokens: 40,
			totalTokens: 140,
			cachedInputTokens: 80,
			audioInputTokens: 5,
			reasoningTokens: 30,
			audioOutputTokens: 2,
		});
	});

	it.each([
		['chat completion', chatCompletion({ prompt_tokens: 3, completion_tokens: 2 })],
		['message object', message({ input_tokens: 3, output_tokens: 2 })],
		['generate-content response', generated({ promptTokenCount: 3, candidatesTokenCount: 2 })],
	])('has nothing that a %s does not report', (_name, body) => {
		expect(usageIn(body)).toEqual({ inputTokens: 3, outputTokens: 2, totalTokens: 5 });
	});

	it.each([
		[{ prompt_cache_hit_tokens: 7 }, { cachedInputTokens: 7 }],
		[{ cost: '0.5' }, { cost: 0.5 }],
		[{ cost: { input_tokens_cost: 0.1, total_cost: 0.3 } }, { cost: 0.3 }],
		[{ prompt_tokens_details: null, completion_tokens_details: null }, {}],
		[{ prompt_tokens_details: { cached_tokens: 0 } }, { cachedInputTokens: 0 }],
	])('is read from %j', (more, expected) => {
		const usage = { prompt_tokens: 3, completion_tokens: 2, ...more };
		expect(usageIn(chatCompletion(usage))).toEqual({
			inputTokens: 3,
			outputTokens: 2,
			totalTokens: 5,
			...expected,
		});
	});
});
