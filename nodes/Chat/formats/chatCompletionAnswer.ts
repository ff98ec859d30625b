import { checkAnswer } from '../../shared/http/checkAnswer';
import { asRecord, textOr } from '../../shared/values';
import { chatCompletionSchema, type ChatCompletionMessage } from './chatCompletionSchema';
import { tokenUsage, toolArguments, type AnswerParts } from './answer';

/**
 * Reads a chat completion (interface, 2.3).
 *
 * @throws GatewayFailure (kind `answer`) when a field is not as the interface says
 */
export function readChatCompletion(body: unknown): AnswerParts {
	const { id, model, choices, usage } = checkAnswer(chatCompletionSchema, body);
	const first = choices.at(0);
	const message = first?.message;
	const parts = Array.isArray(message?.content) ? message.content : [];
	return {
		id,
		model,
		text: textOfContent(message?.content),
		finishReason: first?.finish_reason,
		usage: tokenUsage(usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens),
		reasoning: message?.reasoning_content || textOr(message?.reasoning),
		toolCalls: (message?.tool_calls ?? []).map((call) => ({
			id: call.id ?? '',
			name: call.function.name ?? '',
			arguments: toolArguments(call.function.arguments),
		})),
		refusal: message?.refusal,
		alternatives: choices.slice(1).map((choice) => textOfContent(choice.message.content)),
		otherContent: parts.filter((part) => textOfPart(part) === undefined),
	};
}

function textOfContent(content: ChatCompletionMessage['content']): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map((part) => textOfPart(part) ?? '').join('');
}

function textOfPart(part: unknown): string | undefined {
	const text = asRecord(part)?.text;
	return typeof text === 'string' ? text : undefined;
}
