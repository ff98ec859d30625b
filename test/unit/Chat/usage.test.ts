import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { sdkUsageOf } from '../../../nodes/Chat/model/result';
import { chunk, readStream } from './readStream';

type Json = Record<string, unknown>;

const TOKENS = { inputTokens: 11, outputTokens: 7, totalTokens: 18 };

/** Per format: a usage, the same with zeros, and a stream that reports these one after the other, at any place for them. */
const FORMATS: Array<{
	name: string;
	real: Json;
	zeros: Json;
	streams: Array<(usages: Json[]) => unknown[]>;
}> = [
	{
		name: 'chat completions',
		real: {
			...{ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
			prompt_tokens_details: { cached_tokens: 5 },
		},
		zeros: { prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } },
		streams: [
			(usages) => [chunk({ content: 'Hi' }, 'stop'), ...usages.map((usage) => ({ choices: [], usage }))],
			(usages) => usages.map((usage) => ({ ...chunk({ content: '' }, 'stop'), x_groq: { usage } })),
			(usages) =>
				usages.map((usage) => ({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] })),
		],
	},
	{
		name: 'messages',
		real: { input_tokens: 11, output_tokens: 7 },
		zeros: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
		streams: [
			(usages) => inMessage(...usages.map((usage) => ({ type: 'message_delta', delta: {}, usage }))),
			(usages) => inMessage(...usages.map((usage) => ({ type: 'message_delta', delta: { usage } }))),
			([first, ...usages]) => [
				{ type: 'message_start', message: { type: 'message', content: [], usage: first } },
				...usages.map((usage) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage })),
				{ type: 'message_stop' },
			],
		],
	},
	{
		name: 'generate content',
		real: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
		zeros: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
		streams: [
			(usages) => usages.map((usageMetadata) => ({ candidates: [{ finishReason: 'STOP' }], usageMetadata })),
			(usages) => [
				{ candidates: [{ finishReason: 'STOP' }] },
				...usages.map((usageMetadata) => ({ usageMetadata })),
			],
		],
	},
];

const inMessage = (...deltas: Json[]) => [
	{ type: 'message_start', message: { type: 'message', content: [] } },
	...deltas,
	{ type: 'message_stop' },
];

const orders = FORMATS.flatMap(({ name, real, zeros, streams }) =>
	streams.flatMap((stream, place) =>
		[
			{ order: 'alone', usages: [real] },
			{ order: 'after zeros', usages: [zeros, real] },
			{ order: 'before zeros', usages: [real, zeros] },
			{ order: 'before zeros and an empty object', usages: [real, zeros, {}] },
			{
				order: 'after another one',
				usages: [Object.fromEntries(Object.keys(real).map((key) => [key, 1])), real],
			},
		].map(({ order, usages }) => ({
			title: `${name}, place ${place + 1}: ${order}`,
			events: stream(usages),
			tokens: 'prompt_tokens_details' in real ? { ...TOKENS, cachedInputTokens: 5 } : TOKENS,
		})),
	),
);

it.each(orders)(
	'The last usage of a stream that says something counts: $title',
	async ({ events, tokens }) => {
		const { answer } = await readStream(events);
		expect(answer).toMatchObject(tokens);
	},
);

it.each(FORMATS)(
	'Zeros are no usage, also if they are all that $name reports',
	async ({ zeros, streams }) => {
		const none = { inputTokens: null, outputTokens: null, totalTokens: null };
		for (const stream of streams) {
			const { answer } = await readStream(stream([zeros, zeros]));
			expect(answer).toMatchObject(none);
			expect(sdkUsageOf(answer)).toBeUndefined();
		}
		const body = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] };
		const usage = { ...zeros, cost: 0.25 };
		expect(readChatAnswer({ ...body, usage }, 'm')).toMatchObject({ ...none, cost: 0.25 });
	},
);

it.each([
	[{ inputTokens: null, outputTokens: 5, totalTokens: null }, [0, 5, 5]],
	[{ inputTokens: 3, outputTokens: null, totalTokens: null }, [3, 0, 3]],
	[{ inputTokens: 3, outputTokens: 5, totalTokens: 9 }, [3, 5, 9]],
])('A usage of which a part is missing is told in numbers: %j', (counts, [prompt, completion, total]) => {
	expect(sdkUsageOf(counts)).toEqual({
		promptTokens: prompt,
		completionTokens: completion,
		totalTokens: total,
	});
});
