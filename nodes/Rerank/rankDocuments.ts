import { askInBatches, type BatchSettings, type Outcome } from '../shared/runtime/askInBatches';
import { isBlank } from '../shared/values';
import { checkAnswer } from '../shared/http/checkAnswer';
import type { GatewayClient, RequestOptions } from '../shared/gateway/client';
import { endpoints } from '../shared/gateway/endpoints';
import { rerankSchema } from './rerankSchema';
import { mergeScores, placeScores, type Ranking, type Selection } from './scores';

export const DEFAULT_RANKING_BATCH_SIZE = 200;

/** What documents are compared with and by what; the request of interface 4.10 without its documents. */
export interface RankingSettings extends Selection {
	model: string;
	query: string;
	/** Merged into each request; wins over the other fields. */
	extraBodyFields?: Record<string, unknown>;
}

/** A ranking and what it took. */
export interface RankingResult extends Ranking {
	/** Requests that were answered. */
	requests: number;
	/** Sums over all requests; undefined when the gateway does not report them. */
	usage: { inputTokens?: number; totalTokens?: number } | undefined;
}

/**
 * Ranks any number of documents by their relevance to a query (interface, 4.10), in as many requests as it
 * takes. Documents without text are not sent, and equal ones are sent once.
 */
export async function rankDocuments(
	client: GatewayClient,
	documents: string[],
	settings: RankingSettings,
	batches: BatchSettings,
	options: RequestOptions = {},
): Promise<RankingResult> {
	const usage = new UsageSum();
	const ask = async (texts: string[]): Promise<Array<Outcome<number | null>>> => {
		const json = rerankRequest(texts, settings);
		const answer = checkAnswer(
			rerankSchema,
			await client.json({ ...options, endpoint: endpoints.rerank, json }),
		);
		usage.add(answer.usage);
		const { top_n: topN } = json;
		return placeScores(answer, texts.length, typeof topN === 'number' ? topN : undefined).map((value) => ({
			value,
		}));
	};
	const texts = documents.filter((text) => !isBlank(text));
	const outcomes = await askInBatches(texts, ask, batches);
	const outcomeOf = new Map<string, Outcome<number | null>>();
	outcomes.forEach((outcome, place) => outcome && outcomeOf.set(texts[place], outcome));
	return { ...mergeScores(documents, outcomeOf, settings), requests: usage.requests, usage: usage.total };
}

/**
 * The body of a request. The best of all documents are among the best of each request, so every request
 * needs only as many results as are wanted in the end.
 */
export function rerankRequest(documents: string[], settings: RankingSettings): Record<string, unknown> {
	const { model, query, topN, extraBodyFields } = settings;
	return {
		model,
		query,
		documents,
		...(topN === undefined ? {} : { top_n: Math.min(topN, documents.length) }),
		...extraBodyFields,
	};
}

class UsageSum {
	requests = 0;
	total: RankingResult['usage'];

	add(usage: { prompt_tokens?: number; total_tokens?: number } | null | undefined): void {
		this.requests += 1;
		if (!usage) return;
		const { inputTokens, totalTokens } = this.total ?? {};
		this.total = {
			inputTokens: sum(inputTokens, usage.prompt_tokens),
			totalTokens: sum(totalTokens, usage.total_tokens),
		};
	}
}

function sum(total: number | undefined, more: number | undefined): number | undefined {
	return more === undefined ? total : (total ?? 0) + more;
}
