import { answerFailure } from '../../shared/errors/errorMessages';
import { asRecord } from '../../shared/values';
import { chatAnswer, type AnswerParts, type ChatAnswer } from './answer';
import { readChatCompletion } from './chatCompletion';
import { isGenerateContent, readGenerateContent } from './generateContent';
import { readMessage } from './messages';

/**
 * Makes the same answer of a body in any of the three formats. The body itself shows its format, because `style` lets
 * the chat endpoint respond in each of them.
 *
 * @throws GatewayFailure (kind `answer`) for a body in none of them, or with a field that is not as the interface says
 */
export function readChatAnswer(body: unknown, requestedModel: string): ChatAnswer {
	return chatAnswer(readerOf(body)(body), requestedModel);
}

function readerOf(body: unknown): (body: unknown) => AnswerParts {
	const fields = asRecord(body) ?? {};
	if ('choices' in fields) return readChatCompletion;
	if (fields.type === 'message' || Array.isArray(fields.content)) return readMessage;
	if (isGenerateContent(fields)) return readGenerateContent;
	throw answerFailure('it is in none of the three chat formats (no choices, content, or candidates)');
}
