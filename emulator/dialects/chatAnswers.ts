import { type Dialect, type Meaning, variant } from './dialect';
import { type JsonObject, objectsIn } from './json';
import { CHAT_COMPLETIONS, MESSAGES } from './routes';

const NOTHING: Meaning = { kind: 'same', loose: { text: /^$/, finishReason: /^empty$/ } };

/** Whole chat answers as other gateways return them. */
export const chatAnswers: readonly Dialect[] = [
	variant({
		name: 'chat-content-null',
		description: '`content: null` with `finish_reason: "stop"`: an empty answer',
		routes: CHAT_COMPLETIONS,
		meaning: NOTHING,
		json: (value) => withMessage(value, (message) => ({ ...message, content: null })),
	}),
	variant({
		name: 'chat-content-parts',
		description: '`content` is a list of parts',
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			withMessage(value, ({ content: text, ...message }) => ({
				...message,
				content: [{ type: 'text', text }],
			})),
	}),
	variant({
		name: 'chat-tool-calls-empty',
		description: '`tool_calls: []`, `refusal: null`, and `audio: null` beside the text',
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			withMessage(value, (message) => ({
				...message,
				tool_calls: [],
				refusal: null,
				audio: null,
				annotations: [],
			})),
	}),
	variant({
		name: 'chat-reasoning-empty',
		description: '`reasoning_content: ""` beside the text',
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			withMessage(value, (message) => ({ ...message, reasoning_content: '', reasoning: null })),
	}),
	variant({
		name: 'messages-content-text',
		description: '`content` of a message is a text',
		routes: MESSAGES,
		json: (value) => {
			const whole = value as JsonObject;
			return {
				...whole,
				content: objectsIn(whole.content)
					.map(({ text }) => text)
					.join(''),
			};
		},
	}),
];

function withMessage(value: unknown, change: (message: JsonObject) => unknown): unknown {
	const whole = value as JsonObject;
	return {
		...whole,
		choices: objectsIn(whole.choices).map((choice) => ({
			...choice,
			message: change(choice.message as JsonObject),
		})),
	};
}
