import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { ask } from '../ask';
import type { QuestionWriter } from '../question';
import { answerTool, isObjectSchema } from '../json/nativeSchema';
import { chatFields } from '../fields';
import { isThinking } from '../formats/generation';
import { messagesBody, messagesConversation, messagesTools } from '../formats/messages';
import { withCacheMarks } from '../formats/promptCache';
import { generationOptions, MESSAGES_GENERATION, PROMPT_CACHING, readGeneration } from '../generation.fields';
import type { InputSettings } from '../input.fields';

const messageInput: InputSettings = {
	systemAlways: true,
	format: 'messages',
	jsonDescription:
		'The messages array as the gateway expects it. Each message has role (user or assistant) and content.',
};

const messageFields = chatFields({
	endpoint: endpoints.messages,
	input: messageInput,
	options: generationOptions(MESSAGES_GENERATION),
});

function messagesWriter(call: Call): QuestionWriter {
	const generation = readGeneration(call.options, MESSAGES_GENERATION);
	const cacheTime = call.options.text(PROMPT_CACHING);
	return {
		input: messageInput,
		// A model that thinks must not be forced to call a tool, nor one that has others to choose from.
		schemaFields: (schema, hasTools) =>
			isObjectSchema(schema) && !hasTools && !isThinking(generation) ? answerTool(schema) : undefined,
		request: ({ model, input, further, tools, schemaFields, streamed }) => {
			const { messages, system } = messagesConversation(input);
			const more = messagesConversation({ system: '', turns: further }).messages;
			const all = [...(input.messages ?? messages), ...more];
			const fields = { model, messages: all, system, tools: messagesTools(tools), generation, streamed };
			const body = { ...messagesBody(fields), ...schemaFields };
			return { endpoint: endpoints.messages, body: cacheTime ? withCacheMarks(body, cacheTime) : body };
		},
	};
}

/** Asks a model in the messages format (interface, 4.2). */
export const message: ItemOperation = {
	value: 'message',
	name: 'Message a Model (Messages Format)',
	action: 'Message a model (messages format)',
	description:
		'For models that answer fully only in this format, for example with content blocks and thinking',
	fields: messageFields,
	run: (call) => ask(call, messagesWriter(call)),
};
