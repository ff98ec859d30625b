import type { StreamEvent } from '../http/streamEvent';
import { type Dialect, variant } from './dialect';
import { choices, choicesOf, dataOf } from './events';
import { eachData, eachObject, isObject, type JsonObject, objectsIn, without } from './json';
import { CHAT_COMPLETIONS, MESSAGES } from './routes';

const callsOf = (event: StreamEvent) =>
	choicesOf(event).flatMap(({ delta }) => objectsIn((delta as JsonObject).tool_calls));

/** Changes the pieces of tool calls; the first piece of a call has its name. */
const pieces = (change: (piece: JsonObject, isFirst: boolean) => unknown) =>
	choices((choice) => {
		const delta = choice.delta as JsonObject;
		const calls = objectsIn(delta.tool_calls);
		if (calls.length === 0) return choice;
		const changed = calls.map((call) => change(call, (call.function as JsonObject).name !== undefined));
		return { ...choice, delta: { ...delta, tool_calls: changed } };
	});

/** Joins the pieces of each call, and changes the calls. */
const whole = (change: (call: JsonObject) => JsonObject) => (events: StreamEvent[]) => {
	const calls = new Map<unknown, JsonObject>();
	for (const { index, function: part, ...others } of events.flatMap(callsOf)) {
		const known = calls.get(index) ?? { index, ...others, function: {} };
		const before = known.function as JsonObject;
		const more = part as JsonObject;
		const text = [before.arguments, more.arguments].join('');
		calls.set(index, { ...known, function: { ...before, ...more, arguments: text } });
	}
	const first = events.findIndex((event) => callsOf(event).length > 0);
	const joined = [...calls.values()].map((call) => ({
		data: {
			...dataOf(events[first]),
			choices: [{ index: 0, delta: { tool_calls: [change(call)] }, finish_reason: null }],
		},
	}));
	return events.filter((event) => callsOf(event).length === 0).toSpliced(first, 0, ...joined);
};

const streamed = (name: string, description: string, events: (all: StreamEvent[]) => StreamEvent[]) =>
	variant({ name: `tools-${name}`, description, routes: CHAT_COMPLETIONS, needsStream: true, events });

const withFunction = (call: JsonObject, change: (own: JsonObject) => JsonObject) => ({
	...call,
	function: change(call.function as JsonObject),
});
const emptied = (own: JsonObject) => (own.arguments === '{}' ? { ...own, arguments: '' } : own);

const STREAMED: Dialect[] = [
	streamed(
		'whole',
		'Each call of a stream in one piece',
		whole((call) => call),
	),
	streamed(
		'whole-index-0',
		'Each call in one piece, all with `index: 0` and IDs of their own',
		whole((call) => ({ ...call, index: 0 })),
	),
	streamed(
		'whole-no-index',
		'Each call in one piece, without an index',
		whole((call) => without(call, 'index')),
	),
	streamed(
		'whole-no-id',
		'Each call in one piece, without an ID',
		whole((call) => without(call, 'id')),
	),
	streamed(
		'whole-empty-arguments',
		'Each call in one piece, arguments `""` for none',
		whole((call) => withFunction(call, emptied)),
	),
	streamed(
		'whole-object',
		'Each call in one piece, arguments as an object',
		whole((call) =>
			withFunction(call, (own) => ({ ...own, arguments: JSON.parse(String(own.arguments)) as unknown })),
		),
	),
	streamed(
		'no-index',
		'Pieces without an index',
		pieces((piece) => without(piece, 'index')),
	),
	streamed(
		'id-empty',
		'Later pieces with the ID and the name `""`',
		pieces((piece, isFirst) =>
			isFirst ? piece : withFunction({ ...piece, id: '' }, (own) => ({ ...own, name: '' })),
		),
	),
	streamed(
		'id-null',
		'Later pieces with the ID and the name `null`',
		pieces((piece, isFirst) =>
			isFirst ? piece : withFunction({ ...piece, id: null }, (own) => ({ ...own, name: null })),
		),
	),
	streamed(
		'arguments-null',
		'First pieces with the arguments `null`',
		pieces((piece, isFirst) =>
			isFirst ? withFunction(piece, (own) => ({ ...own, arguments: null })) : piece,
		),
	),
	streamed(
		'finish-stop',
		'Calls that end with `finish_reason: "stop"`',
		choices((choice) => ({ ...choice, finish_reason: choice.finish_reason && 'stop' })),
	),
	streamed('null-among-calls', '`null` among the calls', (events) =>
		pieces((piece) => piece)(events).map((event) => {
			const calls = callsOf(event);
			return calls.length === 0
				? event
				: {
						...event,
						data: { ...dataOf(event), choices: [{ index: 0, delta: { tool_calls: [null, ...calls] } }] },
					};
		}),
	),
	streamed(
		'null-between',
		'`tool_calls: null` and `[]` in other deltas',
		choices((choice) => ({
			...choice,
			delta: { tool_calls: choice.finish_reason ? [] : null, ...(choice.delta as object) },
		})),
	),
];

const answered = (
	name: string,
	description: string,
	change: (call: JsonObject) => JsonObject,
	around = (calls: unknown[]) => calls,
) =>
	variant({
		name: `tools-answer-${name}`,
		description,
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			eachObject(value, (object) =>
				Array.isArray(object.tool_calls)
					? { ...object, tool_calls: around(objectsIn(object.tool_calls).map(change)) }
					: object,
			),
	});

const ANSWERED: Dialect[] = [
	answered('object', 'Arguments as an object', (call) =>
		withFunction(call, (own) => ({ ...own, arguments: JSON.parse(String(own.arguments)) as unknown })),
	),
	answered('empty', 'Arguments `""` for none', (call) => withFunction(call, emptied)),
	answered('no-type', 'Calls without `type`, with an index', (call) => ({
		...without(call, 'type'),
		index: 0,
	})),
	answered('no-id', 'Calls without an ID', (call) => without(call, 'id')),
	answered('same-id', 'The same ID for all calls', (call) => ({ ...call, id: 'call' })),
	answered(
		'null',
		'`null` among the calls',
		(call) => call,
		(calls) => [calls[0], null, ...calls.slice(1)],
	),
	answered(
		'number',
		'A number among the calls',
		(call) => call,
		(calls) => [calls[0], 7, ...calls.slice(1)],
	),
	answered(
		'nameless',
		'A call without a name among the calls',
		(call) => call,
		(calls) => [calls[0], { id: 'x', type: 'function', function: {} }, ...calls.slice(1)],
	),
	variant({
		name: 'tools-answer-finish-stop',
		description: 'Calls that end with `finish_reason: "stop"`',
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			eachObject(value, (object) =>
				'finish_reason' in object ? { ...object, finish_reason: 'stop' } : object,
			),
	}),
];

const isCallStart = (data: JsonObject) =>
	isObject(data.content_block) && data.content_block.type === 'tool_use';

const MESSAGE: Dialect[] = [
	variant({
		name: 'tools-block-whole',
		description: 'The whole input in `content_block_start`, and no deltas',
		routes: MESSAGES,
		needsStream: true,
		events: (events) => {
			const inputs = new Map<unknown, string>();
			for (const event of events) {
				const { index, delta } = dataOf(event);
				if (isObject(delta) && delta.type === 'input_json_delta')
					inputs.set(index, (inputs.get(index) ?? '') + String(delta.partial_json));
			}
			return eachData(
				events.filter(
					(event) => (dataOf(event).delta as JsonObject | undefined)?.type !== 'input_json_delta',
				),
				(value) => {
					const data = value as JsonObject;
					if (!isCallStart(data)) return data;
					const input = JSON.parse(inputs.get(data.index) ?? '{}') as unknown;
					return { ...data, content_block: { ...(data.content_block as object), input } };
				},
			);
		},
	}),
	variant({
		name: 'tools-block-empty-delta',
		description: 'An empty delta before the first one of an input',
		routes: MESSAGES,
		needsStream: true,
		events: (events) =>
			events.flatMap((event) => {
				const data = dataOf(event);
				if (!isCallStart(data)) return [event];
				const empty = {
					type: 'content_block_delta',
					index: data.index,
					delta: { type: 'input_json_delta', partial_json: '' },
				};
				return [event, { name: 'content_block_delta', data: empty }];
			}),
	}),
	variant({
		name: 'tools-block-finish',
		description: 'Calls that end with `stop_reason: "end_turn"`',
		routes: MESSAGES,
		json: (value) => ({ ...(value as object), stop_reason: 'end_turn' }),
	}),
];

/** Tool calls as other gateways return them. Only models of the AI Agent get any. */
export const toolCalls: readonly Dialect[] = [...STREAMED, ...ANSWERED, ...MESSAGE];
