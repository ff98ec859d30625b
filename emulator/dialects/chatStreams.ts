import type { StreamEvent } from '../http/streamEvent';
import type { Dialect } from './dialect';
import { between, choices, choicesOf, dataOf, merged, moved, onRoute } from './events';
import { eachData, isObject, type JsonObject, objectsIn } from './json';
import { CHAT_COMPLETIONS } from './routes';

const chat = onRoute('stream', CHAT_COMPLETIONS);

const hasUsage = (event: StreamEvent) => isObject(dataOf(event).usage);
const hasFinish = (event: StreamEvent) => choicesOf(event).some(({ finish_reason: reason }) => reason);
const REASONING = { reasoning: /./, thinking: /./, reasoningText: /./ };

const chunk = (choice: object): StreamEvent => ({ data: { choices: [choice] } });
const reasoning = chunk({
	index: 0,
	delta: { reasoning_content: 'On second thought, no.' },
	finish_reason: null,
});

/** Event streams of chat completions as other gateways send them. */
export const chatStreams: readonly Dialect[] = [
	chat(
		'reasoning-after-text',
		'Reasoning after the text',
		(events) =>
			moved(
				(event) => event === reasoning,
				(others) => others.findIndex(hasFinish),
			)([...events, reasoning]),
		REASONING,
	),
	chat(
		'usage-first',
		'Usage in an event before all others',
		moved(hasUsage, () => 0),
	),
	chat(
		'usage-before-text',
		'Usage after the first event',
		moved(hasUsage, () => 1),
	),
	chat(
		'usage-before-finish',
		'Usage before the finish reason',
		moved(hasUsage, (others) => others.findIndex(hasFinish)),
	),
	chat(
		'usage-with-finish',
		'Usage in the event of the finish reason',
		merged(hasUsage, (before, { usage }) => ({ ...before, usage })),
	),
	chat(
		'usage-after-done',
		'Usage after `[DONE]`',
		moved(hasUsage, (others) => others.length),
		{ inputTokens: null, outputTokens: null, totalTokens: null },
	),
	chat('usage-null-and-last', '`usage: null` in every other chunk', (events) =>
		eachData(events, (data) => ({ usage: null, ...(data as object) })),
	),
	chat('usage-list-in-chunks', '`usage: []` in every other chunk', (events) =>
		eachData(events, (data) => ({ usage: [], ...(data as object) })),
	),
	chat(
		'finish-with-text',
		'The finish reason in the last event with text',
		merged(hasFinish, (before, data) => ({
			...before,
			choices: objectsIn(before.choices).map((choice) => ({
				...choice,
				finish_reason: objectsIn(data.choices)[0].finish_reason,
			})),
		})),
	),
	chat(
		'finish-empty-before',
		'`finish_reason: ""` until the end',
		choices((choice) => ({ ...choice, finish_reason: choice.finish_reason ?? '' })),
	),
	chat(
		'content-null',
		'`content: null` in the first and the last delta',
		choices((choice) => {
			const delta = choice.delta as JsonObject;
			return delta.content ? choice : { ...choice, delta: { ...delta, content: null } };
		}),
	),
	chat(
		'role-repeated',
		'The role in every delta',
		choices((choice) => ({ ...choice, delta: { role: 'assistant', ...(choice.delta as object) } })),
	),
	chat(
		'no-choice-index',
		'No `index` in the choices',
		choices((choice) => ({ ...choice, index: undefined })),
	),
	chat(
		'empty-deltas',
		'Empty deltas between the others',
		between(chunk({ index: 0, delta: {}, finish_reason: null })),
	),
	chat(
		'null-delta',
		'`delta: null` between the others',
		between(chunk({ index: 0, delta: null, finish_reason: null })),
	),
	chat('no-choices', 'Chunks without choices between the others', between({ data: { choices: [] } })),
	chat('null-choices', '`choices: null` between the others', between({ data: { choices: null } })),
	chat('done-without-usage', 'No usage at all', (events) => events.filter((event) => !hasUsage(event)), {
		inputTokens: null,
		outputTokens: null,
		totalTokens: null,
	}),
	chat('named-events', 'Events with a name', (events) =>
		events.map((event) => ({ ...event, name: 'message' })),
	),
];
