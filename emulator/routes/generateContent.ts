import type { FastifyPluginAsync } from 'fastify';
import { answerTo, shapedAnswer } from '../chat/answer';
import { documentedGenerateContentRequest } from '../formats/documented';
import { generateContentFormat } from '../formats/generateContentFormat';
import {
	checkSignatures,
	generateContentQuestion,
	generateContentRequest,
} from '../formats/generateContentRequest';
import { unknownPath } from '../http/errors';
import { sendEventStream } from '../http/eventStream';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';

const modelAndAction = /^(.+):(generateContent|streamGenerateContent)$/;

interface Route {
	Params: { modelAndAction: string };
	Querystring: { alt?: string };
}

/**
 * Serves `POST /v1beta/models/{model}:generateContent` (section 4.3) and its streaming variant
 * `:streamGenerateContent`, which the interface does not show: an event stream with `?alt=sse`, otherwise a JSON array.
 */
export const generateContentRoutes: FastifyPluginAsync = async (app) => {
	app.post<Route>('/v1beta/models/:modelAndAction', async (request, reply) => {
		const { entry, treatment } = exchangeOf(request);
		const parts = modelAndAction.exec(request.params.modelAndAction);
		if (!parts) throw unknownPath('POST', entry.path);
		const [, model, action] = parts;
		const body = jsonBody(request, generateContentRequest, documentedGenerateContentRequest);
		if (treatment.checkUndocumented) checkSignatures(body);
		const answer = shapedAnswer(
			answerTo(generateContentQuestion(model, body), String(entry.id)),
			treatment.answer,
		);
		// Generate-content responses have no creation time (section 2.5).
		const context = { model, created: 0 };
		if (action === 'generateContent') return generateContentFormat.whole(answer, context);
		const events = generateContentFormat.events(answer, context, { includeUsage: true });
		if (request.query.alt !== 'sse') return events.map(({ data }) => data);
		return sendEventStream(request, reply, events, { done: false });
	});
};
