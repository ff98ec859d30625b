import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';

const choice = (message: object, finish = 'stop') => ({
	choices: [{ index: 0, message, finish_reason: finish }],
});
const message = (content: object[], stop = 'end_turn') => ({ type: 'message', content, stop_reason: stop });
const candidate = (parts: object[], finish = 'STOP') => ({
	candidates: [{ content: { parts }, finishReason: finish }],
});

describe('Chat answer', () => {
	it('returns the same fields for all three formats', () => {
		const answers = [
			{
				id: 'chatcmpl-1',
				model: 'm',
				...choice({ content: 'Hi' }),
				usage: { prompt_tokens: 1, completion_tokens: 2 },
			},
			{
				id: 'msg_1',
				model: 'm',
				...message([{ type: 'text', text: 'Hi' }]),
				usage: { input_tokens: 1, output_tokens: 2 },
			},
			{
				...candidate([{ text: 'Hi' }]),
				usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
			},
		].map((body) => readChatAnswer(body, 'm'));
		for (const answer of answers) {
			expect(answer).toEqual({
				text: 'Hi',
				model: 'm',
				finishReason: 'stop',
				inputTokens: 1,
				outputTokens: 2,
				totalTokens: 3,
				id: answer.id,
			});
		}
		expect(answers.map(({ id }) => id)).toEqual(['chatcmpl-1', 'msg_1', null]);
	});

	it('returns null, not zero, for token counts that are not reported', () => {
		expect(readChatAnswer(choice({ content: 'Hi' }), 'm')).toMatchObject({
			inputTokens: null,
			outputTokens: null,
			totalTokens: null,
		});
	});

	it.each([
		['length', choice({ content: 'Hi' }, 'length')],
		['length', message([{ type: 'text', text: 'Hi' }], 'max_tokens')],
		['length', candidate([{ text: 'Hi' }], 'MAX_TOKENS')],
		['length', choice({ content: '' }, 'length')],
		['content_filter', choice({ content: '' }, 'content_filter')],
		['content_filter', { candidates: [{ finishReason: 'SAFETY' }] }],
		['content_filter', { promptFeedback: { blockReason: 'SAFETY' } }],
		['refusal', choice({ content: null, refusal: 'I cannot help with that.' })],
		['refusal', message([], 'refusal')],
		['empty', choice({ content: '' })],
		['empty', { choices: [] }],
		['empty', message([])],
		['empty', { candidates: [] }],
		[
			'tool_calls',
			choice(
				{ content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] },
				'tool_calls',
			),
		],
		['tool_calls', message([{ type: 'tool_use', id: 'a', name: 'f', input: {} }], 'tool_use')],
		['tool_calls', candidate([{ functionCall: { name: 'f' } }])],
		['stop', message([{ type: 'text', text: 'Hi' }], 'stop_sequence')],
		['OTHER', candidate([{ text: 'Hi' }], 'OTHER')],
	])('returns the finish reason %s for %j', (finishReason, body) => {
		expect(readChatAnswer(body, 'm').finishReason).toBe(finishReason);
	});

	it('joins text blocks, and keeps reasoning and blocks of other types', () => {
		const body = message([
			{ type: 'thinking', thinking: 'Hmm.', signature: 's' },
			{ type: 'text', text: 'One. ' },
			{ type: 'web_search_result', url: 'https://example.com' },
			{ type: 'text', text: 'Two.' },
		]);
		expect(readChatAnswer(body, 'm')).toMatchObject({
			text: 'One. Two.',
			reasoning: 'Hmm.',
			otherContent: [{ type: 'web_search_result', url: 'https://example.com' }],
		});
	});

	it('keeps arguments of a tool call that were cut off as text', () => {
		const calls = [{ id: 'a', function: { name: 'f', arguments: '{"x": ' } }];
		expect(readChatAnswer(choice({ content: null, tool_calls: calls }, 'length'), 'm').toolCalls).toEqual([
			{ id: 'a', name: 'f', arguments: '{"x": ' },
		]);
	});

	it.each([{}, { foo: 1 }, { choices: 'x' }, { choices: [{}] }, { choices: null }, { content: [7] }, []])(
		'rejects %j',
		(body) => {
			expect(() => readChatAnswer(body as Record<string, unknown>, 'm')).toThrow('cannot be used');
		},
	);
});
