import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { answerTo } from '../chat/answer';
import { messagesFormat } from '../formats/messagesFormat';
import { messagesQuestion, messagesRequest } from '../formats/messagesRequest';
import { invalidRequest } from '../http/errors';
import { sendEventStream } from '../http/eventStream';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';

/** The interface neutralises the header's name; the second one is what the official client of this format sends. */
const versionHeaders = ['msgapi-version', 'anthropic-version'];
const version = '2023-06-01';

function checkVersion(request: FastifyRequest): void {
	const sent = versionHeaders.map((name) => request.headers[name]).find((value) => value !== undefined);
	if (sent === undefined) throw invalidRequest(`Missing required header "${versionHeaders[0]}" (${version}).`);
	if (sent !== version) {
		throw invalidRequest(`Invalid value for header "${versionHeaders[0]}": "${sent}", expected ${version}.`);
	}
}

/** `POST /v1/messages` (sections 4.2 and 9). */
export const messagesRoutes: FastifyPluginAsync = async (app) => {
	app.post('/v1/messages', async (request, reply) => {
		checkVersion(request);
		const body = jsonBody(request, messagesRequest);
		const answer = answerTo(messagesQuestion(body), String(exchangeOf(request).entry.id));
		// Messages carry no time of creation (section 2.4).
		const context = { model: body.model, created: 0 };
		if (!body.stream) return messagesFormat.whole(answer, context);
		const events = messagesFormat.events(answer, context, { includeUsage: true, nullUsage: false });
		return sendEventStream(request, reply, events, { done: false });
	});
};
