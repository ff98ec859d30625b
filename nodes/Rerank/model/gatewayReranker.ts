import { NodeConnectionTypes, type IDataObject } from 'n8n-workflow';
import { emptyFailure } from '../../shared/failure/words';
import { loggedRun, type SubNodeCall } from '../../shared/run/subNode';
import { tokenUsageOf } from '../../batches/paidTexts';
import { isBlank } from '../../shared/plain/values';
import type { RankingJob } from '../fields';
import { rankDocuments, type RankingResult } from '../rankDocuments';

interface StoredDocument {
	pageContent: string;
	metadata?: Record<string, unknown>;
}

/** Ranks documents for n8n's vector stores, which call only this method. */
export class GatewayReranker {
	constructor(
		private readonly call: SubNodeCall,
		private readonly job: RankingJob,
	) {}

	/** Returns the best documents. n8n's vector stores show `metadata.relevanceScore`. @throws NodeApiError */
	async compressDocuments<Document extends StoredDocument>(
		documents: Document[],
		query: string,
	): Promise<Document[]> {
		const texts = documents.map(({ pageContent }) => pageContent);
		const input = { query, documents: texts };
		return await loggedRun(this.call, NodeConnectionTypes.AiReranker, input, async () => {
			if (typeof query !== 'string' || isBlank(query)) {
				throw emptyFailure('The query', 'Check the prompt of the node that searches.');
			}
			const ranking = await rankDocuments(this.call, query, texts, this.job, { needsScores: true });
			const { failed, kept } = ranking;
			if (failed) throw this.call.payments.withPayment(failed.failure, [this.call.itemIndex]);
			const value = kept.map(({ index, score }) => withScore(documents[index], score));
			return { value, output: this.summaryOf(ranking, texts) };
		});
	}

	private summaryOf({ kept, requests, tokens, failures }: RankingResult, texts: string[]): IDataObject {
		return {
			results: kept.map(({ index, score }) => ({ document: texts[index], relevanceScore: score, index })),
			model: this.job.settings.model,
			requests,
			...(failures.size > 0 ? { withoutScore: [...failures.keys()] } : {}),
			...tokenUsageOf(tokens),
		};
	}
}

/** Returns a copy of the same class, because retrievers return their own documents again. */
function withScore<Document extends StoredDocument>(document: Document, score: number): Document {
	const copy = Object.create(Object.getPrototypeOf(document) as object) as Document;
	const metadata = { ...document.metadata, relevanceScore: score };
	return Object.assign(copy, document, { metadata });
}
