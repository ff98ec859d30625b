import type { FastifyPluginAsync } from 'fastify';
import { answerTo, shapedAnswer } from '../chat/answer';
import type { AnswerFormat } from '../formats/answerFormat';
import { chatFormat } from '../formats/chatFormat';
import { chatQuestion, chatRequest, checkChat } from '../formats/chatRequest';
import { documentedChatRequest } from '../formats/documented';
import { generateContentFormat } from '../formats/generateContentFormat';
import { messagesFormat } from '../formats/messagesFormat';
import { invalidRequest } from '../http/errors';
import { sendEventStream } from '../http/eventStream';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';

/** Values of `style`. The interface document neutralizes them, so the vendors' own names of the formats are accepted too. */
const styles = new Map<string, AnswerFormat>([
	['chat-format', chatFormat],
	['openai', chatFormat],
	['messages-format', messagesFormat],
	['anthropic', messagesFormat],
	['claude', messagesFormat],
	['generate-content-format', generateContentFormat],
	['gemini', generateContentFormat],
]);

function formatOf(style: string): AnswerFormat {
	const format = styles.get(style);
	if (format) return format;
	throw invalidRequest(
		`Invalid value for "style": "${style}" is none of chat-format, messages-format, generate-content-format.`,
	);
}

/** Serves `POST /v1/chat/completions` (section 4.1), with one request format and three response formats. */
export const chatCompletionRoutes: FastifyPluginAsync<{ now: () => number }> = async (app, { now }) => {
	app.post('/v1/chat/completions', async (request, reply) => {
		const { entry, treatment } = exchangeOf(request);
		const body = jsonBody(request, chatRequest, documentedChatRequest);
		if (treatment.checkUndocumented) checkChat(body);
		const format = formatOf(body.style ?? 'chat-format');
		const answer = shapedAnswer(answerTo(chatQuestion(body), String(entry.id)), treatment.answer);
		const context = { model: body.model, created: Math.floor(now() / 1000) };
		if (!body.stream) return format.whole(answer, context);

		const includeUsage = body.stream_options?.include_usage ?? false;
		// `[DONE]` comes after every style (section 4.1).
		return sendEventStream(request, reply, format.events(answer, context, { includeUsage }), { done: true });
	});
};
