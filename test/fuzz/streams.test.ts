import fc from 'fast-check';
import { ChatReader, readChatAnswer } from '../../nodes/Chat/formats/readAnswer';
import { answerOf } from './chatAnswers';
import { chunkSizes, damaged, damages } from './damage';
import { expectCleanPrototypes, expectFailure, expectPlain } from './expectations';
import { type Change, changed, changes, hostileName, hostileText, toJson } from './hostileValues';
import { holds } from './holds';

const chunk = (delta: object, finish: string | null = null, index = 0) => ({
	id: 'chatcmpl-1',
	model: 'm',
	choices: [{ index, delta, finish_reason: finish }],
	usage: null,
});
const block = (index: number, start: object, ...deltas: object[]) => [
	{ type: 'content_block_start', index, content_block: start },
	...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
	{ type: 'content_block_stop', index },
];
const candidate = (part: object, more: object = {}) => ({
	candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...more }],
});

/** Streams of the three formats; each text is a piece of the answer. */
const FORMATS: Array<(texts: string[]) => unknown[]> = [
	(texts) => [
		chunk({ role: 'assistant', content: '' }),
		chunk({ reasoning_content: 'Hm' }),
		...texts.map((content) => chunk({ content })),
		chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"at"' } }] }),
		chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
		chunk({ content: 'other' }, 'stop', 1),
		chunk({}, 'stop'),
		{ id: 'chatcmpl-1', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
		'[DONE]',
	],
	(texts) => [
		{ type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 1 } } },
		...block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'Hm' }),
		...block(1, { type: 'text', text: '' }, ...texts.map((text) => ({ type: 'text_delta', text }))),
		...block(
			2,
			{ type: 'tool_use', id: 't', name: 'look' },
			{ type: 'input_json_delta', partial_json: '{}' },
		),
		{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
		{ type: 'message_stop' },
	],
	(texts) => [
		candidate({ text: 'Hm', thought: true }),
		...texts.map((text) => candidate({ text })),
		candidate({ functionCall: { name: 'look', args: {} } }),
		candidate({ text: '' }, { finishReason: 'STOP' }),
		{ usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 }, modelVersion: 'm' },
	],
];

const JUNK = [
	': PING\n',
	'\n\n\n',
	'data: keep-alive\n\n',
	'retry: 100\n\n',
	'data:\n\n',
	'\ufeff\n',
	'data: 7\n\ndata: null\n\ndata: ["x"]\n\n',
	'event: ping\ndata: {"type":"ping"}\n\n',
	'no colon\n\n',
	'data: {"unfinished": \n\n',
	'event: error\n\n',
	'DATA: {}\n\n',
	'\n\r\n\r',
];
const formatIndex = fc.nat({ max: FORMATS.length - 1 });
const texts = fc.array(
	fc.oneof(hostileText, fc.string({ maxLength: 8 })).map((text) => text.toWellFormed()),
	{ minLength: 1, maxLength: 6 },
);

/** An event: one of the stream by its position, with changes and whatever comes before it. */
interface Sent {
	from: number;
	changes: Change[];
	before: string;
}
const sent: fc.Arbitrary<Sent> = fc.record({
	from: fc.nat({ max: 30 }),
	changes: fc.oneof({ weight: 6, arbitrary: fc.constant<Change[]>([]) }, { weight: 1, arbitrary: changes }),
	before: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...JUNK)),
});

const line = (event: unknown) => `data: ${typeof event === 'string' ? event : toJson(event)}\n\n`;

/**
 * Reads a stream. Text that was seen live must be in the result, or else in the failure.
 *
 * @returns the text of the result, undefined for a failure
 */
async function readStream(
	bytes: Buffer,
	sizes: number[],
): Promise<{ text: string; live: string } | undefined> {
	let live = '';
	const reader = new ChatReader(true, async (text) => void (live += text));
	try {
		const body = await reader.read(answerOf(bytes, sizes, 'text/event-stream'));
		const answer = readChatAnswer(body, 'm');
		expectPlain([body, JSON.parse(JSON.stringify(answer))]);
		// What was not seen live, the caller shows as a whole.
		if (live !== '' && sorted(answer.text) !== sorted(live)) {
			throw new Error(`Live: ${JSON.stringify(live)}, in the result: ${JSON.stringify(answer.text)}`);
		}
		return { text: answer.text, live };
	} catch (error) {
		const failure: unknown =
			error instanceof Error && /^Live/.test(error.message) ? error : reader.withArrived(error);
		expectFailure(failure);
		if (live !== '' && failure.facts.partial?.text !== live)
			throw new Error('The failure lost the text', { cause: error });
		return undefined;
	} finally {
		expectCleanPrototypes();
	}
}

/** Blocks may arrive in any order. */
function sorted(text: string): string {
	return [...text].sort().join('');
}

describe('An event stream', () => {
	holds(
		'loses no text that was seen, if events are missing, twice, changed, or in another order',
		[formatIndex, texts, fc.array(sent, { maxLength: 20 }), fc.option(damages), chunkSizes],
		async (format, all, events, damage, sizes) => {
			const original = FORMATS[format](all);
			const lines = events.map(({ from, changes: ofEvent, before }) => {
				return before + line(changed(original[from % original.length], ofEvent));
			});
			const bytes = Buffer.from(lines.join('') + line(original.at(-2)) + line(original.at(-1)));
			await readStream(damage ? damaged(bytes, damage) : bytes, sizes);
		},
	);

	holds(
		'ends with an answer or a failure for any lines and bytes',
		[
			fc.array(fc.oneof(fc.constantFrom(...JUNK, 'data', ':', '\r', 'event'), hostileText, hostileName)),
			fc.uint8Array({ maxLength: 60 }),
			chunkSizes,
		],
		async (lines, bytes, sizes) => {
			await readStream(Buffer.concat([Buffer.from(lines.join('')), Buffer.from(bytes)]), sizes);
		},
	);
});
