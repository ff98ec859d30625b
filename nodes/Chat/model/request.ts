import { chatCompletionMessages } from '../formats/chatCompletionRequest';
import { messagesConversation } from '../formats/messagesRequest';
import type { GatewayRequest } from '../../shared/gateway/client';
import { endpoints } from '../../shared/gateway/endpoints';
import { conversationOf } from './conversation';
import type { SdkCallOptions, SdkMessage } from './sdk';
import type { ChatModelSettings } from './settings';

/** What a model is asked, besides its settings. */
export interface ChatModelQuestion {
	messages: SdkMessage[];
	/** As the format takes them. */
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
	const { format, model, maxTokens, temperature, options, extraBodyFields } = settings;
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
		...(streamed && isChat && settings.includeUsage ? { stream_options: { include_usage: true } } : {}),
		max_tokens: maxTokens,
		temperature,
		...extraBodyFields,
	};
	const endpoint = isChat ? endpoints.chatCompletions : endpoints.messages;
	return { ...options, endpoint, json, streamed };
}
