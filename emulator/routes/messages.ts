import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { answerTo, shapedAnswer } from '../chat/answer';
import { documentedMessagesRequest } from '../formats/documented';
import { messagesFormat } from '../formats/messagesFormat';
import { checkMessages, messagesQuestion, messagesRequest } from '../formats/messagesRequest';
import { PromptCache } from '../formats/promptCache';
import { invalidRequest } from '../http/errors';
import { sendEventStream } from '../http/eventStream';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';

const versionHeader = 'msgapi-version';
const version = '2023-06-01';
/** The header that the official client sends. The interface document replaces its name with a neutral one. */
const clientVersionHeader = 'anthropic-version';

/** The largest number of cache marks in one request, as at comparable services. */
const mostCacheMarks = 4;

function checkVersion({ headers }: FastifyRequest): void {
	const sent = headers[versionHeader] ?? headers[clientVersionHeader];
	if (sent === version) return;
	if (sent === undefined) throw invalidRequest(`Missing required header "${versionHeader}" (${version}).`);
	throw invalidRequest(
		`Invalid value for header "${versionHeader}": "${String(sent)}", expected ${version}.`,
	);
}

/** Serves `POST /v1/messages` (sections 4.2 and 9). */
export const messagesRoutes: FastifyPluginAsync = async (app) => {
	const cache = new PromptCache();
	app.post('/v1/messages', async (request, reply) => {
		checkVersion(request);
		const { entry, treatment } = exchangeOf(request);
		const body = jsonBody(request, messagesRequest, documentedMessagesRequest);
		if (treatment.checkUndocumented) checkMessages(body);
		const answer = shapedAnswer(answerTo(messagesQuestion(body), String(entry.id)), treatment.answer);
		// Messages have no creation time (section 2.4).
		const mostMarks = treatment.checkUndocumented ? mostCacheMarks : undefined;
		const cached = cache.use(body.model, body, answer.inputTokens, mostMarks);
		const context = { model: body.model, created: 0, cached };
		if (!body.stream) return messagesFormat.whole(answer, context);
		const events = messagesFormat.events(answer, context, { includeUsage: true });
		return sendEventStream(request, reply, events, { done: false });
	});
};
