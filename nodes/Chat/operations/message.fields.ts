import type { INodeProperties } from 'n8n-workflow';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import { chatFields, MAX_TOKENS, readBodyFields, temperatureOption } from '../fields';
import type { InputSettings } from '../input.fields';

const REQUIRED_MAX_TOKENS: INodeProperties = {
	...MAX_TOKENS,
	required: true,
	description:
		'Maximum number of tokens to generate (required by this endpoint). Longer answers are cut off.',
};

/** Entries of Options by their name in the request (interface, 4.2). */
const BODY_OPTIONS = { temperature: temperatureOption(1) };

export const messageInput: InputSettings = {
	system: { displayName: 'System' },
	systemAlways: true,
	contentField: 'content',
	jsonDescription:
		'The messages array as the gateway expects it. Each message has role (user or assistant) and content.',
};

export const messageFields = chatFields({
	endpoint: endpoints.messages,
	input: messageInput,
	own: [REQUIRED_MAX_TOKENS],
	options: Object.values(BODY_OPTIONS),
});

/**
 * Reads the operation's own parameters into fields of the request.
 *
 * @throws GatewayFailure (kind `input`) that names the parameter which cannot be used
 */
export function readMessageBody(call: Call): Record<string, unknown> {
	return {
		max_tokens: call.number(REQUIRED_MAX_TOKENS),
		...readBodyFields(BODY_OPTIONS, (option) => call.options.number(option)),
	};
}
