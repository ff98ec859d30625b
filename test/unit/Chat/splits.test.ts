import fc from 'fast-check';
import type { Assembler, Fields } from '../../../nodes/Chat/formats/assembler';
import { ChatCompletionAssembler } from '../../../nodes/Chat/formats/chatCompletion';
import { GenerateContentAssembler } from '../../../nodes/Chat/formats/generateContent';
import { MessagesAssembler } from '../../../nodes/Chat/formats/messages';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';

/** An answer in a stream is the answer as a whole, wherever the gateway cuts it. */

/** Cuts texts into pieces of the given lengths, again and again. */
class Cutter {
	private at = 0;
	constructor(private readonly lengths: number[]) {}

	pieces(text: string): string[] {
		const pieces: string[] = [];
		for (let from = 0; from < text.length || pieces.length === 0;) {
			const length = this.lengths[this.at++ % this.lengths.length];
			pieces.push(text.slice(from, from + length));
			from += length;
		}
		return pieces;
	}
}

const words = fc.string({ minLength: 1, maxLength: 12 });
const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
const args = fc.dictionary(fc.constantFrom('city', 'day', 'note'), fc.oneof(words, fc.integer()), {
	maxKeys: 3,
});
const calls = fc.array(fc.record({ name: fc.constantFrom('weather', 'clock'), args }), { maxLength: 3 });
/** As the model gives them: thoughts first, then texts. */
const said = fc.record({
	thoughts: fc.array(words, { maxLength: 2 }),
	texts: fc.array(words, { maxLength: 3 }),
	calls,
	lengths,
});

function assembled(assembler: Assembler, events: Fields[]): { live: string; answer: object } {
	const live = events.map((event) => assembler.add(event)).join('');
	return { live, answer: readChatAnswer(assembler.body(), 'm') };
}

function expectSame(whole: Fields, assembler: Assembler, events: Fields[]): void {
	const expected = readChatAnswer(whole, 'm');
	const { live, answer } = assembled(assembler, events);
	expect(answer).toEqual(expected);
	expect(live).toBe(expected.text);
}

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

describe('A stream is the answer as a whole', () => {
	it('in the chat format', () => {
		fc.assert(
			fc.property(said, fc.constantFrom('reasoning_content', 'reasoning', 'details', 'parts'), (one, how) => {
				const cutter = new Cutter(one.lengths);
				const thought = one.thoughts.join('');
				const text = one.texts.join('');
				const part = (type: 'text' | 'thinking', piece: string) =>
					type === 'text' ? { type, text: piece } : { type, thinking: [{ type: 'text', text: piece }] };
				const thoughtFields = (piece: string): Fields => {
					if (how === 'parts') return { content: [part('thinking', piece)] };
					return how === 'details'
						? { reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'v1', text: piece }] }
						: { [how]: piece };
				};
				const toolCalls = one.calls.map(({ name, args: given }, index) => ({
					id: `call_${index}`,
					index,
					type: 'function',
					function: { name, arguments: JSON.stringify(given) },
				}));
				const content =
					how === 'parts' && thought !== '' ? [part('thinking', thought), part('text', text)] : text;
				const message = {
					...(thought === '' ? {} : thoughtFields(thought)),
					content,
					...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
				};
				const whole = { id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
				const deltas = [
					...(thought === '' ? [] : cutter.pieces(thought).map(thoughtFields)),
					...cutter.pieces(text).map((piece): Fields => ({ content: piece })),
					...toolCalls.flatMap(({ function: { name, arguments: json }, ...call }) => [
						{ tool_calls: [{ ...call, function: { name, arguments: '' } }] },
						...cutter.pieces(json).map((piece) => ({
							tool_calls: [{ index: call.index, function: { arguments: piece } }],
						})),
					]),
				];
				const head = { id: 'c', model: 'm' };
				expectSame(whole, new ChatCompletionAssembler(), [
					...deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })),
					{ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
					{ ...head, choices: [], usage },
				]);
			}),
		);
	});

	it('in the messages format', () => {
		fc.assert(
			fc.property(said, (one) => {
				const cutter = new Cutter(one.lengths);
				const blocks: Fields[] = [
					...one.thoughts.map((thinking) => ({ type: 'thinking', thinking, signature: 'c2ln' })),
					...one.texts.map((text) => ({ type: 'text', text })),
					...one.calls.map(({ name, args: input }, index) => ({
						type: 'tool_use',
						id: `t${index}`,
						name,
						input,
					})),
				];
				const head = { id: 'm', type: 'message', role: 'assistant', model: 'm' };
				const whole = {
					...head,
					content: blocks,
					stop_reason: 'end_turn',
					usage: { input_tokens: 3, output_tokens: 4 },
				};
				const blockEvents = blocks.flatMap((block, index): Fields[] => {
					const { type, text, thinking, signature, input, ...others } = block;
					const started =
						type === 'text'
							? { text: '' }
							: type === 'thinking'
								? { thinking: '', signature: '' }
								: { input: {} };
					const deltas: Fields[] =
						type === 'text'
							? cutter.pieces(text as string).map((piece) => ({ type: 'text_delta', text: piece }))
							: type === 'thinking'
								? [
										...cutter
											.pieces(thinking as string)
											.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
										{ type: 'signature_delta', signature },
									]
								: cutter
										.pieces(JSON.stringify(input))
										.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
					return [
						{ type: 'content_block_start', index, content_block: { type, ...others, ...started } },
						...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
						{ type: 'content_block_stop', index },
					];
				});
				const assembler = new MessagesAssembler();
				expectSame(whole, assembler, [
					{
						type: 'message_start',
						message: { ...head, content: [], usage: { input_tokens: 3, output_tokens: 1 } },
					},
					...blockEvents,
					{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
					{ type: 'message_stop' },
				]);
				// What is handed back is as it was sent.
				expect(assembler.body().content).toEqual(blocks);
			}),
		);
	});

	it('in the generate-content format', () => {
		fc.assert(
			fc.property(said, (one) => {
				const cutter = new Cutter(one.lengths);
				const parts: Fields[] = [
					...one.thoughts.map((text) => ({ text, thought: true })),
					...one.texts.map((text) => ({ text })),
					...one.calls.map(({ name, args: given }) => ({
						functionCall: { name, args: given },
						thoughtSignature: 's',
					})),
				];
				const counts = { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 };
				const whole = {
					candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
					usageMetadata: counts,
				};
				const pieces = parts.flatMap((part) =>
					typeof part.text === 'string'
						? cutter.pieces(part.text).map((text) => ({ ...part, text }))
						: [part],
				);
				expectSame(whole, new GenerateContentAssembler(), [
					...pieces.map((part) => ({
						candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }],
						usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
					})),
					{
						candidates: [{ content: { role: 'model' }, finishReason: 'STOP', index: 0 }],
						usageMetadata: counts,
					},
				]);
			}),
		);
	});
});
