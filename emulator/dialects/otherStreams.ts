import type { StreamEvent } from '../http/streamEvent';
import { type Dialect, type Variant, variant } from './dialect';
import { between, dataOf, merged, moved, onRoute } from './events';
import { eachData, type JsonObject, objectsIn } from './json';
import { CHAT_COMPLETIONS, CHATS, GENERATE_CONTENT, MESSAGES } from './routes';

const messages = onRoute('messages', MESSAGES);
const contents = onRoute('contents', GENERATE_CONTENT);

const ofType = (type: string) => (event: StreamEvent) => dataOf(event).type === type;
const TOKENS = { inputTokens: null, outputTokens: null, totalTokens: null };

const MESSAGE: Dialect[] = [
	messages('pings-everywhere', 'Pings between all events', between({ name: 'ping', data: { type: 'ping' } })),
	messages('no-names', 'Events without a name', (events) => events.map(({ data }) => ({ data }))),
	messages(
		'usage-only-at-start',
		'Usage only in `message_start`',
		(events) =>
			eachData(events, (data) =>
				ofType('message_delta')({ data: data as object }) ? { ...(data as object), usage: undefined } : data,
			),
		{ outputTokens: /^\d+$/, totalTokens: /^\d+$/ },
	),
	messages(
		'usage-only-at-end',
		'Usage only in `message_delta`',
		(events) =>
			eachData(events, (data) => {
				const { message } = data as { message?: JsonObject };
				return message ? { ...(data as object), message: { ...message, usage: undefined } } : data;
			}),
		TOKENS,
	),
	messages('no-index', 'No `index` in the blocks', (events) =>
		eachData(events, (data) => ({ ...(data as object), index: undefined })),
	),
	messages(
		'message-delta-first',
		'`message_delta` before the text',
		moved(ofType('message_delta'), (all) => all.findIndex(ofType('content_block_start'))),
	),
	messages('no-ping', 'No pings', (events) => events.filter((event) => !ofType('ping')(event))),
	messages(
		'text-in-start',
		'The first text in `content_block_start`',
		merged(
			(event) => ofType('content_block_delta')(event) && (dataOf(event).delta as JsonObject).text === 'You ',
			(before, data) => ({
				...before,
				content_block: { type: 'text', text: (data.delta as JsonObject).text },
			}),
		),
	),
	messages('done-sentinel', '`[DONE]` at the end', (events) => [...events, { data: '[DONE]' }]),
	messages(
		'unknown-events',
		'Events of unknown types',
		between({ name: 'telemetry', data: { type: 'telemetry', load: 0.7 } }),
	),
];

const candidatesOf = (event: StreamEvent) => objectsIn(dataOf(event).candidates);
const CONTENTS: Dialect[] = [
	contents('usage-first', 'Usage in the first event only', (events) => {
		const usage = dataOf(events[events.length - 1]).usageMetadata;
		return events.map((event, index) => ({
			data: { ...dataOf(event), usageMetadata: index === 0 ? usage : undefined },
		}));
	}),
	contents('finish-alone', 'The finish reason in an event of its own, without parts', (events) => {
		const last = events[events.length - 1];
		const [candidate] = candidatesOf(last);
		const { finishReason, ...others } = candidate;
		return [
			...events.slice(0, -1),
			{ data: { ...dataOf(last), candidates: [others], usageMetadata: undefined } },
			{ data: { ...dataOf(last), candidates: [{ finishReason, index: 0 }] } },
		];
	}),
	contents('empty-candidates', 'Events without candidates between the others', (events) =>
		events.flatMap((event) => [{ data: { candidates: [] } }, event]),
	),
	contents('done-sentinel', '`[DONE]` at the end', (events) => [...events, { data: '[DONE]' }]),
	contents('no-role', 'No `role` and no `index`', (events) =>
		eachData(events, (data) => ({
			...(data as object),
			candidates: objectsIn((data as JsonObject).candidates).map((candidate) => ({
				...candidate,
				index: undefined,
				content: { parts: (candidate.content as JsonObject).parts },
			})),
		})),
	),
];

const sent = (
	name: string,
	description: string,
	stream: Variant['stream'],
	routes: readonly string[] = CHATS,
) => variant({ name: `sent-${name}`, description, routes, needsStream: true, stream });

const SENT: Dialect[] = [
	sent('comments', 'Comments between the events', { comments: true }),
	sent('crlf', 'Lines that end with CRLF', { lineEnd: 'crlf' }),
	sent('crlf-comments', 'Comments, and lines that end with CRLF', { comments: true, lineEnd: 'crlf' }),
	sent('bytes', 'Each byte in a chunk of its own', { chunkBytes: 1 }),
	sent('bytes-crlf', 'Each byte in a chunk of its own, CRLF', { chunkBytes: 1, lineEnd: 'crlf' }),
	sent('done-missing', 'No `[DONE]`', { done: 'missing' }, CHAT_COMPLETIONS),
	sent('done-twice', '`[DONE]` twice', { done: 'twice' }, CHAT_COMPLETIONS),
];

/** Event streams of the other formats, and how any of them is sent. */
export const otherStreams: readonly Dialect[] = [...MESSAGE, ...CONTENTS, ...SENT];
