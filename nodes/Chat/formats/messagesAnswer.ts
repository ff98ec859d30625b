import { checkAnswer } from '../../shared/http/checkAnswer';
import { messageSchema } from './messagesSchema';
import { tokenUsage, toolArguments, type AnswerParts } from './answer';
import { textOr } from '../../shared/values';

/**
 * Reads a message object (interface, 2.4).
 *
 * @throws GatewayFailure (kind `answer`) when a field is not as the interface says
 */
export function readMessage(body: unknown): AnswerParts {
	const { id, model, content, stop_reason: finishReason, usage } = checkAnswer(messageSchema, body);
	const blocksOf = (type: string) => content.filter((block) => block.type === type);
	return {
		id,
		model,
		text: blocksOf('text')
			.map(({ text }) => textOr(text))
			.join(''),
		finishReason,
		usage: tokenUsage(usage?.input_tokens, usage?.output_tokens),
		reasoning: blocksOf('thinking')
			.map(({ thinking }) => textOr(thinking))
			.join(''),
		toolCalls: blocksOf('tool_use').map((block) => ({
			id: textOr(block.id),
			name: textOr(block.name),
			arguments: toolArguments(block.input),
		})),
		refusal: '',
		alternatives: [],
		otherContent: content.filter(({ type }) => !['text', 'thinking', 'tool_use'].includes(type ?? '')),
	};
}
