import { answerFailure } from '../../shared/errors/errorMessages';
import { asRecord } from '../../shared/values';
import { chatAnswer, type AnswerParts, type ChatAnswer } from './answer';
import { readChatCompletion } from './chatCompletionAnswer';
import { readGenerateContent } from './generateContentAnswer';
import { readMessage } from './messagesAnswer';

/**
 * Makes the same answer of a body in any of the three formats. The body itself shows its format, because
 * `style` lets the chat endpoint answer in each of them.
 *
 * @throws GatewayFailure (kind `answer`) for a body in none of them, or with a field that is not as the
 *   interface says
 */
export function readChatAnswer(body: unknown, requestedModel: string): ChatAnswer {
	return chatAnswer(readerOf(body)(body), requestedModel);
}

function readerOf(body: unknown): (body: unknown) => AnswerParts {
	const answer = asRecord(body) ?? {};
	if ('choices' in answer) return readChatCompletion;
	if (answer.type === 'message' || Array.isArray(answer.content)) return readMessage;
	if (['candidates', 'promptFeedback', 'usageMetadata'].some((name) => name in answer))
		return readGenerateContent;
	throw answerFailure('it is in none of the three chat formats (no choices, content or candidates)');
}
