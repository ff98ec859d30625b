import { endpoints } from '../../shared/gateway/endpoints';
import type { ItemOperation } from '../../shared/runtime/operation';
import { ask } from '../ask';
import { chatCompletionMessages } from '../formats/chatCompletion';
import { chatCompletionFields, chatCompletionInput, readChatCompletionBody } from './chatCompletion.fields';

/** Asks a model in the chat completion format (interface, 4.1). */
export const chatCompletion: ItemOperation = {
	value: 'chatCompletion',
	name: 'Chat Completion',
	action: 'Create chat completion',
	description: 'Send a prompt or conversation to the endpoint that serves all chat models of the gateway',
	fields: chatCompletionFields,
	run: async (call) =>
		await ask(call, chatCompletionInput, ({ model, input, streamed }) => ({
			endpoint: endpoints.chatCompletions,
			body: {
				model,
				messages: input.messages ?? chatCompletionMessages(input.conversation),
				...readChatCompletionBody(call, streamed),
			},
		})),
};
