import { ChatCompletionAssembler } from '../../../nodes/Chat/formats/chatCompletion';
import { GenerateContentAssembler } from '../../../nodes/Chat/formats/generateContent';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { LooseFields } from '../../../nodes/shared/answer/looseFields';

const answer = (body: object) => readChatAnswer(body as Record<string, unknown>, 'm');
const message = { role: 'assistant', content: 'Once' };

describe('A chat answer in another shape', () => {
	it.each<[string, object]>([
		['an envelope', { success: true, errors: [], result: { choices: [{ message }] } }],
		['an output', { output: { choices: [{ message, finish_reason: 'stop' }] }, request_id: 'r' }],
		['a single message', { model: 'm', message, done: true, prompt_eval_count: 3 }],
		['a single choice', { choices: { message } }],
		['a text', { choices: [{ text: 'Once' }] }],
		[
			'a list of outputs',
			{
				output: [{ type: 'message', content: [{ type: 'output_text', text: 'Once' }] }],
				status: 'completed',
			},
		],
		['texts as content', { choices: [{ message: { content: ['On', 'ce'] } }] }],
		['a content as text', { type: 'message', content: 'Once' }],
		['a candidate with a text', { candidates: [{ content: 'Once', finishReason: 'STOP' }] }],
		['a candidate with one part', { candidates: [{ content: { parts: { text: 'Once' } } }] }],
		['a wrapped candidate', { response: { candidates: [{ content: { parts: [{ text: 'Once' }] } }] } }],
		[
			'choices in another order',
			{
				choices: [
					{ index: 1, message: { content: 'No' } },
					{ index: 0, message },
				],
			},
		],
	])('is read from %s', (_what, body) => expect(answer(body).text).toBe('Once'));

	it('is not taken from a message beside the content of a known format', () => {
		const candidates = [{ content: { parts: [{ text: 'Once' }] } }];
		expect(answer({ candidates, message: { content: [] } }).text).toBe('Once');
	});

	it('leaves out what cannot be read, and names it', () => {
		const loose = new LooseFields();
		const body = {
			id: ['x'],
			choices: [null, { message }, 7],
			usage: { prompt_tokens: '3', completion_tokens: 'many' },
		};
		expect(readChatAnswer(body, 'm', loose)).toMatchObject({
			text: 'Once',
			inputTokens: 3,
			outputTokens: null,
		});
		expect(loose.hint).toMatch(/left out: choices\.0, choices\.2, .*usage\.completion_tokens/);
	});

	it.each([{ candidates: null }, { choices: null }, { choices: [{ message: { content: 7 } }] }])(
		'is refused with the name of the field: %j',
		(body) => expect(() => answer(body)).toThrow(/the field "(candidates|choices)/),
	);
});

/** The tool calls of a stream with these deltas. */
function callsOf(...deltas: object[]) {
	const assembler = new ChatCompletionAssembler();
	for (const call of deltas) assembler.add({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
	return answer(assembler.body()).toolCalls?.map(({ name, arguments: args }) => [name, args]);
}

const call = (name: string, args: string, others: object) => ({
	...others,
	function: { name, arguments: args },
});

describe('Tool calls in a stream', () => {
	it('are told apart by their IDs when they share an index', () => {
		expect(
			callsOf(call('a', '{"x":1}', { index: 0, id: '1' }), call('b', '{}', { index: 0, id: '2' })),
		).toEqual([
			['a', { x: 1 }],
			['b', {}],
		]);
	});

	it('may come in turns', () => {
		const more = (id: string, args: string) => ({ index: 0, id, function: { arguments: args } });
		const begun = [call('a', '{"x":', { index: 0, id: '1' }), call('b', '{"y":', { index: 0, id: '2' })];
		expect(callsOf(...begun, more('1', '1}'), more('2', '2}'))).toEqual([
			['a', { x: 1 }],
			['b', { y: 2 }],
		]);
	});

	it('may have no index, or no IDs', () => {
		expect(callsOf(call('a', '{"x":', {}), { function: { arguments: '1}' } }, call('b', '{}', {}))).toEqual([
			['a', { x: 1 }],
			['b', {}],
		]);
		expect(callsOf(call('a', '{"x":1}', { index: 0 }), call('a', '{"x":2}', { index: 0 }))).toEqual([
			['a', { x: 1 }],
			['a', { x: 2 }],
		]);
	});

	it('may be repeated as a whole at the end', () => {
		const whole = call('a', '{"x":1}', { index: 0, id: '1' });
		expect(callsOf(whole, whole)).toEqual([['a', { x: 1 }]]);
	});

	it('keep all digits of IDs in their arguments', () => {
		expect(callsOf(call('a', '{"id":1234567890123456789}', { index: 0, id: '1' }))).toEqual([
			['a', { id: '1234567890123456789' }],
		]);
	});
});

describe('Texts in a stream', () => {
	it('are not doubled by a whole message at the end, or by messages that grow', () => {
		for (const parts of [
			[{ delta: { content: 'On' } }, { delta: { content: 'ce' } }, { message }],
			[{ message: { content: 'On' } }, { message }],
		]) {
			const assembler = new ChatCompletionAssembler();
			const text = parts.map((part) => assembler.add({ choices: [{ index: 0, ...part }] })).join('');
			expect([text, answer(assembler.body()).text]).toEqual(['Once', 'Once']);
		}
	});

	it('of several candidates are told apart by their place if they have no index', () => {
		const assembler = new GenerateContentAssembler();
		const candidates = (...texts: string[]) => ({
			candidates: texts.map((text) => ({ content: { parts: [{ text }] } })),
		});
		assembler.add(candidates('a', 'X'));
		assembler.add(candidates('b', 'Y'));
		expect(answer(assembler.body())).toMatchObject({ text: 'ab', alternatives: ['XY'] });
	});
});
