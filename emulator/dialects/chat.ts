import type { StreamEvent } from '../http/streamEvent';
import { type Dialect, type Meaning, type Variant, variant } from './dialect';
import { between, choices, choicesOf, dataOf, merged, onRoute } from './events';
import { eachData, isObject, type JsonObject, objectsIn } from './json';
import { CHAT_COMPLETIONS, CHATS, GENERATE_CONTENT, MESSAGES } from './routes';

const EMPTY: Meaning = { kind: 'same', variable: { text: /^$/, finishReason: /^empty$/ } };

/** A GIF of one pixel, in Base64. */
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Returns the meaning of an answer that contains additional fields. */
const withMore = (variable: Record<string, RegExp>): Meaning => ({ kind: 'same', variable });

const answer = (
	name: string,
	description: string,
	source: string,
	change: (message: JsonObject) => JsonObject,
	meaning?: Meaning,
) =>
	variant({
		name: `chat-${name}`,
		description,
		source,
		routes: CHAT_COMPLETIONS,
		...(meaning ? { meaning } : {}),
		json: (value) => {
			const whole = value as JsonObject;
			const all = objectsIn(whole.choices);
			return {
				...whole,
				choices: all.map((choice) => ({ ...choice, message: change(choice.message as JsonObject) })),
			};
		},
	});

/** Shapes of whole chat completions. */
export const chatAnswers: readonly Dialect[] = [
	answer(
		'content-null',
		'`content: null` with `finish_reason: "stop"`: an empty answer',
		'OpenAI: message.content is nullable',
		(message) => ({ ...message, content: null }),
		EMPTY,
	),
	answer(
		'content-parts',
		'`content` is a list of parts',
		'Mistral: content chunks',
		({ content: text, ...message }) => ({ ...message, content: [{ type: 'text', text }] }),
	),
	answer(
		'tool-calls-empty',
		'`tool_calls: []`, `refusal: null`, and `audio: null` beside the text',
		'vLLM: chat completions',
		(message) => ({ ...message, tool_calls: [], refusal: null, audio: null, annotations: [] }),
	),
	answer(
		'reasoning-empty',
		'`reasoning_content: ""` beside the text',
		'DeepSeek and OpenRouter: models that do not reason',
		(message) => ({ ...message, reasoning_content: '', reasoning: null }),
	),
	answer(
		'images',
		'An image in `images[]` beside the text',
		'OpenRouter: image generation',
		(message) => ({
			...message,
			images: [{ type: 'image_url', image_url: { url: `data:image/gif;base64,${GIF}` } }],
		}),
		withMore({ otherContent: /"url":"data"/, files: /image\/gif/ }),
	),
	answer(
		'audio',
		'`content: null`, and the text as the transcript of `audio`',
		'OpenAI: audio output',
		({ content: transcript, ...message }) => ({
			...message,
			content: null,
			audio: { id: 'audio_1', data: GIF, expires_at: 1_800_000_000, transcript },
		}),
		withMore({ otherContent: /"data":"data"/, files: /image\/gif/ }),
	),
	answer(
		'sources',
		'`annotations` with `url_citation`',
		'OpenAI and OpenRouter: web search',
		(message) => ({
			...message,
			annotations: [
				{ type: 'url_citation', url_citation: { url: 'https://example.com/', title: 'Example' } },
			],
		}),
		withMore({ sources: /https:\/\/example\.com/ }),
	),
];

const chat = onRoute('stream', CHAT_COMPLETIONS);
const messages = onRoute('messages', MESSAGES);
const contents = onRoute('contents', GENERATE_CONTENT);

const NO_TOKENS = { inputTokens: null, outputTokens: null };
const hasUsage = (event: StreamEvent) => isObject(dataOf(event).usage);
const hasFinish = (event: StreamEvent) => choicesOf(event).some(({ finish_reason: reason }) => reason);

const sent = (
	name: string,
	description: string,
	source: string,
	stream: Variant['stream'],
	routes: readonly string[] = CHATS,
) => variant({ name: `sent-${name}`, description, source, routes, needsStream: true, stream });

/** Shapes of event streams of the three formats, and ways in which any of them is sent. */
export const chatStreams: readonly Dialect[] = [
	chat(
		'usage-with-finish',
		'Usage in the event of the finish reason',
		'Mistral and DeepSeek: last chunk',
		merged(hasUsage, (before, { usage }) => ({ ...before, usage })),
	),
	chat('usage-null-and-last', '`usage: null` in every other chunk', 'OpenAI: include_usage', (events) =>
		eachData(events, (data) => ({ usage: null, ...(data as object) })),
	),
	chat(
		'no-usage',
		'No usage at all',
		'OpenAI: streams without include_usage',
		(events) => events.filter((event) => !hasUsage(event)),
		NO_TOKENS,
	),
	chat(
		'finish-with-text',
		'The finish reason in the last event with text',
		'Gemini: chat completions',
		merged(hasFinish, (before, data) => ({
			...before,
			choices: objectsIn(before.choices).map((choice) => ({
				...choice,
				finish_reason: objectsIn(data.choices)[0].finish_reason,
			})),
		})),
	),
	chat(
		'content-null',
		'`content: null` in the first and the last delta',
		'OpenAI: delta.content is nullable',
		choices((choice) => {
			const delta = choice.delta as JsonObject;
			return delta.content ? choice : { ...choice, delta: { ...delta, content: null } };
		}),
	),
	chat(
		'role-repeated',
		'The role in every delta',
		'OpenRouter: chunks',
		choices((choice) => ({ ...choice, delta: { role: 'assistant', ...(choice.delta as object) } })),
	),
	chat(
		'text-beside',
		'The text again beside each delta',
		'Together: chunks',
		choices((choice) => ({ ...choice, text: (choice.delta as JsonObject).content ?? '' })),
	),
	chat('content-lists', 'Every other text as a list of parts', 'Mistral: reasoning', (events) =>
		events.map((event, index) =>
			index % 2 === 0
				? event
				: choices((choice) => {
						const { content: text, ...delta } = choice.delta as JsonObject;
						return text ? { ...choice, delta: { ...delta, content: [{ type: 'text', text }] } } : choice;
					})([event])[0],
		),
	),
	chat('usage-in-choice', 'Usage in the choice with the finish reason', 'Moonshot: last chunk', (events) => {
		const { usage } = dataOf(events.find(hasUsage) ?? { data: {} });
		const withUsage = choices((choice) => (choice.finish_reason ? { ...choice, usage } : choice));
		return usage ? withUsage(events.filter((event) => !hasUsage(event))) : events;
	}),
	chat(
		'no-choices',
		'Chunks without choices between the others',
		'Azure: prompt_filter_results',
		between({ data: { choices: [], prompt_filter_results: [] } }),
	),
	messages(
		'pings-everywhere',
		'Pings between all events',
		'Anthropic: ping events',
		between({ name: 'ping', data: { type: 'ping' } }),
	),
	messages(
		'unknown-events',
		'Events of unknown types',
		'Anthropic: versioning policy',
		between({ name: 'telemetry', data: { type: 'telemetry', load: 0.7 } }),
	),
	contents(
		'finish-alone',
		'The finish reason in an event of its own, without parts',
		'Gemini: last event',
		(events) => {
			const last = events[events.length - 1];
			const [{ finishReason, ...others }] = objectsIn(dataOf(last).candidates);
			return [
				...events.slice(0, -1),
				{ data: { ...dataOf(last), candidates: [others], usageMetadata: undefined } },
				{ data: { ...dataOf(last), candidates: [{ finishReason, index: 0 }] } },
			];
		},
	),
	contents('no-candidates', 'Events without candidates between the others', 'Gemini: usage alone', (events) =>
		events.flatMap((event) => [{ data: { candidates: [] } }, event]),
	),
	sent('comments', 'Comments between the events', 'OpenRouter: keep-alive', { comments: true }),
	sent('crlf', 'Lines that end with CRLF', 'Gemini: event streams', { lineEnd: 'crlf' }),
	sent('bytes', 'Each byte in a chunk of its own', 'HTTP: chunks of any size', { chunkBytes: 1 }),
	sent('done-missing', 'No `[DONE]`', 'Recorded: New API and One API', { done: 'missing' }, CHAT_COMPLETIONS),
	sent('done-twice', '`[DONE]` twice', 'Recorded: New API and One API', { done: 'twice' }, CHAT_COMPLETIONS),
];
