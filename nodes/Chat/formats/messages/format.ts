import type { ChatFormat } from '../chatFormat';
import { isThinking, temperatureUpTo } from '../generation';
import { answer } from './answer';
import { PROMPT_CACHING, request } from './request';
import { stream } from './stream';

/** The messages format (interface, 4.2). */
export const messages: ChatFormat = {
	operation: {
		value: 'message',
		name: 'Message a Model (Messages Format)',
		action: 'Message a model (messages format)',
		description:
			'For models that answer fully only in this format, for example with content blocks and thinking',
	},
	chatModel: {
		choice: {
			name: 'Messages',
			value: 'messages',
			description: 'Use the endpoint with content blocks, for models that support it',
		},
		toolChoice(choice, generation) {
			// The format refuses to think before a call that is demanded.
			if (isThinking(generation)) return {};
			const isName = !['any', 'auto', 'none'].includes(choice);
			return { tool_choice: isName ? { type: 'tool', name: choice } : { type: choice } };
		},
	},
	input: {
		systemAlways: true,
		jsonDescription:
			'The messages array as the gateway expects it. Each message has role (user or assistant) and content.',
		content: '"content": "Hello"',
		needs: { field: 'role', isList: false },
		files: { image: 'any', pdf: 'any' },
	},
	generation: {
		naming: 'messages',
		differences: { maxTokens: { default: 4096 }, temperature: temperatureUpTo(1) },
		needsMaxTokens: true,
	},
	options: [PROMPT_CACHING],
	request,
	answer,
	stream,
};
