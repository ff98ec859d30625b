import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { answerTo, shapedAnswer } from '../chat/answer';
import { messagesFormat } from '../formats/messagesFormat';
import { messagesQuestion, messagesRequest } from '../formats/messagesRequest';
import { PromptCache } from '../formats/promptCache';
import { invalidRequest } from '../http/errors';
import { sendEventStream } from '../http/eventStream';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';

const versionHeader = 'msgapi-version';
const version = '2023-06-01';
/** The interface document neutralizes the name of the header; the official client sends this one, with its own version. */
const clientVersionHeader = 'anthropic-version';

function checkVersion({ headers }: FastifyRequest): void {
	const sent = headers[versionHeader];
	if (sent === version) return;
	if (sent !== undefined) {
		throw invalidRequest(
			`Invalid value for header "${versionHeader}": "${String(sent)}", expected ${version}.`,
		);
	}
	if (!/^\d{4}-\d{2}-\d{2}$/.test(String(headers[clientVersionHeader] ?? ''))) {
		throw invalidRequest(`Missing required header "${versionHeader}" (${version}).`);
	}
}

/** `POST /v1/messages` (sections 4.2 and 9). */
export const messagesRoutes: FastifyPluginAsync = async (app) => {
	const cache = new PromptCache();
	app.post('/v1/messages', async (request, reply) => {
		checkVersion(request);
		const body = jsonBody(request, messagesRequest);
		const { entry, treatment } = exchangeOf(request);
		const answer = shapedAnswer(answerTo(messagesQuestion(body), String(entry.id)), treatment.answer);
		// Messages have no creation time (section 2.4).
		const cached = cache.use(body.model, body, answer.inputTokens);
		const context = { model: body.model, created: 0, cached };
		if (!body.stream) return messagesFormat.whole(answer, context);
		const events = messagesFormat.events(answer, context, { includeUsage: true, nullUsage: false });
		return sendEventStream(request, reply, events, { done: false });
	});
};
