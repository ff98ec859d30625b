import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { isBlank } from '../../shared/plain/values';
import { ask } from '../ask';
import type { QuestionWriter } from '../question';
import { answerTool, isObjectSchema } from '../json/nativeSchema';
import { chatFields } from '../fields';
import { isThinking, messagesGeneration } from '../formats/generation';
import { messagesConversation, messagesTools } from '../formats/messages';
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

/** @throws GatewayFailure (kind `input`) that names the parameter which cannot be used */
function messagesWriter(call: Call): QuestionWriter {
	const generation = readGeneration(call.options, GENERATION);
	const cacheTime = readPromptCaching(call.options);
	const fields = messagesGeneration(generation);
	return {
		input: messageInput,
		// A model that thinks must not be forced to call a tool, nor one that has others to choose from.
		schemaFields: (schema, hasTools) =>
			isObjectSchema(schema) && !hasTools && !isThinking(generation) ? answerTool(schema) : undefined,
		request: ({ model, input, further, tools, schemaFields, streamed }) => {
			const { messages, ...system } = conversationFields(input);
			const body = {
				model,
				messages: [...messages, ...messagesConversation({ system: '', turns: further }).messages],
				...system,
				...(tools.length > 0 ? { tools: messagesTools(tools) } : {}),
				...fields,
				...(streamed ? { stream: true } : {}),
				...schemaFields,
			};
			return { endpoint: endpoints.messages, body: cacheTime ? withCacheMarks(body, cacheTime) : body };
		},
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
	run: async (call) => await ask(call, messagesWriter(call)),
};

function conversationFields({ messages, system, ...input }: ChatInput): {
	messages: object[];
	system?: string;
} {
	if ('conversation' in input) return messagesConversation(input.conversation);
	return { messages: messages ?? [], ...(isBlank(system) ? {} : { system }) };
}
