import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from '../../shared/fields/options';
import type { RequestOptions } from '../../shared/send/client';
import { endpoints } from '../../shared/send/endpoints';
import type { SubNodeCall } from '../../shared/run/subNode';
import { MODEL, NO_USAGE, STREAM } from '../fields';
import type { Generation } from '../formats/generation';
import type { CacheTime } from '../formats/promptCache';
import {
	generationOptions,
	MAX_TOKENS,
	PROMPT_CACHING,
	readGeneration,
	readPromptCaching,
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

const MODEL_NO_USAGE: INodeProperties = {
	...NO_USAGE,
	displayOptions: { show: { '/format': ['chat'] } },
};

/** The messages format requires a number, so it gets the default when the option is not set. */
const MODEL_MAX_TOKENS: INodeProperties = {
	...MAX_TOKENS,
	default: 4096,
	description:
		'Maximum number of tokens to generate. Longer answers are cut off. The messages format requires a number and uses 4096 if this is not set.',
};

const MODEL_STREAM: INodeProperties = {
	...STREAM,
	description:
		'Whether to receive every answer in chunks, so that long answers do not run into time limits. If the response mode of the trigger is streaming, this happens automatically.',
};

const MODEL_TEMPERATURE: INodeProperties = {
	...temperatureOption(2),
	description:
		'How random the answer is, from 0 to 2 (messages format: 0 to 1). Lower values make it more predictable.',
};
const MODEL_SEED: INodeProperties = { ...SEED, displayOptions: { show: { '/format': ['chat'] } } };
const MODEL_PROMPT_CACHING: INodeProperties = {
	...PROMPT_CACHING,
	displayOptions: { show: { '/format': ['messages'] } },
};

const CHAT: GenerationSettings = { maxTokens: MODEL_MAX_TOKENS, maxTemperature: 2 };
const MESSAGES: GenerationSettings = { maxTokens: MODEL_MAX_TOKENS, maxTemperature: 1, isMessages: true };
const OWN_OPTIONS = new Map(
	[MODEL_TEMPERATURE, MODEL_SEED, MODEL_PROMPT_CACHING].map((option) => [option.name, option]),
);
const MODEL_OPTIONS = [...generationOptions(CHAT), PROMPT_CACHING].map(
	(option) => OWN_OPTIONS.get(option.name) ?? option,
);

export const chatModelFields: INodeProperties[] = [
	MODEL,
	FORMAT,
	...optionFields(
		endpoints.chatCompletions,
		{ streams: true, parallel: false, pays: 'tokens', isSubNode: true },
		[MODEL_NO_USAGE, MODEL_STREAM, ...MODEL_OPTIONS],
	),
];

export interface ChatModelSettings {
	model: string;
	format: 'chat' | 'messages';
	generation: Generation;
	/** How long prompts are kept in the cache, in the messages format; undefined for not at all. */
	cacheTime: CacheTime | undefined;
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
		generation: readGeneration(options, isMessages ? MESSAGES : CHAT),
		cacheTime: isMessages ? readPromptCaching(options) : undefined,
		stream: options.flag(MODEL_STREAM),
		includeUsage: !options.flag(MODEL_NO_USAGE),
		extraBodyFields,
		requestOptions,
	};
}
