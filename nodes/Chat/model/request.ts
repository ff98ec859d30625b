import type { GatewayRequest } from '../../shared/gateway/client';
import { endpoints } from '../../shared/gateway/endpoints';
import { chatCompletionMessages } from '../formats/chatCompletion';
import { messagesConversation } from '../formats/messages';
import { conversationOf } from './conversation';
import type { ChatModelSettings } from './fields';
import type { SdkCallOptions, SdkMessage } from './sdk';

/** A question to a model, apart from its settings. */
export interface ChatModelQuestion {
	messages: SdkMessage[];
	/** In the format of the settings. */
	tools: object[];
	call: SdkCallOptions;
	streamed: boolean;
}

/**
 * The request of a question (interface, 4.1 or 4.2).
 *
 * @throws GatewayFailure (kind `input`) for a message that cannot be sent
 */
export function chatModelRequest(settings: ChatModelSettings, question: ChatModelQuestion): GatewayRequest {
	const { format, model, body, includeUsage, extraBodyFields, requestOptions } = settings;
	const { messages, tools, call, streamed } = question;
	const conversation = conversationOf(messages);
	const stop = call.stopSequences ?? call.stop ?? [];
	const isChat = format === 'chat';
	const json = {
		model,
		...(isChat ? { messages: chatCompletionMessages(conversation) } : messagesConversation(conversation)),
		...(tools.length > 0 ? { tools } : {}),
		...(stop.length > 0 ? { [isChat ? 'stop' : 'stop_sequences']: stop } : {}),
		...(streamed ? { stream: true } : {}),
		...(streamed && isChat && includeUsage ? { stream_options: { include_usage: true } } : {}),
		...body,
		...extraBodyFields,
	};
	const endpoint = isChat ? endpoints.chatCompletions : endpoints.messages;
	return { ...requestOptions, endpoint, json, streamed };
}
