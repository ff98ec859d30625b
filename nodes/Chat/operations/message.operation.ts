import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { isBlank } from '../../shared/values';
import { ask, type ChatQuestion } from '../ask';
import { chatFields } from '../fields';
import { messagesGeneration } from '../formats/generation';
import { messagesConversation } from '../formats/messages';
import { withCacheMarks } from '../formats/promptCache';
import {
	generationOptions,
	MAX_TOKENS,
	readGeneration,
	readPromptCaching,
	type GenerationSettings,
} from '../generation.fields';
import type { ChatInput, InputSettings } from '../input.fields';

const GENERATION: GenerationSettings = {
	// The endpoint requires it, so that it is always sent.
	maxTokens: { ...MAX_TOKENS, default: 4096 },
	maxTemperature: 1,
	isMessages: true,
};

const messageInput: InputSettings = {
	systemAlways: true,
	format: 'messages',
	jsonDescription:
		'The messages array as the gateway expects it. Each message has role (user or assistant) and content.',
};

const messageFields = chatFields({
	endpoint: endpoints.messages,
	input: messageInput,
	options: generationOptions(GENERATION),
});

/**
 * The body of a request.
 *
 * @throws GatewayFailure (kind `input`) that names the parameter which cannot be used
 */
function bodyOf(call: Call, { model, input, streamed }: ChatQuestion): Record<string, unknown> {
	const body = {
		model,
		...conversationFields(input),
		...messagesGeneration(readGeneration(call.options, GENERATION)),
		...(streamed ? { stream: true } : {}),
	};
	const cacheTime = readPromptCaching(call.options);
	return cacheTime ? withCacheMarks(body, cacheTime) : body;
}

/** Asks a model in the messages format (interface, 4.2). */
export const message: ItemOperation = {
	value: 'message',
	name: 'Message a Model (Messages Format)',
	action: 'Message a model in messages format',
	description:
		'For models that answer fully only in this format, for example with content blocks and thinking',
	fields: messageFields,
	run: async (call) =>
		await ask(call, messageInput, (question) => ({
			endpoint: endpoints.messages,
			body: bodyOf(call, question),
		})),
};

function conversationFields({ messages, system, ...input }: ChatInput): object {
	if ('conversation' in input) return messagesConversation(input.conversation);
	return { messages, ...(isBlank(system) ? {} : { system }) };
}
