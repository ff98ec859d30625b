import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { readStream } from './readStream';
import { checkContent, usableCalls } from '../../../nodes/Chat/model/result';
import { OptionalFields } from '../../../nodes/shared/answer/optionalFields';

/** Whole answers as public APIs send them, in our own words. */

const read = (body: object) => readChatAnswer(body as Record<string, unknown>, 'm');
const chat = (said: object, finish: string | undefined = 'stop', fields: object = {}) => ({
	choices: [{ index: 0, message: { content: 'x', ...said }, finish_reason: finish }],
	...fields,
});
/** A finished answer with these fields beside it. */
const ended = (fields: object) => chat({}, 'stop', fields);
const message = (content: object[], stop = 'end_turn', fields: object = {}) => ({
	...{ type: 'message', content, stop_reason: stop },
	...fields,
});
const generated = (parts: object[], fields: object = {}) => ({
	candidates: [{ content: { parts }, finishReason: 'STOP' }],
	...fields,
});
const text = (words: string) => ({ type: 'text', text: words });
const thinking = (words: string) => ({ type: 'thinking', thinking: [text(words)] });

describe('A chat answer', () => {
	it('has its ID and its model in each format', () => {
		const ids = { id: 'c', model: 'n' };
		const [chosen, said] = [ended(ids), message([text('x')], 'end_turn', ids)];
		const made = generated([{ text: 'x' }], { responseId: 'c', modelVersion: 'n' });
		expect([chosen, said, made].map(read)).toMatchObject([ids, ids, ids]);
	});

	it.each<[string, object]>([
		['a text', { choices: [{ text: 'x' }] }],
		['texts as content', chat({ content: ['', 'x'] })],
		['the transcript of its audio', chat({ content: null, audio: { data: 'aGk=', transcript: 'x' } })],
		['an envelope (Cloudflare)', { success: true, errors: [], result: chat({}) }],
		['an output (DashScope)', { output: chat({}), request_id: 'r' }],
		['a wrapped candidate (Code Assist)', { response: generated([{ text: 'x' }]) }],
		['a single message (Ollama)', { message: { content: 'x' }, done: true, prompt_eval_count: 3 }],
		[
			'a list of outputs (Responses API)',
			{ output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }], status: 'completed' },
		],
		['an older answer (Claude 2 of Bedrock)', { completion: 'x', stop_reason: 'stop_sequence', stop: 'H:' }],
		['a list of texts (Replicate)', { status: 'succeeded', output: ['', 'x'] }],
	])('is read from %s', (_what, body) => expect(read(body).text).toBe('x'));

	it('has everything in a list of outputs (Responses API)', () => {
		const search = { type: 'web_search_call', id: 'ws' };
		const source = { url: 'https://a.example/', title: 'A' };
		const annotations = [{ type: 'url_citation', ...source }];
		const output = [
			{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm.' }] },
			search,
			{ type: 'message', content: [{ type: 'output_text', text: 'x', annotations }] },
			{ type: 'message', content: [{ type: 'refusal', refusal: 'Not today.' }] },
			{ type: 'function_call', id: 'fc', call_id: 'a', name: 'f', arguments: '{"x":1}' },
		];
		const usage = {
			...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
			...{ input_tokens_details: { cached_tokens: 2 }, output_tokens_details: { reasoning_tokens: 3 } },
		};
		const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
		expect(read({ output, usage, ...incomplete })).toMatchObject({
			...{ text: 'x', reasoning: 'Hmm.', refusal: 'Not today.', finishReason: 'length' },
			...{ inputTokens: 10, outputTokens: 5, cachedInputTokens: 2, reasoningTokens: 3 },
			toolCalls: [{ id: 'a', name: 'f', arguments: { x: 1 } }],
			otherContent: [search],
			sources: [source],
		});
	});

	it('has no other content if all fields of its audio are empty', () => {
		const audio = { id: '', data: '', expires_at: 0, transcript: '' };
		expect(read(chat({ content: 'x', audio }))).not.toHaveProperty('otherContent');
		// Some have an address instead of the data.
		const linked = { ...audio, url: 'https://gateway.example/a.mp3' };
		expect(read(chat({ content: 'x', audio: linked }))).toHaveProperty('otherContent');
	});

	it('joins its texts, and keeps reasoning and blocks of other types', () => {
		const search = { type: 'web_search_result', url: 'https://example.com' };
		const thought = { type: 'thinking', thinking: 'Hmm.', signature: 's' };
		expect(read(message([thought, text('One. '), search, text('Two.')]))).toMatchObject({
			...{ text: 'One. Two.', reasoning: 'Hmm.', otherContent: [search] },
		});
	});

	it('is that with the number 0, also if another one comes before it', async () => {
		const choices = [1, 0].map((index) => ({ ...chat({ content: `${index}` }).choices[0], index }));
		const expected = { text: '0', alternatives: ['1'] };
		expect(read({ choices })).toMatchObject(expected);
		expect((await readStream([{ choices }])).answer).toMatchObject(expected);
	});

	it('leaves out what cannot be read, and names it', () => {
		const optional = new OptionalFields();
		const usage = { prompt_tokens: '3', completion_tokens: 'many' };
		const body = { id: ['x'], choices: [null, { message: { content: 'x' } }, 7], usage };
		const read = { text: 'x', inputTokens: 3, outputTokens: null };
		expect(readChatAnswer(body, 'm', optional)).toMatchObject(read);
		expect(optional.hint).toMatch(/left out: choices\.0, choices\.2, .*usage\.completion_tokens/);
	});

	it.each<[object, string]>([
		...[{ candidates: null }, { choices: null }, { choices: 'x' }, { choices: [{}] }].map(
			(body): [object, string] => [body, 'the field "c'],
		),
		[chat({ content: 7 }), 'the field "choices'],
		[{ content: [7] }, 'the field "content'],
		...[{}, { result: 1 }, [], { status: 'succeeded', output: [1] }].map((body): [object, string] => [
			body,
			'none of the three chat formats',
		]),
	])('is refused in words: %j', (body, words) => expect(() => read(body)).toThrow(words));
});

const WORDS = {
	stop: ['stop', 'end_turn', 'stop_sequence', 'STOP', 'eos', 'eos_token', 'COMPLETE', 'STOP_SEQUENCE'],
	length: ['length', 'max_tokens', 'MAX_TOKENS', 'model_context_window_exceeded', 'model_length'],
	tool_calls: ['tool_calls', 'tool_use', 'function_call', 'TOOL_CALL'],
	content_filter: [
		...['content_filter', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'sensitive'],
		...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'MODEL_ARMOR'],
	],
};

describe('The finish reason', () => {
	const call = { id: 'a', function: { name: 'f', arguments: '{}' } };
	const malformed = 'MALFORMED_FUNCTION_CALL';
	const called = { finishReason: malformed, finishMessage: 'print(weather())' };
	const blocked = { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'Not today.' } };

	it.each<[string, object]>([
		...Object.entries(WORDS).flatMap(([reason, words]) =>
			words.map((word): [string, object] => [reason, chat({}, word)]),
		),
		['length', { message: { content: [text('x')] }, finish_reason: 'MAX_TOKENS' }],
		['refusal', chat({ content: null, refusal: 'I cannot help with that.' })],
		['refusal', message([], 'refusal')],
		['empty', chat({ content: '' })],
		['empty', { candidates: [] }],
		['length', { message: { content: 'x' }, done: true, done_reason: 'length' }],
		['stop', { status: 'succeeded', output: ['x'] }],
		['content_filter', { candidates: [{ finishReason: 4 }] }],
		['content_filter', { response: { promptFeedback: { blockReason: 'SAFETY' } } }],
		['tool_calls', chat({ content: null, tool_calls: [call] })],
		['tool_calls', chat({ function_call: { name: 'f' } }, 'function_call')],
		['tool_calls', generated([{ functionCall: { name: 'f' } }])],
		['OTHER', { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'OTHER' }] }],
		...[
			chat({}, null as unknown as string),
			message([text('x')], null as unknown as string),
			{ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: null }] },
		].map((body): [string, object] => ['unknown', body]),
	])('is %s for %j', (finishReason, body) => expect(read(body).finishReason).toBe(finishReason));

	it.each<[string, object, string, RegExp]>([
		['Azure', { choices: [{ index: 0, finish_reason: 'content_filter' }] }, 'content_filter', /withheld/],
		['Zhipu', chat({ content: '' }, 'sensitive'), 'content_filter', /withheld/],
		['OpenRouter', chat({ content: null }, 'malformed_call'), 'malformed_call', /malformed/],
		['Gemini', { candidates: [{ finishReason: 'SAFETY' }] }, 'content_filter', /withheld/],
		['Gemini', { promptFeedback: { blockReason: 'SAFETY' } }, 'content_filter', /withheld/],
		['Gemini, a candidate', { candidates: [{ blockReason: 'SAFETY' }] }, 'content_filter', /withheld/],
		['Gemini, with words', { candidates: [], ...blocked }, 'content_filter', /withheld.*Not today/],
		['Gemini, with words about the call', { candidates: [called] }, malformed, /CALL: print\(weather\(\)\)/],
	])('of an answer without content is told to an agent: %s', (_vendor, body, finishReason, words) => {
		const answer = read(body);
		expect(answer).toMatchObject({ text: '', finishReason });
		expect(() => checkContent(answer)).toThrow(words);
	});

	it.each<[string, object]>([
		['a block reason', blocked],
		['a finish message', { candidates: [{ finishReason: 'OTHER', finishMessage: 'Not today.' }] }],
		['an explanation', message([], 'refusal', { stop_details: { explanation: 'Not today.' } })],
	])('comes with the words of %s', (_what, body) => {
		expect(read(body)).toMatchObject({ text: '', refusal: 'Not today.' });
	});
});

describe('Reasoning', () => {
	const details = (...list: object[]) => ({ reasoning_details: list });
	const detail = (words: string) => ({ type: 'reasoning.text', text: words });
	const summary = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm.' }] };

	it.each<[string, object, string]>([
		['details with texts', details(detail('One. '), detail('Two.')), 'One. Two.'],
		['a summary', details({ type: 'reasoning.summary', summary: 'In short.' }), 'In short.'],
		['nothing but encrypted details', details({ type: 'reasoning.encrypted', data: 'aGk=' }), ''],
		['a text beside the details', { reasoning: 'All.', ...details({ text: 'All.' }) }, 'All.'],
		[
			'parts',
			{ content: [thinking('Hm'), text(''), { type: 'reasoning', text: ' m.' }, text('x')] },
			'Hm m.',
		],
		['a field of a part', { content: [{ type: 'reasoning', reasoning: 'Hmm.' }, text('x')] }, 'Hmm.'],
		['a content in a part', { content: [{ type: 'reasoning', content: [text('Hmm.')] }, text('x')] }, 'Hmm.'],
		['a summary in a part (Databricks)', { content: [summary, text('x')] }, 'Hmm.'],
		['a part that is marked', { content: [{ text: 'Hmm.', thought: true }, text('x')] }, 'Hmm.'],
	])('is read from %s, and is no part of the text', (_what, said, reasoning) => {
		const answer = read(chat(said));
		expect([answer.text, answer.reasoning ?? '', answer.otherContent]).toEqual(['x', reasoning, undefined]);
	});
});

describe('A tool call', () => {
	const callWith = (args: unknown) => ({
		tool_calls: [{ id: 'a', function: { name: 'f', arguments: args } }],
	});
	const called = (args: unknown) => read(chat({ content: null, ...callWith(args) }));

	// Other forms of a call are in those of a streamed answer, which is read as a whole in the end.
	it.each([null, 'null', '', '{}'])('has no arguments for %j', (args) => {
		expect(usableCalls(called(args))).toEqual([{ id: 'a', name: 'f', arguments: {} }]);
	});

	it('is read from a choice of its own (GitHub Copilot)', () => {
		const choices = [{ content: 'x' }, callWith('{"x":1}')].map((said) => ({
			message: said,
			finish_reason: 'tool_calls',
		}));
		const answer = read({ choices });
		expect([answer.text, answer.alternatives]).toEqual(['x', undefined]);
		expect(usableCalls(answer)).toEqual([{ id: 'a', name: 'f', arguments: { x: 1 } }]);
	});

	it('of a custom tool has a text (OpenAI)', () => {
		const calls = [{ id: 'a', type: 'custom', custom: { name: 'run', input: 'ls -l' } }];
		const expected = [{ id: 'a', name: 'run', arguments: 'ls -l' }];
		expect(read(chat({ tool_calls: calls })).toolCalls).toEqual(expected);
	});
});

describe('The sources of an answer', () => {
	const a = { url: 'https://a.example/', title: 'A' };
	const b = { url: 'https://b.example/' };
	const [web, maps] = [{ web: { uri: a.url, title: 'A' } }, { maps: { uri: a.url, title: 'A' } }];
	const retrieved = { retrievedContext: { uri: b.url } };
	const citationMetadata = { citationSources: [{ uri: b.url }] };
	const grounded = (fields: object) => ({ candidates: [{ content: { parts: [{ text: 'x' }] }, ...fields }] });

	it.each<[string, object]>([
		['xAI', ended({ citations: [a, b.url] })],
		['Perplexity', ended({ citations: [a.url, b.url], search_results: [{ ...a, date: null }, b] })],
		['OpenAI', chat({ annotations: [a, b].map((one) => ({ type: 'url_citation', url_citation: one })) })],
		['OpenRouter', chat({ annotations: [a, b].map((one) => ({ type: 'url_citation', ...one })) })],
		['Anthropic', message([{ ...text('x'), citations: [{ type: 'web_search_result', ...a }, b, a] }])],
		['Volcengine, with a title later', ended({ references: [{ url: a.url }, b, a] })],
		['Zhipu', ended({ web_search: [{ link: a.url, title: 'A' }, { link: b.url }] })],
		['Hunyuan', ended({ search_info: { search_results: [a, b] } })],
		['Azure', chat({ context: { citations: [a, b] } })],
		['Groq', chat({ executed_tools: [{ type: 'search', search_results: { results: [a, b] } }] })],
		['LiteLLM', chat({ provider_specific_fields: { citations: [[a], [b]] } })],
		['Gemini', grounded({ groundingMetadata: { groundingChunks: [web, retrieved] } })],
		['Gemini, with maps', grounded({ groundingMetadata: { groundingChunks: [maps] }, citationMetadata })],
	])('are read from an answer of %s', (_vendor, body) => expect(read(body).sources).toEqual([a, b]));
});

describe('The usage of an answer', () => {
	const used = (usage: object) => ended({ usage });
	const ofMessage = (usage: object) => message([text('x')], 'end_turn', { usage });
	const ofContent = (usageMetadata: object) => generated([{ text: 'x' }], { usageMetadata });
	/** Input, output, and total tokens. */
	const counts = (input: number, output: number, total = input + output) => ({
		...{ inputTokens: input, outputTokens: output, totalTokens: total },
	});
	const details = { completion_tokens_details: { reasoning_tokens: 30 } };
	const few = { prompt_tokens: 3, completion_tokens: 2 };
	const [choice] = chat({}).choices;
	const prompt = { promptTokenCount: 10 };

	it.each(
		Object.entries({
			cachedInputTokens: [
				...['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'cached_tokens'],
				...['prompt_cache_hit_tokens', 'cache_read_input_tokens', 'cachedContentTokenCount'],
			],
			cacheWriteTokens: [
				...['prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens'],
				'cache_creation_input_tokens',
			],
			reasoningTokens: [
				...['completion_tokens_details.reasoning_tokens', 'output_tokens_details.thinking_tokens'],
				...['output_tokens_details.reasoning_tokens', 'thoughtsTokenCount', 'reasoning_tokens'],
			],
		}).flatMap(([count, paths]) => paths.map((path) => [count, path])),
	)('has %s in the field %s', (count, path) => {
		const [name, inner] = path.split('.');
		const own = { [name]: inner === undefined ? 2 : { [inner]: 2 } };
		expect(readChatAnswer(used({ ...few, ...own }), 'm')).toMatchObject({ [count]: 2 });
	});

	it.each<[string, object, object]>([
		[
			'a chat completion',
			used({
				...{ prompt_tokens: 100, completion_tokens: 40, total_tokens: 140, cost: 0.0021 },
				prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 10 },
				completion_tokens_details: { reasoning_tokens: 30 },
			}),
			{
				...{ ...counts(100, 40), cachedInputTokens: 80, cacheWriteTokens: 10 },
				...{ reasoningTokens: 30, cost: 0.0021 },
			},
		],
		[
			'a message object, whose input tokens are without those of the cache',
			ofMessage({
				...{ input_tokens: 10, cache_read_input_tokens: 80, cache_creation_input_tokens: 15 },
				...{ output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } },
			}),
			{ ...counts(105, 40), cachedInputTokens: 80, cacheWriteTokens: 15, reasoningTokens: 30 },
		],
		[
			'a generate-content response',
			ofContent({
				...{ promptTokenCount: 100, cachedContentTokenCount: 80, candidatesTokenCount: 10 },
				...{ thoughtsTokenCount: 30, totalTokenCount: 140 },
			}),
			{ ...counts(100, 40), cachedInputTokens: 80, reasoningTokens: 30 },
		],
		// Not zero.
		['nothing', ended({}), { inputTokens: null, outputTokens: null, totalTokens: null }],
		[
			'reasoning beside the completion (xAI)',
			used({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 45, ...details }),
			{ ...counts(10, 35), reasoningTokens: 30 },
		],
		['an envelope of the vendor (Groq)', ended({ x_groq: { usage: few } }), counts(3, 2)],
		['the last choice (Moonshot)', { choices: [{ ...choice, usage: few }] }, counts(3, 2)],
		['another place than an empty one', { choices: [{ ...choice, usage: few }], usage: null }, counts(3, 2)],
		['other names (DashScope)', used({ input_tokens: 3, output_tokens: 2 }), counts(3, 2)],
		['beside an output (DashScope)', { output: chat({}), usage: few }, counts(3, 2)],
		[
			'a single message (Ollama)',
			{ message: { content: 'x' }, done: true, prompt_eval_count: 3, eval_count: 2 },
			counts(3, 2),
		],
		[
			'thoughts alone (Gemini)',
			ofContent({ ...prompt, thoughtsTokenCount: 7, totalTokenCount: 17 }),
			{ ...counts(10, 7), reasoningTokens: 7 },
		],
		[
			'tool prompts (Gemini)',
			ofContent({ ...prompt, toolUsePromptTokenCount: 4, candidatesTokenCount: 3 }),
			counts(14, 3),
		],
		...(
			[
				[{ cost: '0.5' }, { cost: 0.5 }],
				[{ cost: { input_tokens_cost: 0.1, total_cost: 0.3 } }, { cost: 0.3 }],
				// Charm Hyper.
				[{ cost: { hypercredits: 4, usd: 0.2 } }, { cost: 0.2 }],
				[{ prompt_tokens_details: null, completion_tokens_details: null }, {}],
			] as const
		).map(([usage, expected]): [string, object, object] => [
			JSON.stringify(usage),
			used({ ...few, ...usage }),
			{ ...counts(3, 2), ...expected },
		]),
	])('has the counts of %s, and nothing else', (_what, body, expected) => {
		const known = { text: 'x', model: 'm', finishReason: 'stop', id: null };
		expect(read(body)).toEqual({ ...known, ...expected });
	});
});
