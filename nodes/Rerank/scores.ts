import { z } from 'zod';
import { answerFailure } from '../shared/errors/errorMessages';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import { listOf, looseCount, looseText } from '../shared/http/schemas';
import type { Outcome } from '../shared/runtime/askInBatches';
import { isBlank } from '../shared/values';

/** Rerank response (interface, 2.7). Fields that the interface does not have are kept. */
export const rerankSchema = z
	.object({
		results: listOf(
			z.object({ index: z.number().int().nonnegative(), relevance_score: z.number().finite() }).passthrough(),
		),
		model: looseText,
		usage: z.object({ prompt_tokens: looseCount, total_tokens: looseCount }).passthrough().nullish(),
	})
	.passthrough();

export type RerankAnswer = z.infer<typeof rerankSchema>;

/** A document's place in a ranking. */
export interface RankedDocument {
	/** Its position before the ranking. */
	index: number;
	/** Null for a document without text, which cannot be scored. */
	score: number | null;
}

/**
 * Assigns the scores of a response to their documents.
 *
 * @param count number of documents that were sent
 * @param topN number of results that were requested; undefined for all
 * @returns the score of each document, null for documents that are not among the best `topN`
 * @throws GatewayFailure (kind `answer`) for an index that is out of range or duplicate, or when scores are missing
 */
export function placeScores({ results }: RerankAnswer, count: number, topN?: number): Array<number | null> {
	const scores = new Array<number | null>(count).fill(null);
	for (const { index, relevance_score: score } of results) {
		if (index >= count) {
			throw answerFailure(
				`it ranks a document with the index ${index}, but the number of documents is ${count}`,
			);
		}
		if (scores[index] !== null) throw answerFailure(`it ranks the document with the index ${index} twice`);
		scores[index] = score;
	}
	const expected = Math.min(topN ?? count, count);
	if (results.length < expected) {
		throw answerFailure(`it contains only ${results.length} of the ${expected} expected scores`);
	}
	return scores;
}

/** Which documents of a ranking to keep. */
export interface Selection {
	/** Undefined for all. */
	topN?: number;
	/** Lowest score; undefined for all. */
	minimumScore?: number;
	/** Whether to keep only the first of several equal texts. */
	removeDuplicates?: boolean;
	/** Whether to keep documents without text, after all others. Ignored when there is a lowest score. */
	keepEmpty?: boolean;
}

/** Documents in ranked order, and what happened to the others. */
export interface Ranking {
	kept: RankedDocument[];
	/** Why a document could not be scored, by its index. */
	failures: Map<number, GatewayFailure>;
	/** Number of documents without text. */
	empty: number;
	/** Number of documents with the same text as an earlier one. */
	duplicates: number;
}

/**
 * Merges the scores of any number of requests into one ranking. Documents with equal scores keep their order.
 *
 * @param documents all documents; those without text have no outcome
 * @param outcomes by text; the value is null for a document that is not among the best of its request
 */
export function mergeScores(
	documents: string[],
	outcomes: Map<string, Outcome<number | null>>,
	{ topN, minimumScore, removeDuplicates = false, keepEmpty = false }: Selection,
): Ranking {
	const seen = new Set<string>();
	const ranked: Array<{ index: number; score: number }> = [];
	const empty: RankedDocument[] = [];
	const failures = new Map<number, GatewayFailure>();
	let duplicates = 0;
	documents.forEach((text, index) => {
		if (isBlank(text)) {
			empty.push({ index, score: null });
			return;
		}
		const repeated = seen.has(text);
		if (repeated) duplicates += 1;
		seen.add(text);
		const outcome = outcomes.get(text);
		if (!outcome || (repeated && removeDuplicates)) return;
		if ('failure' in outcome) failures.set(index, outcome.failure);
		else if (outcome.value !== null) ranked.push({ index, score: outcome.value });
	});
	ranked.sort((one, other) => other.score - one.score || one.index - other.index);
	const good = minimumScore === undefined ? ranked : ranked.filter(({ score }) => score >= minimumScore);
	const all = keepEmpty && minimumScore === undefined ? [...good, ...empty] : good;
	return { kept: all.slice(0, topN), failures, empty: empty.length, duplicates };
}
