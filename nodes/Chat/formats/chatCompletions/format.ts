import type { Call } from '../../../shared/run/call';
import { choiceField, textField } from '../../../shared/fields/field';
import type { ChatFormat } from '../chatFormat';
import { temperatureUpTo } from '../generation';
import { answer } from './answer';
import { NO_USAGE, request } from './request';
import { stream } from './stream';

const CUSTOM = 'custom';

const STYLE = choiceField('Raw Response Style', 'style', {
	default: '',
	description: 'The format of the response',
	options: [
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
	displayOptions: { show: { simplify: [false] } },
});

const CUSTOM_STYLE = textField('Custom Style', 'customStyle', 'Name of the format', {
	placeholder: 'e.g. chat-format',
	displayOptions: { show: { simplify: [false], style: [CUSTOM] } },
});

function readStyle(call: Call): string | undefined {
	const style = call.text(STYLE);
	return style === CUSTOM ? call.requiredText(CUSTOM_STYLE).trim() : style || undefined;
}

/** Chat completions (interface, 4.1), which every chat model of the gateway has. */
export const chatCompletions: ChatFormat = {
	operation: {
		value: 'chatCompletion',
		name: 'Message a Model',
		action: 'Message a model',
		description: 'Ask any chat model of the gateway. The right choice for nearly everything.',
	},
	chatModel: {
		choice: {
			name: 'Chat Completion',
			value: 'chat',
			description: 'Use the endpoint that serves all chat models of the gateway',
		},
		toolChoice(choice) {
			if (choice === 'any') return { tool_choice: 'required' };
			const isName = choice !== 'auto' && choice !== 'none';
			return { tool_choice: isName ? { type: 'function', function: { name: choice } } : choice };
		},
	},
	input: {
		systemAlways: false,
		jsonDescription: 'The messages array as the gateway expects it',
		content: '"content": "Hello"',
		needs: { field: 'role', isList: false },
		files: { audio: 'content', image: 'any', pdf: 'any' },
	},
	generation: {
		naming: 'chatCompletions',
		differences: { temperature: temperatureUpTo(2) },
		needsMaxTokens: false,
	},
	options: [NO_USAGE],
	raw: { parameters: [STYLE, CUSTOM_STYLE], read: (call) => ({ style: readStyle(call) }) },
	request,
	answer,
	stream,
};
