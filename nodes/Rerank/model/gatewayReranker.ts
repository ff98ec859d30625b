import { NodeConnectionTypes, type IDataObject, type ISupplyDataFunctions } from 'n8n-workflow';
import type { BatchSettings } from '../../shared/runtime/askInBatches';
import { isBlank } from '../../shared/values';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { GatewayClient, RequestOptions } from '../../shared/gateway/client';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import { rankDocuments, type RankingResult, type RankingSettings } from '../rankDocuments';
import { loggedRun } from '../../shared/runtime/subNode';

/** A document of a vector store. */
export interface StoredDocument {
	pageContent: string;
	metadata?: Record<string, unknown>;
}

/** All that a ranking takes besides the query and the documents. */
export interface GatewayRerankerSettings {
	settings: Omit<RankingSettings, 'query'>;
	batches: Pick<BatchSettings, 'batchSize' | 'maxConcurrency'>;
	options: RequestOptions;
}

/** Documents into the order of their relevance, for n8n's vector stores, which ask for no more than this method. */
export class GatewayReranker {
	constructor(
		private readonly context: ISupplyDataFunctions,
		private readonly client: GatewayClient,
		private readonly how: GatewayRerankerSettings,
	) {}

	/**
	 * The most relevant documents, best first. Each one gets `metadata.relevanceScore`, which n8n's vector
	 * stores show as its score.
	 *
	 * @throws NodeApiError when a document could not be scored
	 */
	async compressDocuments<Document extends StoredDocument>(
		documents: Document[],
		query: string,
	): Promise<Document[]> {
		const texts = documents.map(({ pageContent }) => pageContent);
		const input = { query, documents: texts };
		return await loggedRun(this.context, NodeConnectionTypes.AiReranker, input, async () => {
			const ranking = await this.rank(texts, query);
			const value = ranking.kept.map(({ index, score }) => withScore(documents[index], score));
			return { value, output: this.summaryOf(ranking, texts) };
		});
	}

	private async rank(texts: string[], query: string): Promise<RankingResult> {
		if (typeof query !== 'string' || isBlank(query)) throw blankQuery();
		const { settings, batches, options } = this.how;
		const ranking = await rankDocuments(
			this.client,
			texts,
			{ ...settings, query },
			{ ...batches, stopAtFailure: true },
			options,
		);
		const [failed] = ranking.failures;
		if (failed) throw toFailure(withDocument(failed[1], texts[failed[0]]));
		return ranking;
	}

	private summaryOf({ kept, requests, usage }: RankingResult, texts: string[]): IDataObject {
		const { inputTokens, totalTokens } = usage ?? {};
		const promptTokens = inputTokens ?? totalTokens;
		return {
			results: kept.map(({ index, score }) => ({ document: texts[index], relevanceScore: score, index })),
			model: this.how.settings.model,
			requests,
			...(promptTokens === undefined
				? {}
				: { tokenUsage: { promptTokens, completionTokens: 0, totalTokens: totalTokens ?? promptTokens } }),
		};
	}
}

/** A copy of the same class: retrievers hand on what they get. */
function withScore<Document extends StoredDocument>(document: Document, score: number | null): Document {
	const copy = Object.create(Object.getPrototypeOf(document) as object) as Document;
	const metadata = { ...document.metadata, relevanceScore: score };
	return Object.assign(copy, document, { metadata });
}

function withDocument(failure: GatewayFailure, text: string): GatewayFailure {
	return failure.with({ partial: { ...failure.facts.partial, failedDocument: text.slice(0, 100) } });
}

function blankQuery(): GatewayFailure {
	return inputFailure(
		'The query',
		'is empty, so nothing can be compared with it',
		'Check the prompt of the node that searches: if it comes from an expression, the item must have that field.',
	);
}
