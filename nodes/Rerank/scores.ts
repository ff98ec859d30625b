import type { Outcome } from '../shared/runtime/askInBatches';
import { isBlank } from '../shared/values';
import { answerFailure } from '../shared/errors/errorMessages';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import type { RerankAnswer } from './rerankSchema';

/** A document's place in a ranking. */
export interface RankedDocument {
	/** Position among the documents that were given. */
	index: number;
	/** Null for a document without text, which no gateway scores. */
	score: number | null;
}

/**
 * Brings the scores of an answer back to their documents.
 *
 * @param count number of documents that were sent
 * @param topN how many results were asked for; undefined for all
 * @returns the score of each document, null for those that are not among the best `topN`
 * @throws GatewayFailure (kind `answer`) for an index out of range or twice, or when scores are missing
 */
export function placeScores({ results }: RerankAnswer, count: number, topN?: number): Array<number | null> {
	const scores = new Array<number | null>(count).fill(null);
	for (const { index, relevance_score: score } of results) {
		if (index >= count) {
			throw answerFailure(`it ranks a document with the index ${index}, but there are ${count} documents`);
		}
		if (scores[index] !== null) throw answerFailure(`it ranks the document with the index ${index} twice`);
		scores[index] = score;
	}
	const expected = Math.min(topN ?? count, count);
	if (results.length < expected) {
		throw answerFailure(`it scores ${results.length} of the ${expected} documents that it should`);
	}
	return scores;
}

/** What is kept of a ranking. */
export interface Selection {
	/** Undefined for all. */
	topN?: number;
	/** Least score; undefined for all. */
	minimumScore?: number;
	/** Whether of equal texts only the first is kept. */
	removeDuplicates?: boolean;
	/** Whether documents without text are kept, behind all others. */
	keepEmpty?: boolean;
}

/** Documents in ranked order, and what happened to the others. */
export interface Ranking {
	kept: RankedDocument[];
	/** Why a document could not be scored, by its index. */
	failures: Map<number, GatewayFailure>;
	/** How many documents hold no text. */
	empty: number;
	/** How many documents have the same text as one before them. */
	duplicates: number;
}

/**
 * Merges scores from any number of requests into one ranking: by score, equal scores in the order of the
 * documents.
 *
 * @param documents all documents; those without text have no outcome
 * @param outcomes by text; null as value for a document that is not among the best of its request
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
