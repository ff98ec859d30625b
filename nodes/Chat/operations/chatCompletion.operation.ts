import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { ask } from '../ask';
import type { QuestionWriter } from '../question';
import { isObjectSchema, responseFormat } from '../json/nativeSchema';
import { chatFields, NO_USAGE } from '../fields';
import { chatCompletionBody, chatCompletionMessages, chatCompletionTools } from '../formats/chatCompletion';
import { generationOptions, MAX_TOKENS, readGeneration, type GenerationSettings } from '../generation.fields';
import type { InputSettings } from '../input.fields';
import { choiceField, textField } from '../../shared/fields/field';

const CUSTOM = 'custom';

const STYLE = choiceField(
	'Raw Response Style',
	'style',
	'',
	'The format of the response',
	[
		{ name: 'Chat', value: 'chat-format', description: 'A response with choices' },
		{ name: 'Custom', value: CUSTOM, description: 'Another format that your gateway supports' },
		{
			name: 'Generate Content',
			value: 'generate-content-format',
			description: 'A response with candidates',
		},
		{ name: 'Messages', value: 'messages-format', description: 'A response with content blocks' },
		{ name: 'Not Set', value: '', description: 'The default of the gateway, which is Chat' },
	],
	{ displayOptions: { show: { simplify: [false] } } },
);

const CUSTOM_STYLE = textField('Custom Style', 'customStyle', 'Name of the format', {
	placeholder: 'e.g. chat-format',
	displayOptions: { show: { simplify: [false], style: [CUSTOM] } },
});

const GENERATION: GenerationSettings = { maxTokens: MAX_TOKENS, maxTemperature: 2 };

const chatCompletionInput: InputSettings = {
	systemAlways: false,
	format: 'chatCompletion',
	jsonDescription: 'The messages array as the gateway expects it',
};

const chatCompletionFields = chatFields({
	endpoint: endpoints.chatCompletions,
	input: chatCompletionInput,
	raw: [STYLE, CUSTOM_STYLE],
	options: [NO_USAGE, ...generationOptions(GENERATION)],
});

function chatCompletionWriter(call: Call): QuestionWriter {
	const style = readStyle(call);
	const generation = readGeneration(call.options, GENERATION);
	const includeUsage = !call.options.flag(NO_USAGE);
	return {
		input: chatCompletionInput,
		schemaFields: (schema) => (isObjectSchema(schema) ? responseFormat(schema) : undefined),
		request: ({ model, input, further, tools, schemaFields, streamed }) => {
			const messages = [
				...(input.messages ?? chatCompletionMessages(input)),
				...chatCompletionMessages({ system: '', turns: further }),
			];
			const parts = { model, messages, tools: chatCompletionTools(tools), generation, streamed };
			const body = { ...chatCompletionBody(parts, includeUsage), style, ...schemaFields };
			return { endpoint: endpoints.chatCompletions, body };
		},
	};
}

function readStyle(call: Call): string | undefined {
	const style = call.text(STYLE);
	return style === CUSTOM ? call.requiredText(CUSTOM_STYLE).trim() : style || undefined;
}

/** Asks a model in the chat completion format (interface, 4.1). */
export const chatCompletion: ItemOperation = {
	value: 'chatCompletion',
	name: 'Message a Model',
	action: 'Message a model',
	description: 'Ask any chat model of the gateway. The right choice for nearly everything.',
	fields: chatCompletionFields,
	run: (call) => ask(call, chatCompletionWriter(call)),
};
