import fc from 'fast-check';
import { ChatCompletionAssembler } from '../../../nodes/Chat/formats/chatCompletion';
import { GenerateContentAssembler } from '../../../nodes/Chat/formats/generateContent';
import { MessagesAssembler } from '../../../nodes/Chat/formats/messages';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { usableCalls } from '../../../nodes/Chat/model/result';

/** Answers as public APIs send them, in our own words. */

const read = (body: object) => readChatAnswer(body as Record<string, unknown>, 'm');

function streamed(...deltas: object[]) {
	const assembler = new ChatCompletionAssembler();
	const live = deltas.map((delta) => assembler.add({ choices: [{ index: 0, delta }] })).join('');
	assembler.add({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
	return { live, body: assembler.body(), answer: read(assembler.body()) };
}

const messageOf = ({ body }: { body: object }) =>
	(body as { choices: [{ message: object }] }).choices[0].message;
const text = (words: string) => ({ type: 'text', text: words });
const thinking = (words: string) => ({ type: 'thinking', thinking: [text(words)] });

describe('Pieces of an answer', () => {
	it.each<[string, object[]]>([
		[
			'lists, then texts',
			[
				{ content: [thinking('Hm')] },
				{ content: [thinking('m.'), text('A')] },
				{ content: 'N' },
				{ content: 'S' },
			],
		],
		[
			'texts, then lists',
			[{ content: 'A' }, { content: [text('N')] }, { content: [thinking('Hmm.'), text('S')] }],
		],
		[
			'lists, then an empty text',
			[{ content: [thinking('Hmm.'), text('AN')] }, { content: [text('S')] }, { content: '' }],
		],
	])('of different types follow each other: %s (Mistral)', (_what, deltas) => {
		const { live, answer } = streamed(...deltas);
		expect([live, answer.text, answer.reasoning]).toEqual(['ANS', 'ANS', 'Hmm.']);
	});

	it('give the same answer wherever the gateway cuts it', () => {
		const piece = fc.record({
			isThought: fc.boolean(),
			words: fc.string({ minLength: 1, maxLength: 6 }),
			isList: fc.boolean(),
		});
		fc.assert(
			fc.property(
				fc.array(piece, { minLength: 1, maxLength: 12 }),
				fc.array(fc.nat(3), { maxLength: 12 }),
				(pieces, cuts) => {
					const deltas = pieces.map(({ isThought, words, isList }) =>
						isThought ? { content: [thinking(words)] } : { content: isList ? [text(words)] : words },
					);
					const cut = pieces.flatMap(({ isThought, words, isList }, index) => {
						const at = cuts[index] ?? 0;
						const parts = [words.slice(0, at), words.slice(at)].filter((part) => part !== '');
						return parts.map((part) =>
							isThought ? { content: [thinking(part)] } : { content: isList ? part : [text(part)] },
						);
					});
					const [one, other] = [streamed(...deltas), streamed(...cut)];
					const expected = pieces
						.filter(({ isThought }) => !isThought)
						.map(({ words }) => words)
						.join('');
					expect([one.live, one.answer.text]).toEqual([expected, expected]);
					expect([other.live, other.answer.text, other.answer.reasoning]).toEqual([
						expected,
						expected,
						one.answer.reasoning,
					]);
				},
			),
		);
	});

	/** A text in up to three pieces. */
	const inPieces = (words: string, first: number, second: number) =>
		[words.slice(0, first), words.slice(first, first + second), words.slice(first + second)].filter(
			(piece) => piece !== '',
		);
	const said = fc.record({
		kind: fc.constantFrom('text', 'thought', 'call'),
		words: fc.string({ minLength: 1, maxLength: 6 }),
		cuts: fc.tuple(fc.nat(9), fc.nat(9)),
	});
	type Said = { kind: string; words: string; cuts: [number, number] };
	/** The words, or the arguments of a call, in pieces. */
	const piecesOf = ({ kind, words, cuts }: Said, isCut: boolean) => {
		const whole = kind === 'call' ? JSON.stringify({ q: words }) : words;
		return isCut ? inPieces(whole, ...cuts) : [whole];
	};

	it.each<[string, (all: Said[], isCut: boolean) => [string, object]]>([
		[
			'chat completions',
			(all, isCut) => {
				const { live, body } = streamed(
					...all.flatMap((one, index) =>
						piecesOf(one, isCut).map((piece, at) => {
							if (one.kind === 'text') return { content: piece };
							if (one.kind === 'thought') return { reasoning_content: piece };
							const head = at === 0 ? { id: `c${index}`, type: 'function' } : {};
							const name = at === 0 ? { name: 'find' } : {};
							return { tool_calls: [{ index, ...head, function: { ...name, arguments: piece } }] };
						}),
					),
				);
				return [live, body];
			},
		],
		[
			'messages',
			(all, isCut) => {
				const assembler = new MessagesAssembler();
				const events = all.flatMap((one, index) => {
					const [block, type, field] = {
						text: [{ type: 'text', text: '' }, 'text_delta', 'text'] as const,
						thought: [{ type: 'thinking', thinking: '' }, 'thinking_delta', 'thinking'] as const,
						call: [
							{ type: 'tool_use', id: `c${index}`, name: 'find', input: {} },
							'input_json_delta',
							'partial_json',
						] as const,
					}[one.kind as 'text' | 'thought' | 'call'];
					return [
						{ type: 'content_block_start', index, content_block: block },
						...piecesOf(one, isCut).map((piece) => ({
							type: 'content_block_delta',
							index,
							delta: { type, [field]: piece },
						})),
					];
				});
				const live = events.map((event) => assembler.add(event)).join('');
				assembler.add({ type: 'message_delta', delta: { stop_reason: 'end_turn' } });
				return [live, assembler.body()];
			},
		],
		[
			'generate content',
			(all, isCut) => {
				const assembler = new GenerateContentAssembler();
				// Calls are never in pieces in this format.
				const parts = all.flatMap((one): object[] => {
					if (one.kind === 'call') return [{ functionCall: { name: 'find', args: { q: one.words } } }];
					const thought = one.kind === 'thought' ? { thought: true } : {};
					return piecesOf(one, isCut).map((piece) => ({ text: piece, ...thought }));
				});
				const live = parts
					.map((part) => assembler.add({ candidates: [{ content: { parts: [part] } }] }))
					.join('');
				assembler.add({ candidates: [{ finishReason: 'STOP' }] });
				return [live, assembler.body()];
			},
		],
	])('of texts, thoughts, and calls give the same answer, whole or cut: %s', (_format, send) => {
		fc.assert(
			fc.property(fc.array(said, { minLength: 1, maxLength: 8 }), (all) => {
				const [live, whole] = send(all, false);
				const [liveCut, cut] = send(all, true);
				expect(cut).toEqual(whole);
				const wordsOf = (kind: string) => all.filter((one) => one.kind === kind).map(({ words }) => words);
				const { text: words, reasoning, toolCalls } = read(cut);
				const text = wordsOf('text').join('');
				expect([live, liveCut, words, reasoning ?? '']).toEqual([
					text,
					text,
					text,
					wordsOf('thought').join(''),
				]);
				expect((toolCalls ?? []).map(({ arguments: args }) => args)).toEqual(
					wordsOf('call').map((q) => ({ q })),
				);
			}),
		);
	});

	it('whose fields are no texts in pieces keep their last value, whatever their names are', () => {
		const growing =
			/^(content|text|arguments|partial_json|refusal|transcript|data|reasoning|reasoning_content|thinking|signature|summary|__proto__|role|name|id|type|message)$/;
		const name = fc.string({ minLength: 1, maxLength: 8 }).filter((one) => !growing.test(one));
		const scalar = fc.oneof(fc.string({ minLength: 1, maxLength: 5 }), fc.integer(), fc.boolean());
		fc.assert(
			fc.property(name, fc.array(scalar, { minLength: 1, maxLength: 4 }), (field, values) => {
				const { body } = streamed(...values.map((value) => ({ content: 'a', extra: { [field]: value } })));
				const last = values.at(-1);
				expect(messageOf({ body })).toMatchObject({ content: 'a'.repeat(values.length) });
				expect((messageOf({ body }) as { extra: Record<string, unknown> }).extra[field]).toBe(last);
			}),
		);
	});

	it('that repeat in each chunk are not glued together (OpenRouter, Azure)', () => {
		const detail = { type: 'reasoning.text', format: 'vendor-v1', index: 0 };
		const assembler = new ChatCompletionAssembler();
		for (const words of ['Let me ', 'think.']) {
			assembler.add({
				choices: [
					{
						index: 0,
						native_finish_reason: 'completed',
						content_filter_results: { hate: { filtered: false, severity: 'safe' } },
						delta: { channel: 'final', reasoning_details: [{ ...detail, text: words }] },
					},
				],
			});
		}
		const [choice] = assembler.body().choices as Array<Record<string, object>>;
		expect(choice).toMatchObject({
			native_finish_reason: 'completed',
			content_filter_results: { hate: { severity: 'safe' } },
			message: { channel: 'final', reasoning_details: [{ ...detail, text: 'Let me think.' }] },
		});
	});

	it('of thoughts with the same number are kept apart by their type and ID, as they have to be sent back', () => {
		const details = [
			{ type: 'reasoning.text', text: 'Hm', index: 0 },
			{ type: 'reasoning.encrypted', data: 'aa', id: 'one', index: 0 },
			{ type: 'reasoning.encrypted', data: 'bb', id: 'two', index: 0 },
		];
		const result = streamed(...details.map((detail) => ({ reasoning_details: [detail] })));
		expect(messageOf(result)).toMatchObject({ reasoning_details: details });
		expect(result.answer.reasoning).toBe('Hm');
	});

	it.each<[string, object[]]>([
		[
			'with the text beside each delta (Together)',
			[
				{ text: 'On', delta: { content: 'On', tool_calls: null } },
				{ text: 'ce', delta: { content: 'ce' } },
			],
		],
		['with an empty delta', [{ text: 'Once', delta: {} }]],
		['with a delta that has no content', [{ text: 'Once', delta: { role: 'assistant' } }]],
		['whole and with a delta (Perplexity)', [{ delta: { content: 'Once' }, message: { content: 'Once' } }]],
		[
			'again as a whole at the end (MiniMax)',
			[{ delta: { content: 'Once' } }, { message: { content: 'Once' } }],
		],
	])('count once: %s', (_what, choices) => {
		const assembler = new ChatCompletionAssembler();
		const live = choices.map((choice) => assembler.add({ choices: [{ index: 0, ...choice }] })).join('');
		assembler.add({ choices: [{ index: 0, text: '', delta: {}, finish_reason: 'eos' }] });
		expect([live, read(assembler.body())]).toMatchObject(['Once', { text: 'Once', finishReason: 'stop' }]);
	});

	it('of a block of thoughts make one block again, and a signature ends it (LiteLLM)', () => {
		const one = (words: string) => ({ type: 'thinking', thinking: words });
		const signed = { ...one(''), signature: 's1' };
		const result = streamed(
			...[one('He'), one('llo'), signed, one('Well'), { ...signed, signature: 's2' }].map((block) => ({
				reasoning_content: block.thinking,
				thinking_blocks: [block],
			})),
			{ content: 'Hi' },
		);
		expect(messageOf(result)).toMatchObject({
			thinking_blocks: [
				{ ...one('Hello'), signature: 's1' },
				{ ...one('Well'), signature: 's2' },
			],
		});
	});

	it('are no whole answer yet when the finish reason is the word "null" (DashScope)', () => {
		const assembler = new ChatCompletionAssembler();
		const ends = ['null', 'null', 'stop'].map((reason) => {
			assembler.add({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: reason }] });
			return assembler.isComplete;
		});
		expect(ends).toEqual([false, false, true]);
	});

	it('in one event count once', () => {
		const { live, answer } = streamed({ content: [text('A'), text('N')] }, { content: [text('S')] });
		expect([live, answer.text]).toEqual(['ANS', 'ANS']);
		const assembler = new GenerateContentAssembler();
		const parts = [{ text: 'A' }, { text: 'N' }];
		expect(assembler.add({ candidates: [{ content: { parts } }] })).toBe('AN');
		expect(read(assembler.body()).text).toBe('AN');
	});

	it('leave no field without a value, even when they have no text at all', () => {
		expect(messageOf(streamed({ role: 'assistant' }))).toStrictEqual({ role: 'assistant', content: null });
	});

	it('of an older API have only a text', () => {
		const assembler = new ChatCompletionAssembler();
		const live = ['On', 'ce']
			.map((words) => assembler.add({ choices: [{ index: 0, text: words }] }))
			.join('');
		assembler.add({ choices: [{ index: 0, text: '', finish_reason: 'length' }] });
		expect([live, read(assembler.body())]).toMatchObject(['Once', { text: 'Once', finishReason: 'length' }]);
		expect(assembler.body().choices).toEqual([{ index: 0, text: 'Once', finish_reason: 'length' }]);
	});
});

describe('Reasoning', () => {
	it.each<[string, object, string]>([
		[
			'details with texts',
			{
				reasoning_details: [
					{ type: 'reasoning.text', text: 'One. ' },
					{ type: 'reasoning.text', text: 'Two.' },
				],
			},
			'One. Two.',
		],
		['a summary', { reasoning_details: [{ type: 'reasoning.summary', summary: 'In short.' }] }, 'In short.'],
		[
			'nothing but encrypted details',
			{ reasoning_details: [{ type: 'reasoning.encrypted', data: 'aGk=' }] },
			'',
		],
		[
			'a text beside the details',
			{ reasoning: 'All.', reasoning_details: [{ type: 'reasoning.text', text: 'All.' }] },
			'All.',
		],
		[
			'parts',
			{ content: [thinking('Hmm.'), { type: 'reasoning', text: ' Well.' }, text('Yes')] },
			'Hmm. Well.',
		],
		[
			'a summary in a part (Databricks)',
			{ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm.' }] }, text('Yes')] },
			'Hmm.',
		],
		['a part that is marked', { content: [{ text: 'Hmm.', thought: true }, text('Yes')] }, 'Hmm.'],
	])('is read from %s, and is no part of the text', (_what, message, reasoning) => {
		const answer = read({ choices: [{ message: { content: 'Yes', ...message }, finish_reason: 'stop' }] });
		expect([answer.text, answer.reasoning ?? '', answer.otherContent]).toEqual(['Yes', reasoning, undefined]);
	});
});

describe('A tool call', () => {
	const call = (fields: object, own: object) => ({ tool_calls: [{ ...fields, function: own }] });
	const expected = [['weather', '{"city":"Paris"}']];
	const callsIn = (answer: ReturnType<typeof read>) =>
		usableCalls(answer).map(({ name, arguments: args }) => [name, args]);

	it.each<[string, object[]]>([
		[
			'{} before the real object',
			[
				call({ index: 0, id: 'a' }, { name: 'weather', arguments: '{}' }),
				call({ index: 0 }, { arguments: '{"city":"Paris"}' }),
			],
		],
		[
			'{} and the name again',
			[
				call({ index: 0, id: 'a' }, { name: 'weather', arguments: '{}' }),
				call({ index: 0, id: 'a' }, { name: 'weather', arguments: '{"city":"Paris"}' }),
			],
		],
		[
			'{} as an object',
			[
				call({ index: 0, id: 'a' }, { name: 'weather', arguments: {} }),
				call({ index: 0 }, { arguments: '{"city":' }),
				call({ index: 0 }, { arguments: '"Paris"}' }),
			],
		],
		[
			'an object in pieces',
			[
				call({ index: 0, id: 'a' }, { name: 'weather', arguments: {} }),
				call({ index: 0 }, { arguments: { city: 'Paris' } }),
			],
		],
		[
			'JSON in JSON',
			[call({ index: 0, id: 'a' }, { name: 'weather', arguments: JSON.stringify('{"city":"Paris"}') })],
		],
		[
			'pieces without anything else',
			[
				call({ id: 'a' }, { name: 'weather', arguments: '' }),
				call({}, { arguments: '{"city"' }),
				call({}, { arguments: ':"Paris"}' }),
			],
		],
		[
			'no list (Text Generation Inference)',
			[
				{ tool_calls: { index: 0, id: '', function: { name: 'weather', arguments: '{"city"' } } },
				{ tool_calls: { index: 0, id: '', function: { name: null, arguments: ':"Paris"}' } } },
			],
		],
		[
			'a part of the content',
			[{ content: [{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Paris' } }] }],
		],
		[
			'a part of a list beside the content (Snowflake)',
			[
				{
					content_list: [
						{
							type: 'tool_use',
							tool_use: { tool_use_id: 'a', name: 'weather', input: { city: 'Paris' } },
						},
					],
				},
			],
		],
		[
			'the older field',
			[
				{ function_call: { name: 'weather', arguments: '' } },
				{ function_call: { arguments: '{"city":' } },
				{ function_call: { arguments: '"Paris"}' } },
			],
		],
	])('is one call with its object: %s', (_what, deltas) => {
		expect(callsIn(streamed(...deltas).answer)).toEqual(expected);
	});

	it('is read from a stream that has texts beside the deltas (Together)', () => {
		const assembler = new ChatCompletionAssembler();
		const deltas = [
			{ content: null, ...call({ index: 0, id: 'a' }, { name: 'weather', arguments: '' }) },
			{ content: null, ...call({ index: 0 }, { arguments: '{"city":"Paris"}' }) },
		];
		for (const delta of deltas) assembler.add({ choices: [{ index: 0, text: '', delta }] });
		expect(callsIn(read(assembler.body()))).toEqual(expected);
	});

	it('is read from deltas that are its pieces (Snowflake)', () => {
		const { answer, live } = streamed(
			{ type: 'text', content: 'Let me see.', text: 'Let me see.', content_list: [text('Let me see.')] },
			{ type: 'tool_use', tool_use_id: 'a', name: 'weather', content_list: [{ tool_use_id: 'a' }] },
			{ type: 'tool_use', input: '{"city"', content_list: [{ input: '{"city"' }] },
			{ type: 'tool_use', input: ':"Paris"}' },
			{ type: 'tool_use', tool_use_id: 'b', name: 'clock' },
			{ type: 'tool_use', input: '{}' },
		);
		expect(callsIn(answer)).toEqual([...expected, ['clock', '{}']]);
		expect([answer.text, live, answer.otherContent]).toEqual(['Let me see.', 'Let me see.', undefined]);
	});

	it('of a custom tool has a text (OpenAI)', () => {
		const message = { tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'run', input: 'ls -l' } }] };
		expect(read({ choices: [{ message }] }).toolCalls).toEqual([
			{ id: 'a', name: 'run', arguments: 'ls -l' },
		]);
	});

	it('is read from a choice of its own (GitHub Copilot)', () => {
		const asked = call({ id: 'a' }, { name: 'weather', arguments: '{"city":"Paris"}' });
		const choices = [{ content: 'Let me see.' }, asked].map((message) => ({
			message,
			finish_reason: 'tool_calls',
		}));
		const answer = read({ choices });
		expect([answer.text, callsIn(answer), answer.alternatives]).toEqual(['Let me see.', expected, undefined]);
	});

	it.each([null, 'null', '', '{}'])('has no arguments where the gateway sends %j', (args) => {
		const message = { tool_calls: [{ id: 'a', function: { name: 'clock', arguments: args } }] };
		expect(callsIn(read({ choices: [{ message }] }))).toEqual([['clock', '{}']]);
	});

	it('is read from the older field of a whole answer', () => {
		const message = { content: null, function_call: { name: 'weather', arguments: '{"city":"Paris"}' } };
		const answer = read({ choices: [{ message, finish_reason: 'function_call' }] });
		expect([callsIn(answer), answer.finishReason]).toEqual([expected, 'tool_calls']);
	});

	it('whose arguments are no object is refused with their text', () => {
		const message = { tool_calls: [{ id: 'a', function: { name: 'weather', arguments: '"Paris' } }] };
		const answer = read({ choices: [{ message, finish_reason: 'tool_calls' }] });
		expect(answer.toolCalls).toMatchObject([{ arguments: '"Paris' }]);
		expect(() => usableCalls(answer)).toThrow(
			'the arguments of the tool call "weather" are not a JSON object',
		);
	});
});
