import type { INodeProperties } from 'n8n-workflow';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { isBlank } from '../../shared/values';
import { ask } from '../ask';
import { chatFields, MAX_TOKENS, readBodyFields, temperatureOption } from '../fields';
import { messagesConversation } from '../formats/messages';
import type { ChatInput, InputSettings } from '../input.fields';

/** The endpoint requires it, so that it is always sent. */
const REQUIRED_MAX_TOKENS: INodeProperties = { ...MAX_TOKENS, default: 4096 };

/** Entries of Options by their name in the request (interface, 4.2). */
const BODY_OPTIONS = { temperature: temperatureOption(1) };

const messageInput: InputSettings = {
	systemAlways: true,
	contentField: 'content',
	jsonDescription:
		'The messages array as the gateway expects it. Each message has role (user or assistant) and content.',
};

const messageFields = chatFields({
	endpoint: endpoints.messages,
	input: messageInput,
	options: [REQUIRED_MAX_TOKENS, ...Object.values(BODY_OPTIONS)],
});

/**
 * Reads the operation's own parameters into fields of the request.
 *
 * @throws GatewayFailure (kind `input`) that names the parameter which cannot be used
 */
function readMessageBody(call: Call): Record<string, unknown> {
	return {
		max_tokens: call.options.numberOrDefault(REQUIRED_MAX_TOKENS),
		...readBodyFields(BODY_OPTIONS, (option) => call.options.number(option)),
	};
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
		await ask(call, messageInput, ({ model, input, streamed }) => ({
			endpoint: endpoints.messages,
			body: {
				model,
				...conversationFields(input),
				...readMessageBody(call),
				...(streamed ? { stream: true } : {}),
			},
		})),
};

function conversationFields({ messages, system, ...input }: ChatInput): object {
	if ('conversation' in input) return messagesConversation(input.conversation);
	return { messages, ...(isBlank(system) ? {} : { system }) };
}
