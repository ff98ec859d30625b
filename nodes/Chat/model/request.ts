import type { GatewayRequest } from '../../shared/send/client';
import { asRecord } from '../../shared/plain/values';
import { requestIn, type RequestFormat } from '../formats/chatFormat';
import { functionsOf } from '../formats/functions';
import type { Sdk, SdkCallOptions, SdkMessage, SdkTool } from '../sdk';
import { conversationOf } from './conversation';
import type { RequestedCall, RequestingAnswer } from './answerMemory';
import type { ChatModelSettings } from './fields';

export interface ChatModelQuestion {
	messages: SdkMessage[];
	/** In the format of the settings. */
	tools: object[];
	call: SdkCallOptions;
	streamed: boolean;
	/** Finds the answer that a tool call was part of. */
	requestingAnswer?: (call: RequestedCall) => RequestingAnswer | undefined;
}

/** The request of a question. */
export function chatModelRequest(settings: ChatModelSettings, question: ChatModelQuestion): GatewayRequest {
	const { format, model, options, extraBodyFields, requestOptions } = settings;
	const { messages, tools, call, streamed, requestingAnswer } = question;
	const stop = call.stopSequences ?? call.stop ?? [];
	const generation = { ...settings.generation, ...(stop.length > 0 ? { stopSequences: stop } : {}) };
	const choice = tools.length > 0 ? toolChoice(call.tool_choice) : undefined;
	const extra = (choice && format.chatModel?.toolChoice(choice, generation)) || {};
	const input = conversationOf(messages, format, requestingAnswer);
	const parts = { model, input, options, generation, tools, extra, streamed };
	return { ...requestOptions, ...requestIn(format, parts, extraBodyFields) };
}

/** Which tool the model must call. @param choice in LangChain's terms; anything but a text demands nothing */
function toolChoice(choice: unknown): string | undefined {
	if (typeof choice !== 'string') return undefined;
	return choice === 'required' ? 'any' : choice;
}

/** The `tools` of a request; those of the vendor are sent unchanged. @param schemaOf for other than JSON Schema */
export function requestTools(
	tools: SdkTool[],
	format: RequestFormat,
	schemaOf: Sdk['getParametersJsonSchema'],
): object[] {
	const supplied = tools.map((tool) => ({ ...tool, schema: tool.inputSchema }));
	const functions = functionsOf(supplied, (inputSchema, tool) =>
		tool.type === 'provider' ? undefined : schemaOf({ ...tool, inputSchema }),
	);
	return tools.flatMap((tool, index) =>
		tool.type === 'provider'
			? [{ type: tool.name, ...asRecord(tool.args) }]
			: format.tools([functions[index]]),
	);
}
