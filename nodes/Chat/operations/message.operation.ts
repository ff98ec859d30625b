import { messagesConversation } from '../formats/messagesRequest';
import { endpoints } from '../../shared/gateway/endpoints';
import type { ItemOperation } from '../../shared/runtime/operation';
import { ask, readJsonWish } from '../ask';
import { chatFields, temperatureOption } from '../fields';
import { readInput } from '../input';

/** Asks a model in the messages format (interface, 4.2). */
export const message: ItemOperation = {
	value: 'message',
	name: 'Message',
	action: 'Create message',
	description: 'Ask a model through the messages endpoint, with content blocks and thinking kept',
	fields: chatFields({
		endpoint: endpoints.messages,
		system: {
			displayName: 'System',
			description: 'How the model should behave, whatever it is asked',
			always: true,
		},
		json: {
			example: '[\n  { "role": "user", "content": "Hello" }\n]',
			description:
				'The messages array as the gateway takes it, each with role (user or assistant) and content',
		},
		own: [
			{
				displayName: 'Max Tokens',
				name: 'maxTokens',
				type: 'number',
				typeOptions: { minValue: 1 },
				required: true,
				default: 1024,
				description:
					'Most tokens that the model may write; this endpoint demands it. Longer answers are cut off.',
			},
		],
		options: [temperatureOption(1)],
	}),
	async run(call) {
		const wish = readJsonWish(call);
		const input = await readInput(call, { contentField: 'content', systemAlways: true, wish });
		const model = call.picked('model', 'Model');
		const streamed = call.flag('stream');
		const system = input.system.trim() === '' ? {} : { system: input.system };
		const body = {
			model,
			...('messages' in input
				? { messages: input.messages, ...system }
				: messagesConversation(input.conversation)),
			max_tokens: call.number('maxTokens', 'Max Tokens', { min: 1, whole: true }),
			temperature: call.optionalNumber('temperature', 'Temperature', { min: 0, max: 1 }),
			...(streamed ? { stream: true } : {}),
			...call.extraBodyFields,
		};
		return await ask(call, { endpoint: endpoints.messages, body, model, streamed, wish });
	},
};
