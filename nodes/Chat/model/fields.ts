import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from '../../shared/fields/options';
import type { RequestOptions } from '../../shared/send/client';
import { endpoints } from '../../shared/send/endpoints';
import type { SubNodeCall } from '../../shared/run/subNode';
import { entryOf } from '../../shared/plain/values';
import { MODEL, NO_USAGE, STREAM } from '../fields';
import type { Generation } from '../formats/generation';
import {
	generationOptions,
	MESSAGES_GENERATION,
	PROMPT_CACHING,
	readGeneration,
	SEED,
	temperatureOption,
	type GenerationSettings,
} from '../generation.fields';
import { choiceField } from '../../shared/fields/field';

const FORMAT = choiceField(
	'Format',
	'format',
	'chat',
	'The format of the requests to the model. Agents and chains work the same with both.',
	[
		{
			name: 'Chat Completion',
			value: 'chat',
			description: 'Use the endpoint that serves all chat models of the gateway',
		},
		{
			name: 'Messages',
			value: 'messages',
			description: 'Use the endpoint with content blocks, for models that support it',
		},
	],
);

/** With the same Max Tokens as the messages format, because both formats share the option. */
const CHAT_GENERATION: GenerationSettings = { maxTokens: MESSAGES_GENERATION.maxTokens, maxTemperature: 2 };

const TEMPERATURE: INodeProperties = {
	...temperatureOption(2),
	description:
		'How random the answer is, from 0 to 2 (messages format: 0 to 1). Lower values make it more predictable.',
};

const onlyIn = (format: string) => ({ displayOptions: { show: { [`/${FORMAT.name}`]: [format] } } });

/** What differs from the options of Unified AI Chat, because of the format. */
const DIFFERENCES: Record<string, Partial<INodeProperties>> = {
	[NO_USAGE.name]: onlyIn('chat'),
	[SEED.name]: onlyIn('chat'),
	[PROMPT_CACHING.name]: onlyIn('messages'),
	[TEMPERATURE.name]: TEMPERATURE,
};
const OPTIONS = [NO_USAGE, STREAM, ...generationOptions(CHAT_GENERATION), PROMPT_CACHING].map((option) => ({
	...option,
	...entryOf(DIFFERENCES, option.name),
}));

export const chatModelFields: INodeProperties[] = [
	MODEL,
	FORMAT,
	...optionFields(
		endpoints.chatCompletions,
		{ streams: true, parallel: false, pays: 'tokens', isSubNode: true },
		OPTIONS,
	),
];

export interface ChatModelSettings {
	model: string;
	format: 'chat' | 'messages';
	generation: Generation;
	/** How long prompts are kept in the cache, in the messages format; empty for not at all. */
	cacheTime: string;
	/** Whether to request every answer as a stream, even if the whole answer is wanted. */
	stream: boolean;
	/** Whether to request the token usage of a stream in the chat format. */
	includeUsage: boolean;
	/** Merged into each request; they override the other fields. */
	extraBodyFields: Record<string, unknown>;
	requestOptions: RequestOptions;
}

/** Reads the parameters. */
export function readSettings(call: SubNodeCall): ChatModelSettings {
	const { options, extraBodyFields, requestOptions } = call;
	const isMessages = call.text(FORMAT) === 'messages';
	return {
		model: call.picked(MODEL),
		format: isMessages ? 'messages' : 'chat',
		generation: readGeneration(options, isMessages ? MESSAGES_GENERATION : CHAT_GENERATION),
		cacheTime: isMessages ? options.text(PROMPT_CACHING) : '',
		stream: options.flag(STREAM),
		includeUsage: !options.flag(NO_USAGE),
		extraBodyFields,
		requestOptions,
	};
}
