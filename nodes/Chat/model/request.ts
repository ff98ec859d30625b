import type { GatewayRequest } from '../../shared/send/client';
import { endpoints } from '../../shared/send/endpoints';
import { asRecord } from '../../shared/plain/values';
import { chatCompletionBody, chatCompletionMessages, chatCompletionTools } from '../formats/chatCompletion';
import { functionsOf } from '../formats/functions';
import { isThinking } from '../formats/generation';
import { messagesBody, messagesConversation, messagesTools } from '../formats/messages';
import { withCacheMarks } from '../formats/promptCache';
import { conversationOf } from './conversation';
import type { RequestedCall, RequestingAnswer } from './answerMemory';
import type { ChatModelSettings } from './fields';
import type { Sdk, SdkCallOptions, SdkMessage, SdkTool } from './sdk';

export interface ChatModelQuestion {
	messages: SdkMessage[];
	/** In the format of the settings. */
	tools: object[];
	call: SdkCallOptions;
	streamed: boolean;
	/** Finds the answer that a tool call was part of. */
	answerOf?: (call: RequestedCall) => RequestingAnswer | undefined;
}

/** The request of a question (interface, 4.1 or 4.2). */
export function chatModelRequest(settings: ChatModelSettings, question: ChatModelQuestion): GatewayRequest {
	const { format, model, generation, cacheTime, includeUsage, extraBodyFields, requestOptions } = settings;
	const { messages, tools, call, streamed, answerOf } = question;
	const stop = call.stopSequences ?? call.stop ?? [];
	const wanted = stop.length > 0 ? { ...generation, stopSequences: stop } : generation;
	const isChat = format === 'chat';
	const conversation = conversationOf(messages, answerOf, isChat ? 'chatCompletion' : 'messages');
	const parts = { model, tools, generation: wanted, streamed };
	const body = isChat
		? chatCompletionBody({ ...parts, messages: chatCompletionMessages(conversation) }, includeUsage)
		: messagesBody({ ...parts, ...messagesConversation(conversation) });
	// The messages format refuses to think before a call that is demanded.
	const mayDemand = tools.length > 0 && (isChat || !isThinking(wanted));
	Object.assign(body, mayDemand ? toolChoice(call.tool_choice, isChat) : {});
	const json = { ...(cacheTime ? withCacheMarks(body, cacheTime) : body), ...extraBodyFields };
	const endpoint = isChat ? endpoints.chatCompletions : endpoints.messages;
	return { ...requestOptions, endpoint, json, streamed: streamed ? 'events' : undefined };
}

/** Which tool the model must call. @param choice in LangChain's terms; anything but a text demands nothing */
function toolChoice(choice: unknown, isChat: boolean): object {
	if (typeof choice !== 'string') return {};
	if (choice === 'any' || choice === 'required')
		return { tool_choice: isChat ? 'required' : { type: 'any' } };
	if (choice === 'auto' || choice === 'none') return { tool_choice: isChat ? choice : { type: choice } };
	const name = choice;
	return { tool_choice: isChat ? { type: 'function', function: { name } } : { type: 'tool', name } };
}

/** The `tools` of a request; those of the vendor are sent unchanged. @param schemaOf for other than JSON Schema */
export function requestTools(
	tools: SdkTool[],
	format: 'chat' | 'messages',
	schemaOf: Sdk['getParametersJsonSchema'],
): object[] {
	const toolsOf = format === 'chat' ? chatCompletionTools : messagesTools;
	const supplied = tools.map((tool) => ({ ...tool, schema: tool.inputSchema }));
	const functions = functionsOf(supplied, (inputSchema, tool) =>
		tool.type === 'provider' ? undefined : schemaOf({ ...tool, inputSchema }),
	);
	return tools.flatMap((tool, index) =>
		tool.type === 'provider' ? [{ type: tool.name, ...asRecord(tool.args) }] : toolsOf([functions[index]]),
	);
}
