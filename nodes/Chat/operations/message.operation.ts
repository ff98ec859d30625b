import { endpoints } from '../../shared/gateway/endpoints';
import type { ItemOperation } from '../../shared/runtime/operation';
import { isBlank } from '../../shared/values';
import { ask } from '../ask';
import { messagesConversation } from '../formats/messages';
import type { ChatInput } from '../input.fields';
import { messageFields, messageInput, readMessageBody } from './message.fields';

/** Asks a model in the messages format (interface, 4.2). */
export const message: ItemOperation = {
	value: 'message',
	name: 'Message',
	action: 'Create message',
	description: 'Send a prompt or conversation to the messages endpoint, with content blocks and thinking',
	fields: messageFields,
	run: async (call) =>
		await ask(call, messageInput, ({ model, input, streamed }) => ({
			endpoint: endpoints.messages,
			body: {
				model,
				...conversationFields(input),
				...readMessageBody(call),
				...(streamed ? { stream: true } : {}),
			},
		})),
};

function conversationFields({ messages, system, ...input }: ChatInput): object {
	if ('conversation' in input) return messagesConversation(input.conversation);
	return { messages, ...(isBlank(system) ? {} : { system }) };
}
