import type { GatewayRequest } from '../../shared/send/client';
import { endpoints } from '../../shared/send/endpoints';
import { asRecord, textOr } from '../../shared/plain/values';
import { chatCompletionMessages, chatCompletionTools } from '../formats/chatCompletion';
import { checkToolNames, functionSchema, type Tool } from '../formats/conversation';
import { chatCompletionGeneration, messagesGeneration } from '../formats/generation';
import { messagesConversation, messagesTools } from '../formats/messages';
import { withCacheMarks } from '../formats/promptCache';
import { conversationOf } from './conversation';
import type { RequestedCall, RequestingAnswer } from './answerMemory';
import type { ChatModelSettings } from './fields';
import type { AiNodeSdk, SdkCallOptions, SdkMessage, SdkTool } from './sdk';

/** A question to a model, apart from its settings. */
export interface ChatModelQuestion {
	messages: SdkMessage[];
	/** In the format of the settings. */
	tools: object[];
	call: SdkCallOptions;
	streamed: boolean;
	/** Finds the answer that a tool call was part of. */
	answerOf?: (call: RequestedCall) => RequestingAnswer | undefined;
}

/**
 * The request of a question (interface, 4.1 or 4.2).
 *
 * @throws GatewayFailure (kind `input`) for a message that cannot be sent
 */
export function chatModelRequest(settings: ChatModelSettings, question: ChatModelQuestion): GatewayRequest {
	const { format, model, generation, cacheTime, includeUsage, extraBodyFields, requestOptions } = settings;
	const { messages, tools, call, streamed, answerOf } = question;
	const stop = call.stopSequences ?? call.stop ?? [];
	const wanted = stop.length > 0 ? { ...generation, stopSequences: stop } : generation;
	const isChat = format === 'chat';
	const conversation = conversationOf(messages, answerOf, isChat ? 'chatCompletion' : 'messages');
	const body = {
		model,
		...(isChat ? { messages: chatCompletionMessages(conversation) } : messagesConversation(conversation)),
		...(tools.length > 0 ? { tools } : {}),
		...(streamed ? { stream: true } : {}),
		...(streamed && isChat && includeUsage ? { stream_options: { include_usage: true } } : {}),
		...(isChat ? chatCompletionGeneration(wanted) : messagesGeneration(wanted)),
	};
	const json = { ...(cacheTime ? withCacheMarks(body, cacheTime) : body), ...extraBodyFields };
	const endpoint = isChat ? endpoints.chatCompletions : endpoints.messages;
	return { ...requestOptions, endpoint, json, streamed: streamed ? 'events' : undefined };
}

/**
 * The `tools` of a request in either format. Tools that the vendor of the model runs are sent unchanged.
 *
 * @param schemaOf returns the JSON Schema of a tool's arguments
 */
export function requestTools(
	tools: SdkTool[],
	format: 'chat' | 'messages',
	schemaOf: AiNodeSdk['getParametersJsonSchema'],
): object[] {
	const toolsOf = format === 'chat' ? chatCompletionTools : messagesTools;
	checkToolNames(tools.map(({ name }) => name));
	return tools.flatMap((tool) =>
		tool.type === 'provider'
			? [{ type: tool.name, ...asRecord(tool.args) }]
			: toolsOf([functionOf(tool, schemaOf)]),
	);
}

function functionOf(tool: SdkTool, schemaOf: AiNodeSdk['getParametersJsonSchema']): Tool {
	const { name, description } = tool;
	return { name, description: textOr(description), parameters: functionSchema(schemaOf(tool)) };
}
