import { resultOf, usageOf, withCallIds } from '../../../../nodes/Chat/model/result';
import type { ChatAnswer } from '../../../../nodes/Chat/formats/answer';

const answer = (fields: Partial<ChatAnswer>): ChatAnswer => ({
	text: '',
	model: 'aurora-4',
	finishReason: 'stop',
	inputTokens: 3,
	outputTokens: 4,
	totalTokens: 7,
	id: 'id',
	...fields,
});

describe('Answer for the SDK', () => {
	it('contains text, tool calls, usage, and the finish reason', () => {
		const toolCalls = [
			{ id: '', name: 'one', arguments: {} },
			{ id: 'x', name: 'two', arguments: { a: 1 } },
			{ id: 'x', name: 'three', arguments: {} },
			{ id: 'y', name: 'four', arguments: {} },
		];
		const result = resultOf(
			withCallIds(
				answer({ text: 'Well.', finishReason: 'tool_calls', toolCalls, reasoning: 'Hm.' }),
				(id) => id === 'y',
			),
		);
		const ownId = expect.stringMatching(/^call_[0-9a-f]{24}$/) as string;
		expect(result).toEqual({
			id: 'id',
			finishReason: 'tool-calls',
			usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
			message: {
				role: 'assistant',
				id: 'id',
				content: [
					{ type: 'text', text: 'Well.' },
					{ type: 'tool-call', toolCallId: ownId, toolName: 'one', input: '{}' },
					{ type: 'tool-call', toolCallId: 'x', toolName: 'two', input: '{"a":1}' },
					{ type: 'tool-call', toolCallId: ownId, toolName: 'three', input: '{}' },
					{ type: 'tool-call', toolCallId: ownId, toolName: 'four', input: '{}' },
				],
			},
			providerMetadata: { finish_reason: 'tool_calls', answeredBy: 'aurora-4', reasoning: 'Hm.' },
		});
	});

	it('contains the text of a refusal', () => {
		const { message, finishReason } = resultOf(answer({ finishReason: 'refusal', refusal: 'No.' }));
		expect(message.content).toEqual([{ type: 'text', text: 'No.' }]);
		expect(finishReason).toBe('content-filter');
	});

	it('may be empty', () => {
		expect(resultOf(answer({ finishReason: 'empty' })).message.content).toEqual([]);
	});

	it.each([
		[{ finishReason: 'content_filter' }, 'withheld', 'Rephrase the prompt'],
		[{ finishReason: 'length' }, 'reached Max Tokens', 'Increase Max Tokens'],
		[
			{ finishReason: 'length', toolCalls: [{ id: 'a', name: 'pay', arguments: '{"sum": 1' }] },
			'cut off while the model was calling the tool "pay"',
			'The tool was not run',
		],
		[
			{ finishReason: 'tool_calls', toolCalls: [{ id: 'a', name: 'pay', arguments: 'soon' }] },
			'the arguments of the tool call "pay" are not a JSON object',
			'request ID',
		],
	])('is a failure that keeps the answer for %j', (fields, message, description) => {
		expect(() => resultOf(answer(fields))).toThrow(
			expect.objectContaining({
				kind: 'answer',
				message: expect.stringContaining(message),
				description: expect.stringContaining(description),
				facts: expect.objectContaining({ partial: expect.objectContaining({ id: 'id' }) }),
			}) as Error,
		);
	});

	it('has no usage when the gateway reports none', () => {
		expect(usageOf({ inputTokens: null, outputTokens: null, totalTokens: null })).toBeUndefined();
		expect(usageOf({ inputTokens: 5, outputTokens: null, totalTokens: null })).toEqual({
			promptTokens: 5,
			completionTokens: 0,
			totalTokens: 5,
		});
	});
});
