/** An answer in each of the three formats, with every field that is read. */
export const ANSWERS: unknown[] = [
	{
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 1_700_000_000,
		model: 'aurora-4',
		choices: [
			{
				index: 0,
				message: {
					role: 'assistant',
					content: [
						{ type: 'text', text: 'Blue' },
						{ type: 'image', url: 'https://a.invalid/x' },
					],
					reasoning_content: 'Hm',
					reasoning: 'Hm',
					refusal: null,
					tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }],
				},
				finish_reason: 'stop',
			},
			{ index: 1, message: { role: 'assistant', content: 'Red' }, finish_reason: 'length' },
		],
		usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
	},
	{
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: 'aurora-4',
		content: [
			{ type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
			{ type: 'text', text: 'Blue', citations: [{ cited_text: 'x' }] },
			{ type: 'tool_use', id: 't', name: 'look', input: { at: 'sky' } },
			{ type: 'server_tool_use', id: 's' },
		],
		stop_reason: 'end_turn',
		usage: { input_tokens: 1, output_tokens: 2 },
	},
	{
		responseId: 'r',
		modelVersion: 'aurora-4',
		candidates: [
			{
				index: 0,
				content: {
					role: 'model',
					parts: [
						{ text: 'Hm', thought: true },
						{ text: 'Blue' },
						{ functionCall: { id: 'f', name: 'look', args: { at: 'sky' } } },
						{ inlineData: { mimeType: 'image/png', data: 'AAAA' } },
					],
				},
				finishReason: 'STOP',
			},
			{ index: 1, content: { parts: [{ text: 'Red' }] }, finishReason: 'MAX_TOKENS' },
		],
		promptFeedback: { blockReason: '' },
		usageMetadata: {
			promptTokenCount: 1,
			candidatesTokenCount: 2,
			thoughtsTokenCount: 1,
			totalTokenCount: 4,
		},
	},
];
