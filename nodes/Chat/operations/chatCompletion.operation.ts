import type { INodeProperties } from 'n8n-workflow';
import { chatCompletionMessages } from '../formats/chatCompletionRequest';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { ask, readJsonWish } from '../ask';
import { chatFields, temperatureOption } from '../fields';
import { readInput } from '../input';

const STYLE: INodeProperties[] = [
	{
		displayName: 'Response Format',
		name: 'style',
		type: 'options',
		options: [
			{ name: 'Chat', value: 'chat-format', description: 'An answer with choices' },
			{ name: 'Custom', value: 'custom', description: 'Another name that your gateway knows' },
			{
				name: 'Generate Content',
				value: 'generate-content-format',
				description: 'An answer with candidates',
			},
			{ name: 'Messages', value: 'messages-format', description: 'An answer with content blocks' },
			{ name: 'Not Set', value: '', description: 'The gateway decides, which means Chat' },
		],
		default: '',
		description:
			'The format in which the gateway answers. The simplified output is the same for all of them; with Simplify off you get the format itself.',
	},
	{
		displayName: 'Custom Response Format',
		name: 'customStyle',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. chat-format',
		displayOptions: { show: { style: ['custom'] } },
		description: 'Name of the format as your gateway calls it',
	},
];

/** Asks a chat model in the default chat format (interface, 4.1). */
export const chatCompletion: ItemOperation = {
	value: 'chatCompletion',
	name: 'Chat Completion',
	action: 'Complete chat',
	description: 'Ask any model of the gateway through the endpoint that serves them all',
	fields: chatFields({
		endpoint: endpoints.chatCompletions,
		system: {
			displayName: 'System Prompt',
			description: 'How the model should behave, whatever it is asked',
			always: false,
		},
		json: {
			example: '[\n  { "role": "user", "content": "Hello" }\n]',
			description: 'The messages array as the gateway takes it, each with role and content',
		},
		own: STYLE,
		options: [
			{
				displayName: 'Include Usage',
				name: 'includeUsage',
				type: 'boolean',
				default: true,
				description: 'Whether to ask for the token usage at the end of a stream',
			},
			{
				displayName: 'Max Tokens',
				name: 'maxTokens',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1024,
				description: 'Most tokens that the model may write. Longer answers are cut off.',
			},
			temperatureOption(2),
		],
	}),
	async run(call) {
		const wish = readJsonWish(call);
		const input = await readInput(call, { contentField: 'content', systemAlways: false, wish });
		const model = call.picked('model', 'Model');
		const streamed = call.flag('stream');
		const body = {
			model,
			messages: 'messages' in input ? input.messages : chatCompletionMessages(input.conversation),
			style: styleOf(call),
			...(streamed ? streamFields(call) : {}),
			max_tokens: call.optionalNumber('maxTokens', 'Max Tokens', { min: 1, whole: true }),
			temperature: call.optionalNumber('temperature', 'Temperature', { min: 0, max: 2 }),
			...call.extraBodyFields,
		};
		return await ask(call, { endpoint: endpoints.chatCompletions, body, model, streamed, wish });
	},
};

function styleOf(call: Call): string | undefined {
	const style = call.text('style');
	if (style !== 'custom') return style === '' ? undefined : style;
	return call.requiredText('customStyle', 'Custom Response Format').trim();
}

function streamFields({ options }: Call): object {
	const usage = options.includeUsage === false ? {} : { stream_options: { include_usage: true } };
	return { stream: true, ...usage };
}
