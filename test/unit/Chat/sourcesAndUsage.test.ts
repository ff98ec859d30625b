import { GenerateContentAssembler } from '../../../nodes/Chat/formats/generateContent';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';

/** Sources and token counts as public APIs send them, in our own words. */

const read = (body: object) => readChatAnswer(body as Record<string, unknown>, 'm');

describe('The sources of an answer', () => {
	const a = { url: 'https://a.example/', title: 'A' };
	const b = { url: 'https://b.example/' };

	it.each<[string, object]>([
		['citations (xAI)', { choices: [{ message: { content: 'x' } }], citations: [a, b.url] }],
		[
			'search results (Perplexity)',
			{
				choices: [{ message: { content: 'x' } }],
				citations: [a.url, b.url],
				search_results: [{ ...a, date: null }, b],
			},
		],
		[
			'annotations (OpenAI, OpenRouter)',
			{
				choices: [
					{
						message: {
							content: 'x',
							annotations: [
								{ type: 'url_citation', url_citation: { ...a, start_index: 0 } },
								{ type: 'url_citation', ...b },
							],
						},
					},
				],
			},
		],
		[
			'citations of texts (Anthropic)',
			{
				type: 'message',
				content: [
					{ type: 'text', text: 'x', citations: [{ type: 'web_search_result_location', ...a }, b, a] },
				],
			},
		],
		[
			'grounding (Gemini)',
			{
				candidates: [
					{
						content: { parts: [{ text: 'x' }] },
						groundingMetadata: {
							groundingChunks: [{ web: { uri: a.url, title: 'A' } }, { web: { uri: b.url } }],
						},
					},
				],
			},
		],
		...[
			{ references: [a, b] },
			{ web_search: [{ link: a.url, title: 'A' }, { link: b.url }] },
			{ search_info: { search_results: [a, b] } },
		].map((fields): [string, object] => [
			`${Object.keys(fields)[0]} (Volcengine, Zhipu, Hunyuan)`,
			{ choices: [{ message: { content: 'x' } }], ...fields },
		]),
		...[
			{ context: { citations: [a, b] } },
			{ executed_tools: [{ type: 'search', search_results: { results: [a, b] } }] },
			{ provider_specific_fields: { citations: [[a], [b]] } },
		].map((fields): [string, object] => [
			`${Object.keys(fields)[0]} of the message (Azure, Groq, LiteLLM)`,
			{ choices: [{ message: { content: 'x', ...fields } }] },
		]),
		[
			'other chunks, and citations (Gemini)',
			{
				candidates: [
					{
						content: { parts: [{ text: 'x' }] },
						groundingMetadata: { groundingChunks: [{ maps: { uri: a.url, title: 'A' } }] },
						citationMetadata: { citationSources: [{ uri: b.url }] },
					},
				],
			},
		],
	])('are read from %s', (_what, body) => {
		expect(read(body).sources).toEqual([a, b]);
	});

	it('stay when a later event has other fields of the grounding (Gemini)', () => {
		const assembler = new GenerateContentAssembler();
		const groundings = [
			{ groundingChunks: [{ web: { uri: a.url, title: 'A' } }] },
			{ searchEntryPoint: { renderedContent: 'x' } },
		];
		for (const groundingMetadata of groundings) {
			assembler.add({ candidates: [{ content: { parts: [{ text: 'x' }] }, groundingMetadata }] });
		}
		expect(read(assembler.body()).sources).toEqual([a]);
	});
});

describe('The usage of an answer', () => {
	const chat = (fields: object) => ({ choices: [{ message: { content: 'x' } }], ...fields });
	const details = { completion_tokens_details: { reasoning_tokens: 30 } };
	const generated = (usageMetadata: object) => ({
		candidates: [{ content: { parts: [{ text: 'x' }] } }],
		usageMetadata,
	});

	it.each<[string, object, number | null, number | null]>([
		[
			'reasoning within the completion (OpenAI)',
			chat({ usage: { prompt_tokens: 10, completion_tokens: 40, total_tokens: 50, ...details } }),
			10,
			40,
		],
		[
			'reasoning beside the completion (xAI)',
			chat({ usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 45, ...details } }),
			10,
			35,
		],
		[
			'an envelope of the vendor (Groq)',
			chat({ x_groq: { usage: { prompt_tokens: 10, completion_tokens: 5 } } }),
			10,
			5,
		],
		[
			'the choice of the last chunk (Moonshot)',
			{ choices: [{ message: { content: 'x' }, usage: { prompt_tokens: 10, completion_tokens: 5 } }] },
			10,
			5,
		],
		['other names (DashScope)', chat({ usage: { input_tokens: 10, output_tokens: 5 } }), 10, 5],
		[
			'thoughts alone (Gemini)',
			generated({ promptTokenCount: 10, thoughtsTokenCount: 7, totalTokenCount: 17 }),
			10,
			7,
		],
		[
			'thoughts beside the candidates (Gemini)',
			generated({ promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: 7 }),
			10,
			10,
		],
		[
			'tool prompts (Gemini)',
			generated({ promptTokenCount: 10, toolUsePromptTokenCount: 4, candidatesTokenCount: 3 }),
			14,
			3,
		],
	])('counts %s', (_what, body, inputTokens, outputTokens) => {
		expect(read(body)).toMatchObject({ inputTokens, outputTokens });
	});
});
