import type { StreamEvent } from '../http/streamEvent';
import { type Dialect, variant } from './dialect';
import { choices, choicesOf, dataOf } from './events';
import { eachObject, isObject, type JsonObject, objectsIn, without } from './json';
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

const streamed = (
	name: string,
	description: string,
	source: string,
	events: (all: StreamEvent[]) => StreamEvent[],
) =>
	variant({
		name: `tools-${name}`,
		description,
		source,
		routes: CHAT_COMPLETIONS,
		needsStream: true,
		events,
	});

const withFunction = (call: JsonObject, change: (own: JsonObject) => JsonObject) => ({
	...call,
	function: change(call.function as JsonObject),
});
const withoutArguments = (call: JsonObject) =>
	withFunction(call, (own) => (own.arguments === '{}' ? { ...own, arguments: '' } : own));
const withObject = (call: JsonObject) =>
	withFunction(call, (own) => ({ ...own, arguments: JSON.parse(String(own.arguments)) as unknown }));

const STREAMED: Dialect[] = [
	streamed(
		'whole',
		'Each call of a stream in one piece',
		'Mistral: tool calls in streams',
		whole((call) => call),
	),
	streamed(
		'whole-index-0',
		'Each call in one piece, all with `index: 0` and IDs of their own',
		'Gemini: chat completions',
		whole((call) => ({ ...call, index: 0 })),
	),
	streamed(
		'whole-no-index',
		'Each call in one piece, without an index',
		'Gemini: chat completions',
		whole((call) => without(call, 'index')),
	),
	streamed(
		'whole-empty-arguments',
		'Each call in one piece, arguments `""` for none',
		'DeepSeek: tools without parameters',
		whole(withoutArguments),
	),
	streamed(
		'whole-object',
		'Each call in one piece, arguments as an object',
		'Ollama: tool calls',
		whole(withObject),
	),
	streamed(
		'id-empty',
		'Later pieces with the ID and the name `""`',
		'DashScope: tool calls in streams',
		pieces((piece, isFirst) =>
			isFirst ? piece : withFunction({ ...piece, id: '' }, (own) => ({ ...own, name: '' })),
		),
	),
	streamed(
		'finish-stop',
		'Calls that end with `finish_reason: "stop"`',
		'Ollama and Gemini: chat completions',
		choices((choice) => ({ ...choice, finish_reason: choice.finish_reason && 'stop' })),
	),
	variant({
		name: 'tools-block-empty-delta',
		description: 'An empty delta before the first one of an input',
		source: 'Anthropic: input_json_delta',
		routes: MESSAGES,
		needsStream: true,
		events: (events) =>
			events.flatMap((event) => {
				const { content_block: block, index } = dataOf(event);
				if (!isObject(block) || block.type !== 'tool_use') return [event];
				const delta = { type: 'input_json_delta', partial_json: '' };
				const data = { type: 'content_block_delta', index, delta };
				return [event, { name: 'content_block_delta', data }];
			}),
	}),
];

const answered = (
	name: string,
	description: string,
	source: string,
	change: (call: JsonObject) => JsonObject,
) =>
	variant({
		name: `tools-answer-${name}`,
		description,
		source,
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			eachObject(value, (object) =>
				Array.isArray(object.tool_calls)
					? { ...object, tool_calls: objectsIn(object.tool_calls).map(change) }
					: object,
			),
	});

const ANSWERED: Dialect[] = [
	answered('object', 'Arguments as an object', 'Ollama: tool calls', withObject),
	answered('empty', 'Arguments `""` for none', 'DeepSeek: tools without parameters', withoutArguments),
	answered('no-id', 'Calls without an ID', 'Ollama: tool calls', (call) => without(call, 'id')),
	variant({
		name: 'tools-answer-finish-stop',
		description: 'Calls that end with `finish_reason: "stop"`',
		source: 'Ollama and Gemini: chat completions',
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			eachObject(value, (object) =>
				'finish_reason' in object ? { ...object, finish_reason: 'stop' } : object,
			),
	}),
];

/** Tool calls. Only models of the AI Agent get any. */
export const toolCalls: readonly Dialect[] = [...STREAMED, ...ANSWERED];
