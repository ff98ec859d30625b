import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from '../../shared/fields/options';
import type { RequestOptions } from '../../shared/gateway/client';
import { endpoints } from '../../shared/gateway/endpoints';
import type { SubNodeCall } from '../../shared/runtime/subNode';
import { INCLUDE_USAGE, MAX_TOKENS, MODEL, STREAM, temperatureOption } from '../fields';

const FORMAT: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
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
	default: 'chat',
	description: 'The format of the requests to the model. Agents and chains work the same with both.',
};

const MODEL_INCLUDE_USAGE: INodeProperties = {
	...INCLUDE_USAGE,
	displayOptions: { show: { '/format': ['chat'] } },
	description:
		'Whether to request the token usage at the end of a stream. Turn off for gateways that reject the field.',
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
const MESSAGES_TEMPERATURE = temperatureOption(1);

/** The parameters of the Chat Model. */
export const chatModelFields: INodeProperties[] = [
	MODEL,
	FORMAT,
	optionsField(
		{
			timeoutSeconds: endpoints.chatCompletions.timeoutSeconds,
			body: true,
			streams: true,
			concurrency: false,
			reuse: false,
		},
		[MODEL_INCLUDE_USAGE, MODEL_MAX_TOKENS, MODEL_STREAM, MODEL_TEMPERATURE],
	),
];

/** The values of the parameters. */
export interface ChatModelSettings {
	model: string;
	format: 'chat' | 'messages';
	/** Optional fields that both formats have, by their name in the request; undefined where not set. */
	body: { max_tokens: number | undefined; temperature: number | undefined };
	/** Whether to request every answer as a stream, even if the whole answer is wanted. */
	stream: boolean;
	/** Whether to request the token usage of a stream in the chat format. */
	includeUsage: boolean;
	/** Merged into each request; they override the other fields. */
	extraBodyFields: Record<string, unknown>;
	requestOptions: RequestOptions;
}

/**
 * Reads the parameters.
 *
 * @throws GatewayFailure (kind `input`) that names the one which cannot be used
 */
export function readSettings(call: SubNodeCall): ChatModelSettings {
	const { options, extraBodyFields, requestOptions } = call;
	const isMessages = call.text(FORMAT) === 'messages';
	return {
		model: call.picked(MODEL),
		format: isMessages ? 'messages' : 'chat',
		body: {
			max_tokens: isMessages ? options.numberOrDefault(MODEL_MAX_TOKENS) : options.number(MODEL_MAX_TOKENS),
			temperature: options.number(isMessages ? MESSAGES_TEMPERATURE : MODEL_TEMPERATURE),
		},
		stream: options.flag(MODEL_STREAM),
		includeUsage: options.flagOrDefault(MODEL_INCLUDE_USAGE),
		extraBodyFields,
		requestOptions,
	};
}
