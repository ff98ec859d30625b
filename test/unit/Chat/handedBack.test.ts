import { toolArguments } from '../../../nodes/Chat/formats/answer';
import type { ChatFormat } from '../../../nodes/Chat/formats/chatFormat';
import { chatCompletions } from '../../../nodes/Chat/formats/chatCompletions/format';
import { generateContent } from '../../../nodes/Chat/formats/generateContent/format';
import { messages } from '../../../nodes/Chat/formats/messages/format';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { contentOfResult } from '../../../nodes/Chat/sdkBlocks';
import { turnsOf } from '../../../nodes/Chat/tools/toolBox';
import { readStream } from './readStream';
import { sentIn } from './sentIn';

type Json = Record<string, unknown>;

/** What the next request contains of an answer with calls, and of their results. */
function handedBack(format: ChatFormat, body: Json): unknown[] {
	const answer = readChatAnswer(body, 'm');
	const calls = answer.toolCalls ?? [];
	const runs = calls.map((call) => ({ ...call, result: 'clear' }));
	const paid = { answer, body, model: 'm', paid: { forget: () => {}, noteUnusable: async () => {} } };
	const sent = sentIn(format, { turns: turnsOf(paid, calls, runs) });
	return (sent.contents ?? sent.messages) as unknown[];
}

const functionCall = { name: 'look', args: { at: 'sky' } };
const candidate = (...parts: object[]) => ({
	candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
});

describe('What is handed back in the generate-content format', () => {
	const response = { result: 'clear' };

	it('is each signed part in its order, without thoughts that are not signed and without files', () => {
		const parts = [
			{ text: 'Hm.', thought: true },
			{ text: 'Let me see.', thoughtSignature: 's1' },
			{ executableCode: { language: 'PYTHON', code: '1' } },
			{ codeExecutionResult: { outcome: 'OUTCOME_OK' } },
			{ inlineData: { mimeType: 'image/png', data: 'data' } },
			{ functionCall, thoughtSignature: 's2', unknown: 1 },
			{ text: '', thoughtSignature: 's3' },
			{ toolCall: { id: 'a' } },
			{ toolResponse: { id: 'a' } },
		];
		const [asked] = handedBack(generateContent, candidate(...parts));
		expect(asked).toEqual({
			role: 'model',
			parts: [
				parts[1],
				parts[2],
				parts[3],
				{ functionCall, thoughtSignature: 's2' },
				{ thoughtSignature: 's3' },
				...parts.slice(-2),
			],
		});
	});

	it.each([
		['the IDs of the model', ['a', 'b'], ['a', 'b']],
		['none if the model has given none', [undefined, undefined], [undefined, undefined]],
		['the same ID for two calls as the model has it', ['a', 'a'], ['a', 'a']],
	])('has %s in calls and in their results', (_what, given, ids) => {
		const calls = given.map((id) => ({ functionCall: { ...functionCall, ...(id ? { id } : {}) } }));
		const [asked, answered] = handedBack(generateContent, candidate(...calls)) as Array<{ parts: Json[] }>;
		const withId = (id: string | undefined, fields: object) => ({ ...(id ? { id } : {}), ...fields });
		expect(asked.parts).toEqual(ids.map((id) => ({ functionCall: withId(id, functionCall) })));
		expect(answered.parts).toEqual(
			ids.map((id) => ({ functionResponse: withId(id, { name: 'look', response }) })),
		);
	});
});

describe('What is handed back in the messages format', () => {
	const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'sky' } };
	const found = {
		type: 'web_search_tool_result',
		tool_use_id: 's1',
		content: [{ type: 'web_search_result', encrypted_content: 'x' }],
	};
	const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig' };
	const hidden = { type: 'redacted_thinking', data: 'x' };
	const withheld = { type: 'thinking', thinking: '', signature: 'sig' };
	const text = {
		type: 'text',
		text: 'It is clear.',
		citations: [{ type: 'web_search_result_location', encrypted_index: 'y' }],
	};
	const use = { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'sky' } };

	it('is each block in its order, what the gateway searched included, and only documented fields of thoughts', () => {
		const content = [
			{ ...thought, estimated_tokens: null, unknown: 1 },
			{ ...hidden, unknown: 1 },
			withheld,
			search,
			found,
			{ ...text, unknown: 1 },
			{ type: 'text', text: '\n' },
			use,
		];
		const [asked] = handedBack(messages, { type: 'message', content, stop_reason: 'tool_use' });
		expect(asked).toEqual({
			role: 'assistant',
			content: [thought, hidden, withheld, search, found, text, use],
		});
	});
});

it('What is handed back in the chat completion format are the thoughts under their names', () => {
	const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } };
	// Those of DeepSeek, OpenRouter, and LiteLLM, and those of Google and LiteLLM in a call.
	const thoughts = {
		reasoning_content: 'Hm.',
		reasoning: 'Hm.',
		reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
		thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }],
	};
	const ofCall = {
		extra_content: { google: { thought_signature: 'x' } },
		provider_specific_fields: { thought_signature: 'x' },
	};
	const message = {
		content: 'Let me see.',
		...thoughts,
		padding: 'x',
		tool_calls: [{ ...call, ...ofCall, index: 0 }],
	};
	const body = { choices: [{ message, finish_reason: 'tool_calls' }] };
	expect(handedBack(chatCompletions, body)[0]).toEqual({
		role: 'assistant',
		content: 'Let me see.',
		...thoughts,
		tool_calls: [{ ...call, ...ofCall }],
	});
});

it.each([
	['messages', { content: [{ type: 'tool_use', id: 'a', name: 'look', input: functionCall.args }] }],
	['generate-content', candidate({ functionCall: { ...functionCall, id: 'a' }, thoughtSignature: 's' })],
])('What is handed back of an answer in the %s format is a call of a chat completion', (_format, body) => {
	const [asked] = handedBack(chatCompletions, body);
	const called = { name: 'look', arguments: JSON.stringify(functionCall.args) };
	const calls = [{ id: 'a', type: 'function', function: called }];
	expect(asked).toEqual({ role: 'assistant', content: null, tool_calls: calls });
});

describe('Arguments in pieces (Vertex AI)', () => {
	const event = (call: object) => ({ candidates: [{ content: { parts: [{ functionCall: call }] } }] });
	const begin = event({ name: 'look', id: 'c1', willContinue: true });
	const pieces = (...partialArgs: object[]) => event({ partialArgs, willContinue: true });

	it('are assembled: texts that grow, other values, lists, and names in brackets', async () => {
		const { answer, body } = await readStream([
			begin,
			pieces({ jsonPath: '$.at', stringValue: 's', willContinue: true }),
			pieces({ jsonPath: '$.at', stringValue: 'ky' }, { jsonPath: '$.days', numberValue: 2 }),
			pieces(
				{ jsonPath: '$.where[0].city', stringValue: 'Oslo' },
				{ jsonPath: "$.where[1]['zip code']", nullValue: 'NULL_VALUE' },
			),
			pieces({ jsonPath: '$["exact"]', boolValue: false }),
			{
				candidates: [
					{ content: { parts: [{ functionCall: {}, thoughtSignature: 'sig' }] }, finishReason: 'STOP' },
				],
			},
		]);
		const args = { at: 'sky', days: 2, where: [{ city: 'Oslo' }, { 'zip code': null }], exact: false };
		expect(answer).toMatchObject({
			finishReason: 'tool_calls',
			toolCalls: [{ id: 'c1', name: 'look', arguments: args }],
		});
		const part = { functionCall: { name: 'look', id: 'c1', args }, thoughtSignature: 'sig' };
		expect(body).toMatchObject({ candidates: [{ content: { parts: [part] } }] });
	});

	it.each([
		['ends too early', [pieces({ jsonPath: '$.at', stringValue: 's', willContinue: true })]],
		['has a place that cannot be read', [pieces({ jsonPath: '$..at', stringValue: 's' }), event({})]],
		['would change the prototype', [pieces({ jsonPath: '$.__proto__.at', stringValue: 's' }), event({})]],
		[
			'has a place far beyond the end of a list',
			[pieces({ jsonPath: '$.list[99999999]', numberValue: 1 }), event({})],
		],
		['has a value of an unknown type', [pieces({ jsonPath: '$.at', bytesValue: 's' }), event({})]],
	])('are no object when a call %s, so that no tool runs with a part of them', async (_what, events) => {
		const { answer } = await readStream([begin, ...events, { candidates: [{ finishReason: 'STOP' }] }]);
		expect(typeof answer.toolCalls![0].arguments).toBe('string');
	});
});

it('Long integers in arguments keep all of their digits, as texts, also in a stream', async () => {
	const given = '{"id": 1234567890123456789, "n": 7}';
	const expected = { id: '1234567890123456789', n: 7 };
	for (const one of [given, JSON.stringify(given)]) expect(toolArguments(one)).toEqual(expected);
	const { answer } = await readStream([
		{ type: 'content_block_start', content_block: { type: 'tool_use', name: 'look', input: {} } },
		{ type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: given } },
		{ type: 'message_stop' },
	]);
	expect(answer.toolCalls![0].arguments).toEqual(expected);
});

it.each(['{}{"city":"Oslo"}', ' {} {"city":"Oslo"}', '{ }\n{"city":"Oslo"}'])(
	'Arguments %j are read whole',
	(given) => expect(toolArguments(given)).toEqual({ city: 'Oslo' }),
);

describe('The result of a tool', () => {
	it('has the words of a file that is text', () => {
		const block = { type: 'file', data: Buffer.from('Words').toString('base64'), mediaType: 'text/plain' };
		expect(contentOfResult([block], chatCompletions.input)).toEqual({ text: 'Words' });
	});

	const file = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251));
	const base64 = file.toString('base64');
	const wrapped = base64.replaceAll(/.{76}/g, '$&\n');

	it.each([
		['in a field', { image: base64, name: 'a.png' }],
		['in a data URI', { url: `data:image/png;base64,${base64}`, name: 'a.png' }],
		['URL-safe', { image: file.toString('base64url'), name: 'a.png' }],
		['in lines', { image: wrapped, name: 'a.png' }],
		['of 20 MB', { image: 'aB3/'.repeat(5_000_000), name: 'a.png' }],
		['deep inside', { files: [{ content: { bytes: base64 } }], name: 'a.png' }],
	])('does not put Base64 into the next request: %s', (_where, result) => {
		const forms = [JSON.stringify(result), result, [{ type: 'text', text: JSON.stringify(result) }]];
		for (const form of forms) {
			const { text } = contentOfResult(form, chatCompletions.input);
			expect(text.length).toBeLessThan(200);
			expect(text).toContain('kB of Base64 left out]');
			expect(text).toContain('a.png');
		}
	});

	it.each([60, 64, 72, 76].flatMap((width) => ['\n', '\r\n', '\n  '].map((end) => [width, end] as const)))(
		'does not put Base64 in lines of %d into the next request, which end with %j',
		(width, end) => {
			const lines = base64.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${end}`).trimEnd();
			const ends = ['', '\n', '\nThis is\nall', '\n-----END FILE-----'];
			for (const [given, after] of [lines, lines.replaceAll('/', '\\/')].flatMap((one) =>
				ends.map((after) => [one, after]),
			)) {
				const { text } = contentOfResult(`a.png:\n${given}${after}`, chatCompletions.input);
				expect(text).toMatch(/^a\.png:\n\[\d+ kB of Base64 left out\]/);
				expect(text.slice(text.indexOf(']') + 1)).toBe(after);
			}
		},
	);

	const ids = (length: number) =>
		Array.from({ length: 60 }, (_, index) => base64.slice(index * 97, index * 97 + length));
	it.each([
		['hashes in lines', Array.from({ length: 60 }, (_, at) => file.toString('hex', at, at + 32)).join('\n')],
		['short keys in lines', ids(44).join('\n')],
		['signatures in lines', ids(88).join('\n')],
		['a few keys in lines', ids(64).slice(0, 20).join('\n')],
		['keys in JSON', JSON.stringify(ids(64), null, 2)],
		['code', `const someLongName1 = anotherLongName2(${'x'.repeat(60)});\n`.repeat(90)],
		['prose', 'The quick brown fox jumps over the lazy dog, 12 times in a row today.\n'.repeat(90)],
		['a rule', '='.repeat(5000)],
		['a hash', 'aB3'.repeat(500)],
		['paths', '/Home/a1/b2/c3\n'.repeat(400)],
		['Chinese', '天空是蓝色的A1b'.repeat(900)],
	])('keeps any other long text: %s', (_what, text) => {
		expect(contentOfResult({ text }, chatCompletions.input)).toEqual({ text: JSON.stringify({ text }) });
		expect(contentOfResult(text, chatCompletions.input)).toEqual({ text });
	});
});
