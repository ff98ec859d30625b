import fc from 'fast-check';
import { readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { eventsOf, readStream } from './readStream';

type Fields = Record<string, unknown>;

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

const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((text) => text.toWellFormed());
const args = fc.dictionary(fc.constantFrom('city', 'day', 'note'), fc.oneof(words, fc.integer()), {
	maxKeys: 3,
});
const piece = fc.record({
	kind: fc.constantFrom('thought' as const, 'text' as const, 'call' as const),
	words,
	name: fc.constantFrom('weather', 'clock'),
	args,
});
const said = fc.array(piece, { maxLength: 8 });
const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
type Said = Array<typeof piece extends fc.Arbitrary<infer T> ? T : never>;

const JUNK = [
	...[': PING\n', '\n', 'data: keep-alive\n\n', 'retry: 100\n\n', 'data:\n\n', 'id: 3\n\n'],
	'data: 7\n\ndata: null\n\ndata: ["x"]\n\n',
	...['event: ping\ndata: {"type":"ping"}\n\n', 'no colon at all\n\n', 'data: busy {1}\n\n'],
];
/** How the events are sent. */
const sending = fc.record({
	junk: fc.array(fc.constantFrom('', ...JUNK), { minLength: 1, maxLength: 7 }),
	sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
	lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
});

/** An answer as a whole, and the events of the same answer. */
interface Both {
	whole: Fields;
	events: Fields[];
}

async function expectSame(make: (all: Said, cutter: Cutter) => Both): Promise<void> {
	const property = fc.asyncProperty(said, lengths, sending, async (all, cuts, { junk, sizes, lineEnd }) => {
		const { whole, events } = make(all, new Cutter(cuts));
		const lines = events.map((event, index) => junk[index % junk.length] + eventsOf([event]));
		const { body, answer, live } = await readStream(lines.join('').replaceAll('\n', lineEnd), { sizes });
		const expected = readChatAnswer(whole, 'm');
		expect(answer).toEqual(expected);
		expect(live).toBe(expected.text);
		// What is handed back is as it was sent.
		if (whole.type === 'message') expect(body.content).toEqual(whole.content);
		const uncut = await readStream(make(all, new Cutter([1_000])).events);
		for (const name of ['choices', 'candidates']) expect(body[name]).toEqual(uncut.body[name]);
	});
	await fc.assert(property, { numRuns: 30 });
}

describe('A stream is the answer as a whole', () => {
	it.each(['reasoning_content', 'reasoning', 'details', 'parts'])(
		'in the chat format, with thoughts as %s',
		async (how) => {
			const inParts = how === 'parts';
			const part = (kind: string, text: string) =>
				kind === 'text' ? { type: kind, text } : { type: 'thinking', thinking: [{ type: 'text', text }] };
			const thoughtFields = (text: string): Fields => {
				if (inParts) return { content: [part('thought', text)] };
				return how === 'details'
					? { reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'v1', text }] }
					: { [how]: text };
			};
			await expectSame((all, cutter) => {
				const [thought, text] = ['thought', 'text'].map((kind) =>
					all.map((one) => (one.kind === kind ? one.words : '')).join(''),
				);
				const spoken = all.filter(({ kind }) => kind !== 'call');
				const calls = all.filter(({ kind }) => kind === 'call');
				const call = (one: Said[number]) => ({ index: calls.indexOf(one), id: `c${calls.indexOf(one)}` });
				const message = {
					...(thought === '' || inParts ? {} : thoughtFields(thought)),
					content: inParts ? spoken.map((one) => part(one.kind, one.words)) : text,
					tool_calls: calls.map((one) => ({
						...call(one),
						function: { name: one.name, arguments: JSON.stringify(one.args) },
					})),
				};
				const deltas = all.flatMap((one): Fields[] => {
					if (one.kind === 'thought') return cutter.pieces(one.words).map(thoughtFields);
					if (one.kind === 'call') {
						return cutter.pieces(JSON.stringify(one.args)).map((json, index) => ({
							tool_calls: [
								index === 0
									? { ...call(one), function: { name: one.name, arguments: json } }
									: { index: call(one).index, function: { arguments: json } },
							],
						}));
					}
					// Mistral sends texts as parts, and as they are.
					return cutter.pieces(one.words).map((content, index) => ({
						content: inParts && index % 2 === 0 ? [part('text', content)] : content,
					}));
				});
				const head = { id: 'c', model: 'm' };
				const usage = {
					...{ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, cost: 0.0125 },
					prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 5 },
					completion_tokens_details: { reasoning_tokens: 30 },
				};
				return {
					whole: { ...head, choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
					events: [
						...deltas.map((delta) => ({
							...head,
							choices: [{ index: 0, delta, finish_reason: null }],
							usage: null,
						})),
						{ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
						{ ...head, choices: [], usage },
					],
				};
			});
		},
	);

	it('in the messages format', async () => {
		await expectSame((all, cutter) => {
			const deltas = (type: string, field: string, text: string) =>
				cutter.pieces(text).map((cut) => ({ type, [field]: cut }));
			/** Each block, as it begins, and what follows. */
			const blocks = all.map(
				({ kind, words: text, name, args: input }, index): [Fields, Fields, Fields[]] => {
					if (kind === 'text')
						return [{ type: kind, text }, { text: '' }, deltas('text_delta', 'text', text)];
					if (kind === 'call') {
						const json = deltas('input_json_delta', 'partial_json', JSON.stringify(input));
						return [{ type: 'tool_use', id: `t${index}`, name, input }, { input: {} }, json];
					}
					const signature = 'c2ln';
					return [
						{ type: 'thinking', thinking: text, signature },
						{ thinking: '', signature: '' },
						[...deltas('thinking_delta', 'thinking', text), { type: 'signature_delta', signature }],
					];
				},
			);
			const head = { id: 'm', type: 'message', role: 'assistant', model: 'm' };
			const inputs = { input_tokens: 15, cache_read_input_tokens: 80 };
			const outputs = {
				...{ output_tokens: 50, cache_creation_input_tokens: 5, cost: 0.0125 },
				output_tokens_details: { thinking_tokens: 30 },
			};
			return {
				whole: {
					...{ ...head, content: blocks.map(([block]) => block), stop_reason: 'end_turn' },
					usage: { ...inputs, ...outputs },
				},
				events: [
					{
						type: 'message_start',
						message: { ...head, content: [], usage: { ...inputs, output_tokens: 1 } },
					},
					...blocks.flatMap(([block, begun, further], index): Fields[] => [
						{ type: 'content_block_start', index, content_block: { ...block, ...begun } },
						...further.map((delta) => ({ type: 'content_block_delta', index, delta })),
						{ type: 'content_block_stop', index },
					]),
					{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: outputs },
					{ type: 'message_stop' },
				],
			};
		});
	});

	it('in the generate-content format', async () => {
		await expectSame((all, cutter) => {
			// Calls are never in pieces in this format.
			const inPieces = all.map(({ kind, words: text, name, args: given }): [Fields, Fields[]] => {
				if (kind === 'call') {
					const call = { functionCall: { name, args: given }, thoughtSignature: 's' };
					return [call, [call]];
				}
				const thought = kind === 'thought' ? { thought: true } : {};
				return [{ text, ...thought }, cutter.pieces(text).map((cut) => ({ text: cut, ...thought }))];
			});
			const candidate = (parts: Fields[] | undefined, finishReason?: string) => [
				{ content: { role: 'model', parts }, finishReason, index: 0 },
			];
			const usageMetadata = {
				...{ promptTokenCount: 100, cachedContentTokenCount: 80, candidatesTokenCount: 20 },
				...{ thoughtsTokenCount: 30, totalTokenCount: 150, cost: 0.0125 },
				promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 7 }],
				candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 3 }],
			};
			return {
				whole: {
					candidates: candidate(
						inPieces.map(([part]) => part),
						'STOP',
					),
					usageMetadata,
				},
				events: [
					...inPieces.flatMap(([, cuts]) =>
						cuts.map((part) => ({
							candidates: candidate([part]),
							usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
						})),
					),
					{ candidates: candidate(undefined, 'STOP'), usageMetadata },
				],
			};
		});
	});
});
