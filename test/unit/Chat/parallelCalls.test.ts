import { usableCalls, withUniqueCallIds } from '../../../nodes/Chat/model/result';
import { chunk, readStream } from './readStream';

const CALLS = [
	{ id: 'one', name: 'look', args: { at: 'sky', deep: { list: [1, 2] } } },
	{ id: 'two', name: 'look', args: { at: 'sea' } },
	{ id: 'three', name: 'ping', args: {} },
	{ id: 'four', name: 'tell', args: { text: 'a "b" {c}' } },
];

type Entry = Record<string, unknown>;
type Change = (entry: Entry, index: number) => Entry;
const textOf = (args: object) => JSON.stringify(args);
const piecesOf = (args: object) => textOf(args).match(/[^]{1,5}/g)!;
const same: Change = (entry) => entry;

/** Each call as a whole. */
const wholes = (change = same): Entry[] =>
	CALLS.map(({ id, name, args }, index) =>
		change({ index, id, type: 'function', function: { name, arguments: textOf(args) } }, index),
	);
/** The entries of each call: its beginning, then its arguments. @param later changes what comes after the beginning */
const inPieces = (first = same, later = same): Entry[][] =>
	CALLS.map(({ id, name, args }, index) => [
		first({ index, id, type: 'function', function: { name, arguments: '' } }, index),
		...piecesOf(args).map((part) => later({ index, function: { arguments: part } }, index)),
	]);
/** One piece of each call in turn. */
const inTurns = (calls: Entry[][]): Entry[] =>
	Array.from({ length: Math.max(...calls.map(({ length }) => length)) }, (_, at) =>
		calls.flatMap((pieces) => pieces.slice(at, at + 1)),
	).flat();

const without =
	(...names: string[]): Change =>
	(entry) =>
		Object.fromEntries(Object.entries(entry).filter(([key]) => !names.includes(key)));
const noIndex = without('index');
const noId = without('id');
const neither = without('index', 'id');
const index0: Change = (entry) => ({ ...entry, index: 0 });
const withId =
	(id: unknown): Change =>
	(entry) => ({ ...entry, id });
const ownId: Change = (entry, index) => ({ ...entry, id: CALLS[index].id });
const withName: Change = (entry, index) => ({
	...entry,
	function: { name: CALLS[index].name, ...(entry.function as object) },
});
const asObject: Change = (entry) => {
	const { name, arguments: text } = entry.function as { name: string; arguments: string };
	return { ...entry, function: { name, arguments: JSON.parse(text) as unknown } };
};

const end = chunk({}, 'tool_calls');
/** An event for each entry. */
const each = (entries: Entry[]): object[] => entries.map((entry) => chunk({ tool_calls: [entry] }));
const chat = (entries: Entry[]): object[] => [
	chunk({ role: 'assistant', content: null }),
	...each(entries),
	end,
];
const pieces = inPieces();

const CHAT: Record<string, object[]> = {
	'pieces, one call after the other': chat(pieces.flat()),
	'pieces in turns': chat(inTurns(pieces)),
	'pieces with an index each (Nebius, dirac#215)': chat(
		inPieces(noIndex, without('index', 'id'))
			.flat()
			.map((entry, index) => ({ ...entry, index })),
	),
	'pieces without an index': chat(inPieces(noIndex, noIndex).flat()),
	'pieces in turns without an ID': chat(inTurns(inPieces(noId))),
	'pieces in turns without an ID, the first with arguments': chat(
		inTurns(
			CALLS.map(({ name, args }, index) =>
				piecesOf(args).map((text, at) => ({
					index,
					function: { ...(at === 0 ? { name } : {}), arguments: text },
				})),
			),
		),
	),
	'pieces that repeat the name': chat(inTurns(inPieces(same, withName))),
	'pieces that repeat the ID': chat(inTurns(inPieces(same, ownId))),
	'pieces whose later IDs are empty (DashScope)': chat(inPieces(same, withId('')).flat()),
	'pieces with one index and an ID each': chat(inPieces(index0, index0).flat()),
	'pieces whose IDs are all the same': chat(inTurns(inPieces(withId('call')))),
	'each as a whole (Mistral)': chat(wholes()),
	'each as a whole, without an index (Gemini)': chat(wholes(noIndex)),
	'each as a whole, with index 0 (Gemini)': chat(wholes(index0)),
	'each as a whole, without index and ID': chat(wholes(neither)),
	'each as a whole, all with the same ID and index': chat(
		wholes((entry) => ({ ...entry, index: 0, id: 'call' })),
	),
	'each as a whole, arguments as an object (Ollama)': chat(wholes(asObject)),
	'each as a whole, arguments as an object, all with the same ID and index': chat(
		wholes((entry, index) => asObject({ ...entry, index: 0, id: 'call' }, index)),
	),
	'each as a whole twice': chat([...wholes(), ...wholes()]),
	'all in the last event, with finish_reason "stop" (Gemini)': [
		chunk({ tool_calls: wholes(noIndex) }, 'stop'),
	],
	'all in a whole message': [
		{ choices: [{ index: 0, message: { tool_calls: wholes(noIndex) }, finish_reason: 'tool_calls' }] },
	],
	'pieces, then all again in the last event': [
		...each(pieces.flat()),
		chunk({ tool_calls: wholes(noIndex) }, 'tool_calls'),
	],
};

const start = (index: number, fields: object = {}) => {
	const { id, name } = CALLS[index];
	const block = { type: 'tool_use', id, name, input: {}, ...fields };
	return { type: 'content_block_start', index, content_block: block };
};
const part = (index: number, json: string) => ({
	...{ type: 'content_block_delta', index },
	delta: { type: 'input_json_delta', partial_json: json },
});
const blocks = (fields: object = {}): Entry[][] =>
	CALLS.map(({ args }, index) => [
		start(index, fields),
		...(textOf(args) === '{}' ? [] : piecesOf(args).map((json) => part(index, json))),
		{ type: 'content_block_stop', index },
	]);
const message = (events: object[], content: object[] = []): object[] => [
	{ type: 'message_start', message: { id: 'msg', type: 'message', content, usage: {} } },
	...events,
	{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
	{ type: 'message_stop' },
];
const MESSAGES: Record<string, object[]> = {
	'blocks in turns': message(inTurns(blocks())),
	'blocks without an index': message(blocks().flat().map(noIndex)),
	'blocks with the whole input': message(CALLS.map(({ args }, index) => start(index, { input: args }))),
	'blocks without an ID': message(blocks({ id: undefined }).flat()),
	'all in message_start': message(
		[],
		CALLS.map(({ args, ...call }) => ({ type: 'tool_use', ...call, input: args })),
	),
};

const parts = CALLS.map(({ name, args }) => ({ functionCall: { name, args } }));
const candidate = (list: object[], finishReason?: string) => ({
	candidates: [{ content: { role: 'model', parts: list }, finishReason }],
});
const CONTENTS: Record<string, object[]> = {
	'each in an event': [...parts.map((one) => candidate([one])), candidate([], 'STOP')],
	'all in the last event': [candidate(parts, 'STOP')],
};

const STYLES = Object.entries({ chat: CHAT, messages: MESSAGES, generateContent: CONTENTS }).flatMap(
	([format, styles]) => Object.entries(styles).map(([style, events]) => ({ format, style, events })),
);

/** The calls of a streamed answer, as an agent gets them. */
async function callsIn(events: object[]) {
	const { answer } = await readStream(events);
	expect(answer.finishReason).toBe('tool_calls');
	return usableCalls(withUniqueCallIds(answer));
}

describe('Several tool calls of one streamed answer', () => {
	it.each(STYLES)(
		'arrive whole, in order, and with IDs of their own ($format: $style)',
		async ({ events }) => {
			const calls = await callsIn(events);
			expect(calls.map(({ name, arguments: args }) => ({ name, args }))).toEqual(
				CALLS.map(({ name, args }) => ({ name, args })),
			);
			expect(new Set(calls.map(({ id }) => id)).size).toBe(CALLS.length);
			expect(calls.every(({ id }) => id !== '')).toBe(true);
		},
	);

	it('are refused if they cannot be told apart, instead of run with wrong arguments', async () => {
		const events = chat(inPieces(neither, noIndex).flat());
		await expect(callsIn(events)).rejects.toThrow(
			'the arguments of the tool call "look" are not a JSON object',
		);
	});

	it('are read from deltas that are their pieces (Snowflake)', async () => {
		const words = 'Let me see.';
		const deltas = [
			{ type: 'text', content: words, text: words, content_list: [{ type: 'text', text: words }] },
			{ type: 'tool_use', tool_use_id: 'a', name: 'f', content_list: [{ tool_use_id: 'a' }] },
			{ type: 'tool_use', input: '{"x"', content_list: [{ input: '{"x"' }] },
			{ type: 'tool_use', input: ':1}' },
			{ type: 'tool_use', tool_use_id: 'b', name: 'g' },
			{ type: 'tool_use', input: '{}' },
		];
		const { live, answer } = await readStream([...deltas.map((delta) => chunk(delta)), end]);
		expect([live, answer.text, answer.otherContent]).toEqual([words, words, undefined]);
		expect(usableCalls(answer)).toMatchObject([
			{ name: 'f', arguments: { x: 1 } },
			{ name: 'g', arguments: {} },
		]);
	});
});

describe('A tool call of a streamed answer', () => {
	const call = (own: object, fields: object = { index: 0 }) => ({
		tool_calls: [{ ...fields, function: own }],
	});
	const first = (args: unknown) => call({ name: 'f', arguments: args }, { index: 0, id: 'a' });

	it.each<[string, object[]]>([
		['{} before the real object', [first('{}'), call({ arguments: '{"x":1}' })]],
		['{} and the name again', [first('{}'), first('{"x":1}')]],
		['JSON in JSON', [first(JSON.stringify('{"x":1}'))]],
		[
			'no list (Text Generation Inference)',
			[
				{ tool_calls: { index: 0, id: '', function: { name: 'f', arguments: '{"x"' } } },
				{ tool_calls: { index: 0, id: '', function: { name: null, arguments: ':1}' } } },
			],
		],
		['a part of the content', [{ content: [{ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }] }]],
		[
			'a part of a list beside the content (Snowflake)',
			[{ content_list: [{ type: 'tool_use', tool_use: { tool_use_id: 'a', name: 'f', input: { x: 1 } } }] }],
		],
		[
			'the older field',
			[{ name: 'f', arguments: '' }, { arguments: '{"x"' }, { arguments: ':1}' }].map((own) => ({
				function_call: own,
			})),
		],
	])('is one call with its object: %s', async (_what, deltas) => {
		const calls = await callsIn([...deltas.map((delta) => chunk(delta)), end]);
		expect(calls).toMatchObject([{ name: 'f', arguments: { x: 1 } }]);
	});
});
