import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { RerankShape } from '../behaviour/rule';
import { findModel } from '../catalogue/findModel';
import { countTokens } from '../chat/tokens';
import { invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';
import { relevanceTo } from '../ranking/relevance';

/** Close to the limit of comparable services, because the interface shows none (4.10). */
const maxDocuments = 1_000;

const rerankRequest = z.object({
	model: z.string(),
	query: z.string(),
	documents: z.array(z.string()).min(1, 'there is no document'),
	top_n: z.number().int().optional(),
});

function requireText(field: string, text: string): void {
	if (text.trim() === '') throw invalidRequest(`Invalid value for "${field}": it is empty.`);
}

/** Limits of comparable services. */
function checkLimits({ documents, top_n: maxResults = 1 }: z.output<typeof rerankRequest>): void {
	if (documents.length > maxDocuments) {
		throw invalidRequest(`Invalid value for "documents": at most ${maxDocuments} documents are allowed.`);
	}
	documents.forEach((document, index) => requireText(`documents[${index}]`, document));
	if (maxResults < 1) throw invalidRequest('Invalid value for "top_n": it must be at least 1.');
}

function documentField(document: string, { document: form = 'none' }: RerankShape): object {
	if (form === 'none') return {};
	return { document: form === 'text' ? document : { text: document } };
}

/** `POST /v1/rerank` (sections 2.7 and 4.10): ranks documents by the words that they share with the query. */
export const rerankRoutes: FastifyPluginAsync = async (app) => {
	app.post('/v1/rerank', async (request) => {
		const body = jsonBody(request, rerankRequest);
		const { model, query, documents, top_n: maxResults } = body;
		const { rerank: shape, checkUndocumented } = exchangeOf(request).treatment;
		findModel(model, 'rerank');
		requireText('query', query);
		if (checkUndocumented) checkLimits(body);

		const relevance = relevanceTo(query);
		const results = documents
			.map((document, index) => ({
				index,
				relevance_score: relevance(document),
				...documentField(document, shape),
			}))
			.sort((one, other) => other.relevance_score - one.relevance_score)
			.slice(0, maxResults === undefined ? undefined : Math.max(0, maxResults));
		const tokens = documents.reduce((sum, document) => sum + countTokens(query) + countTokens(document), 0);
		return { results, ...(shape.usage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}) };
	});
};
