import { requestTools } from '../../../nodes/Chat/model/request';
import { fileOfText } from '../../../nodes/shared/files/sentFiles';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { checkContent } from '../../../nodes/Chat/model/result';

/** Answers as public APIs send them, in our own words. */

const read = (body: object) => readChatAnswer(body as Record<string, unknown>, 'm');

describe('An answer without content', () => {
	it.each<[string, object, string, RegExp]>([
		[
			'a choice without a message (Azure)',
			{ choices: [{ index: 0, finish_reason: 'content_filter' }] },
			'content_filter',
			/withheld/,
		],
		[
			'a call that is malformed',
			{ choices: [{ message: { content: null }, finish_reason: 'malformed_function_call' }] },
			'malformed_function_call',
			/malformed_function_call/,
		],
		[
			'a candidate with a finish reason alone',
			{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] },
			'MALFORMED_FUNCTION_CALL',
			/MALFORMED_FUNCTION_CALL/,
		],
		[
			'a candidate with a block reason alone',
			{ candidates: [{ blockReason: 'SAFETY' }] },
			'content_filter',
			/withheld/,
		],
		[
			'a prompt that was blocked',
			{ promptFeedback: { blockReason: 'SAFETY' } },
			'content_filter',
			/withheld/,
		],
		[
			'a prompt that was blocked, with words',
			{ candidates: [], promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'Not today.' } },
			'content_filter',
			/withheld.*Not today/,
		],
		[
			'a malformed call, with words',
			{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(weather())' }] },
			'MALFORMED_FUNCTION_CALL',
			/MALFORMED_FUNCTION_CALL: print\(weather\(\)\)/,
		],
		[
			'a word of Zhipu for its filter',
			{ choices: [{ message: { content: '' }, finish_reason: 'sensitive' }] },
			'content_filter',
			/withheld/,
		],
	])('has its finish reason, and tells an agent in words: %s', (_what, body, finishReason, words) => {
		const answer = read(body);
		expect(answer).toMatchObject({ text: '', finishReason });
		expect(() => checkContent(answer)).toThrow(words);
	});

	it.each<[string, object]>([
		['a block reason', { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'Not today.' } }],
		['a finish message', { candidates: [{ finishReason: 'OTHER', finishMessage: 'Not today.' }] }],
		[
			'an explanation',
			{ type: 'message', content: [], stop_reason: 'refusal', stop_details: { explanation: 'Not today.' } },
		],
	])('shows the words of %s', (_what, body) => {
		expect(read(body)).toMatchObject({ text: '', refusal: 'Not today.' });
	});
});

it('An answer as a list of outputs has all of them (Responses API)', () => {
	const search = { type: 'web_search_call', id: 'ws' };
	const annotations = [{ type: 'url_citation', url: 'https://a.example/', title: 'A' }];
	const output = [
		{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm.' }] },
		search,
		{ type: 'message', content: [{ type: 'output_text', text: 'Once', annotations }] },
		{ type: 'message', content: [{ type: 'refusal', refusal: 'Not today.' }] },
		{ type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"city":"Paris"}' },
	];
	const usage = {
		...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
		...{ input_tokens_details: { cached_tokens: 2 }, output_tokens_details: { reasoning_tokens: 3 } },
	};
	const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
	expect(read({ output, usage, ...incomplete })).toMatchObject({
		...{ text: 'Once', reasoning: 'Hmm.', refusal: 'Not today.', finishReason: 'length' },
		...{ inputTokens: 10, outputTokens: 5, cachedInputTokens: 2, reasoningTokens: 3 },
		toolCalls: [{ id: 'a', name: 'weather', arguments: { city: 'Paris' } }],
		otherContent: [search],
		sources: [{ url: 'https://a.example/', title: 'A' }],
	});
});

describe('A request', () => {
	it('names two tools that the model could not tell apart', () => {
		const tool = (name: string) => ({ type: 'function' as const, name, description: '', inputSchema: {} });
		const toolsOf = (...names: string[]) => requestTools(names.map(tool), 'chat', () => ({ type: 'object' }));
		expect(toolsOf('a', 'b')).toHaveLength(2);
		expect(() => toolsOf('_', 'b', '_')).toThrow('Tools contain two with the name "_"');
	});

	it.each([
		['image/jpg', 'ffd8ffe000104a46494600', 'image/jpeg'],
		['image/png', 'ffd8ffe000104a46494600', 'image/jpeg'],
		['application/octet-stream', '89504e470d0a1a0a0000000d49484452', 'image/png'],
		['image/x-own', '00010203', 'image/x-own'],
	])('has the type of the bytes, not %s', (declared, hex, mimeType) => {
		const uri = `data:${declared};base64,${Buffer.from(hex, 'hex').toString('base64')}`;
		expect(fileOfText(uri, 'Image')).toMatchObject({ kind: 'base64', mimeType });
	});
});
