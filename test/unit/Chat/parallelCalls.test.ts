import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { usableCalls, withCallIds } from '../../../nodes/Chat/model/result';
import { streamFrom } from '../../../nodes/shared/answer/byteStream';

const CALLS = [
	{ id: 'one', name: 'look', args: { at: 'sky', deep: { list: [1, 2] } } },
	{ id: 'two', name: 'look', args: { at: 'sea' } },
	{ id: 'three', name: 'ping', args: {} },
	{ id: 'four', name: 'tell', args: { text: 'a "b" {c}' } },
];
const EXPECTED = CALLS.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);

type Entry = Record<string, unknown>;
const textOf = (args: object) => JSON.stringify(args);
const piecesOf = (args: object) => textOf(args).match(/[^]{1,5}/g)!;

/** Each call as a whole. @param change of the entry of a call */
const wholes = (change: (entry: Entry, index: number) => Entry = (entry) => entry): Entry[] =>
	CALLS.map(({ id, name, args }, index) =>
		change({ index, id, type: 'function', function: { name, arguments: textOf(args) } }, index),
	);
/** The entries of each call: its beginning, then its arguments. @param change of what comes after the beginning */
const inPieces = (
	first: (entry: Entry, index: number) => Entry = (entry) => entry,
	later: (entry: Entry, index: number) => Entry = (entry) => entry,
): Entry[][] =>
	CALLS.map(({ id, name, args }, index) => [
		first({ index, id, type: 'function', function: { name, arguments: '' } }, index),
		...piecesOf(args).map((part) => later({ index, function: { arguments: part } }, index)),
	]);
/** One piece of each call in turn. */
const inTurns = (calls: Entry[][]): Entry[] =>
	Array.from({ length: Math.max(...calls.map(({ length }) => length)) }, (_, at) =>
		calls.flatMap((pieces) => pieces.slice(at, at + 1)),
	).flat();
const without = (name: string) => (entry: Entry) =>
	Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));
const withArgs = (args: (text: string) => unknown) => (entry: Entry) => {
	const { name, arguments: text } = entry.function as { name: string; arguments: string };
	return { ...entry, function: { name, arguments: args(text) } };
};
const withId = (id: unknown) => (entry: Entry) => ({ ...entry, id });
const asObject = withArgs((text) => JSON.parse(text) as unknown);
const both = (one: (entry: Entry) => Entry, other: (entry: Entry) => Entry) => (entry: Entry) =>
	other(one(entry));

const delta = (fields: object, finish: string | null = null) => ({
	choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
/** An event for each entry. */
const chat = (...entries: Entry[]): object[] => [
	delta({ role: 'assistant', content: null }),
	...entries.map((entry) => delta({ tool_calls: [entry] })),
	delta({}, 'tool_calls'),
];
const pieces = inPieces();
const noIndex = without('index');
const noId = without('id');
const index0 = (entry: Entry) => ({ ...entry, index: 0 });
const repeatedId = (entry: Entry, index: number) => ({ ...entry, id: CALLS[index].id });

const CHAT: Record<string, object[]> = {
	'pieces, one call after the other': chat(...pieces.flat()),
	'pieces in turns': chat(...inTurns(pieces)),
	'pieces in turns, all of a turn in one event': [
		...inTurns(pieces).map((entry) => delta({ tool_calls: [entry] })),
		delta({}, 'tool_calls'),
	],
	'pieces without an index': chat(...inPieces(noIndex, noIndex).flat()),
	'pieces without an ID': chat(...inPieces(noId).flat()),
	'pieces in turns without an ID': chat(...inTurns(inPieces(noId))),
	'pieces that repeat the ID': chat(...inTurns(inPieces(undefined, repeatedId))),
	'pieces that repeat the ID, without an index': chat(
		...inTurns(inPieces(noIndex, (entry, index) => noIndex(repeatedId(entry, index)))),
	),
	'pieces that repeat the ID, all with index 0': chat(
		...inTurns(inPieces(index0, (entry, index) => index0(repeatedId(entry, index)))),
	),
	'pieces whose later IDs are empty': chat(...inPieces(undefined, withId('')).flat()),
	'pieces whose later IDs are null': chat(...inTurns(inPieces(undefined, withId(null)))),
	'pieces with index 0': chat(...inPieces(index0, index0).flat()),
	'pieces whose IDs are all the same': chat(...inTurns(inPieces(withId('call')))),
	'pieces whose IDs are all empty': chat(...inTurns(inPieces(withId(''), withId('')))),
	'each as a whole': chat(...wholes()),
	'each as a whole, without an index': chat(...wholes(noIndex)),
	'each as a whole, with index 0': chat(...wholes(index0)),
	'each as a whole, without an ID': chat(...wholes(noId)),
	'each as a whole, without index and ID': chat(...wholes(both(noIndex, noId))),
	'each as a whole, with index 0, without an ID': chat(...wholes(both(index0, noId))),
	'each as a whole, with empty IDs and no index': chat(...wholes(both(noIndex, withId('')))),
	'each as a whole, all with the same ID and no index': chat(...wholes(both(noIndex, withId('call')))),
	'each as a whole, all with the same ID and index': chat(...wholes(both(index0, withId('call')))),
	'each as a whole, arguments as an object': chat(...wholes(asObject)),
	'each as a whole twice, arguments as an object': chat(...wholes(asObject), ...wholes(asObject)),
	'each as a whole, arguments as an object, with index 0': chat(...wholes(both(asObject, index0))),
	'each as a whole, arguments as an object, without index and ID': chat(
		...wholes(both(asObject, both(noIndex, noId))),
	),
	'each as a whole, no arguments as an empty text': chat(
		...wholes(
			both(
				noIndex,
				withArgs((text) => (text === '{}' ? '' : text)),
			),
		),
	),
	'all in one event': [delta({ tool_calls: wholes() }), delta({}, 'tool_calls')],
	'all in one event, without index and ID': [
		delta({ tool_calls: wholes(both(noIndex, noId)) }),
		delta({}, 'tool_calls'),
	],
	'all in the last event': [delta({ role: 'assistant' }), delta({ tool_calls: wholes() }, 'tool_calls')],
	'all in the last event, with finish_reason "stop"': [delta({ tool_calls: wholes(noIndex) }, 'stop')],
	'all in a whole message': [
		{
			choices: [
				{ index: 0, message: { content: null, tool_calls: wholes(noIndex) }, finish_reason: 'tool_calls' },
			],
		},
	],
	...Object.fromEntries(
		[
			['', noIndex],
			[', with an index', (entry: Entry) => entry],
		].map(([name, change]) => [
			`pieces, then a whole message${name as string}`,
			[
				...pieces.flat().map((entry) => delta({ tool_calls: [entry] })),
				{
					choices: [
						{
							index: 0,
							message: { content: null, tool_calls: wholes(change as (entry: Entry) => Entry) },
							finish_reason: 'tool_calls',
						},
					],
				},
			],
		]),
	),
	'pieces, then all again in the last event': [
		...pieces.flat().map((entry) => delta({ tool_calls: [entry] })),
		delta({ tool_calls: wholes(noIndex) }, 'tool_calls'),
	],
	'pieces without an index, then all again with one': [
		...inPieces(noIndex, noIndex)
			.flat()
			.map((entry) => delta({ tool_calls: [entry] })),
		delta({ tool_calls: wholes() }, 'tool_calls'),
	],
};

/** The events of a message. @param change of the events of a block */
const message = (...blocks: object[][]): object[] => [
	{ type: 'message_start', message: { id: 'msg', type: 'message', content: [], usage: {} } },
	...blocks.flat(),
	{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
	{ type: 'message_stop' },
];
const start = (index: number, fields: object = {}) => {
	const { id, name } = CALLS[index];
	return {
		type: 'content_block_start',
		index,
		content_block: { type: 'tool_use', id, name, input: {}, ...fields },
	};
};
const part = (index: number, json: string) => ({
	type: 'content_block_delta',
	index,
	delta: { type: 'input_json_delta', partial_json: json },
});
const blocks = (fields: object = {}) =>
	CALLS.map(({ args }, index) => [
		start(index, fields),
		...(textOf(args) === '{}' ? [] : piecesOf(args).map((json) => part(index, json))),
		{ type: 'content_block_stop', index },
	]);
const MESSAGES: Record<string, object[]> = {
	'blocks, one after the other': message(...blocks()),
	'blocks in turns': message(inTurns(blocks())),
	'blocks without an index': message(...blocks().map((events) => (events as Entry[]).map(noIndex))),
	'blocks with empty deltas': message(
		...blocks().map(([first, ...others], index) => [first, part(index, ''), ...others]),
	),
	'blocks without an input at first': message(...blocks({ input: undefined })),
	'blocks with an empty text as input': message(...blocks({ input: '' })),
	'blocks with the whole input': message(CALLS.map(({ args }, index) => start(index, { input: args }))),
	'blocks without an ID': message(...blocks({ id: undefined })),
	'blocks whose IDs are all the same': message(...blocks({ id: 'call' })),
	'all in message_start': [
		{
			type: 'message_start',
			message: {
				type: 'message',
				content: CALLS.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
			},
		},
		{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
		{ type: 'message_stop' },
	],
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
	const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
	const body = streamFrom([Buffer.from(text)]);
	const headers = { 'content-type': 'text/event-stream' };
	const read = await new ChatReader(true).read({ status: 200, headers, body, url: 'https://test/' });
	const answer = withCallIds(readChatAnswer(read, 'm'));
	expect(answer.finishReason).toBe('tool_calls');
	return usableCalls(answer);
}

describe('Several tool calls of one streamed answer', () => {
	it.each(STYLES)(
		'arrive whole, in order, and with IDs of their own ($format: $style)',
		async ({ events }) => {
			const calls = await callsIn(events);
			expect(calls.map(({ name, arguments: args }) => `${name} ${args}`)).toEqual(EXPECTED);
			expect(new Set(calls.map(({ id }) => id)).size).toBe(CALLS.length);
			expect(calls.every(({ id }) => id !== '')).toBe(true);
		},
	);

	it('are refused if they cannot be told apart, instead of run with wrong arguments', async () => {
		const events = chat(...inPieces(both(noIndex, noId), noIndex).flat());
		await expect(callsIn(events)).rejects.toThrow(
			'the arguments of the tool call "look" are not a JSON object',
		);
	});
});
