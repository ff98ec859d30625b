import { operations, OPERATIONS, useChat, type Operation } from '../engine/useChat';

const chat = useChat(4.4e7);

/** One answer in each format, with all that comparable services report about its usage. */
const ANSWERS: Record<Operation, { start: object; end: object; usage: object; details: object }> = {
	chatCompletion: {
		start: { id: 'a', model: 'm', choices: [{ index: 0, delta: { content: 'Hi' } }] },
		end: { id: 'a', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
		usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
		details: {
			prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 5, audio_tokens: 7 },
			completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 3 },
			cost: 0.0125,
		},
	},
	message: {
		start: {
			type: 'message_start',
			message: {
				type: 'message',
				id: 'a',
				model: 'm',
				role: 'assistant',
				content: [{ type: 'text', text: 'Hi' }],
			},
		},
		end: { type: 'message_stop' },
		usage: { input_tokens: 15, output_tokens: 50 },
		details: {
			cache_read_input_tokens: 80,
			cache_creation_input_tokens: 5,
			output_tokens_details: { thinking_tokens: 30 },
			cost: 0.0125,
		},
	},
	generateContent: {
		start: {
			modelVersion: 'm',
			responseId: 'a',
			candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }],
		},
		end: { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
		usage: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 150 },
		details: {
			cachedContentTokenCount: 80,
			thoughtsTokenCount: 30,
			promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 7 }],
			candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 3 }],
			cost: 0.0125,
		},
	},
};

/** The events of an answer. */
function eventsOf(operation: Operation, usage: object): string {
	const { start, end } = ANSWERS[operation];
	const withUsage: Record<Operation, object[]> = {
		chatCompletion: [start, end, { id: 'a', model: 'm', choices: [], usage }],
		message: [start, { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, end],
		generateContent: [start, { ...end, usageMetadata: usage }],
	};
	return withUsage[operation].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const all = { inputTokens: 100, outputTokens: 50, cost: 0.0125 };

describe('Usage of Unified AI Chat', () => {
	it.each(operations)('is told whole by a stream of %s, and what is unknown is absent', async (operation) => {
		const { usage, details } = ANSWERS[operation];
		const tokensOf = async (reported: object) => {
			const body = eventsOf(operation, reported);
			chat.emulator.behaviour.set(OPERATIONS[operation], {
				faults: [{ kind: 'status', status: 200, contentType: 'text/event-stream', body }],
			});
			const { items } = await chat.run(operation, { options: { stream: true } });
			expect(items[0].json.text).toBe('Hi');
			return Object.fromEntries(Object.entries(items[0].json).filter(([name]) => /tokens|cost/i.test(name)));
		};
		expect(await tokensOf({ ...usage, ...details })).toEqual(all);
		expect(Object.keys(await tokensOf(usage))).toEqual(['inputTokens', 'outputTokens']);
	});
});
