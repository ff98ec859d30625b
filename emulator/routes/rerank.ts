import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { RerankShape } from '../behaviour/rule';
import { findModel } from '../catalogue/findModel';
import { countTokens } from '../chat/tokens';
import { invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';
import { relevanceTo } from '../ranking/relevance';

/** The interface shows no limit (4.10); this is close to the limit of comparable services. */
const maxDocuments = 1_000;

const rerankRequest = z.object({
	model: z.string(),
	query: z.string(),
	documents: z
		.array(z.string())
		.min(1, 'there is no document')
		.max(maxDocuments, `at most ${maxDocuments} documents are allowed`),
	top_n: z.number().int().min(1).optional(),
});

function requireText(field: string, text: string): void {
	if (text.trim() === '') throw invalidRequest(`Invalid value for "${field}": it is empty.`);
}

function documentField(document: string, { document: form = 'none' }: RerankShape): object {
	if (form === 'none') return {};
	return { document: form === 'text' ? document : { text: document } };
}

/** `POST /v1/rerank` (sections 2.7 and 4.10): ranks documents by the words that they share with the query. */
export const rerankRoutes: FastifyPluginAsync = async (app) => {
	app.post('/v1/rerank', async (request) => {
		const { model, query, documents, top_n: maxResults } = jsonBody(request, rerankRequest);
		const shape = exchangeOf(request).treatment.rerank;
		findModel(model, 'rerank');
		requireText('query', query);
		documents.forEach((document, index) => requireText(`documents[${index}]`, document));

		const relevance = relevanceTo(query);
		const results = documents
			.map((document, index) => ({
				index,
				relevance_score: relevance(document),
				...documentField(document, shape),
			}))
			.sort((one, other) => other.relevance_score - one.relevance_score)
			.slice(0, maxResults);
		const tokens = documents.reduce((sum, document) => sum + countTokens(query) + countTokens(document), 0);
		return { results, ...(shape.usage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}) };
	});
};
