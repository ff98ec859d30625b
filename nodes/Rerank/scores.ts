import { answerFailure } from '../shared/failure/words';
import { OptionalFields, underUsualName } from '../shared/answer/optionalFields';
import type { Outcome } from '../batches/askInBatches';
import { usageOf } from '../batches/paidTexts';
import { asRecord, numberOf, textOr } from '../shared/plain/values';

/** An entry without an index belongs to no document that is known; one without a score fails its document. */
interface ScoredEntry {
	index: number | undefined;
	score: number | undefined;
	/** As the gateway sent it. */
	entry?: unknown;
}

export interface Score {
	/** Null for a document that is not among the best. */
	score: number | null;
	/** Its entry as the gateway sent it; undefined for none. */
	entry?: unknown;
	/** The response without its entries, if it is repeated with this one. */
	rest?: Record<string, unknown>;
}

/**
 * Reads a rerank response (interface, 2.7), also under the names of other public APIs. @param documents those that were
 * sent @param needsScores whether each entry must have a score
 */
export function readRerankAnswer(body: unknown, documents: string[], needsScores = false) {
	const optional = new OptionalFields();
	// Voyage AI calls them `data`, NVIDIA NIM `rankings`.
	const found = underUsualName(body, ['results', 'data', 'rankings']);
	if (!found) throw answerFailure('the field "results" is missing');
	const { name } = found;
	const unread: unknown[] = [];
	const results = optional.list(found.value, name, (entry, place) => {
		const read = entryOf(entry, documents);
		if (read.index === undefined || read.score === undefined) {
			optional.leftOut.push(place);
			unread.push(entry);
		}
		return read;
	});
	if (results.length === 0) throw answerFailure(`the field "${name}" is empty`);
	if (unread.length === results.length || (needsScores && unread.length > 0)) {
		const place = results.findIndex(({ index, score }) => index === undefined || score === undefined);
		const problem = results[place].index === undefined ? 'index' : 'relevance_score';
		throw answerFailure(`the field "${name}.${place}.${problem}" is missing or unexpected`);
	}
	return { results, rest: found.restWith(unread), usage: usageOf(body, optional), optional };
}

/** Names of a score: the documented one, and those of Amazon Bedrock, Text Embeddings Inference, and NVIDIA NIM. */
const SCORES = ['relevance_score', 'relevanceScore', 'score', 'logit'];

function entryOf(entry: unknown, documents: string[]): ScoredEntry {
	const fields = asRecord(entry) ?? {};
	// Zhipu sends the document instead of an index (Tencent/WeKnora#3184). Equal texts are sent only once.
	const document = asRecord(fields.document)?.text ?? fields.document;
	const position = numberOf(fields.index ?? documents.indexOf(textOr(document)));
	const isPosition = position !== undefined && Number.isInteger(position) && position >= 0;
	return {
		index: isPosition ? position : undefined,
		score: SCORES.map((name) => numberOf(fields[name])).find((one) => one !== undefined),
		entry,
	};
}

/** Returns the score of each document, or its failure. @throws GatewayFailure if an index is too high or used twice */
export function placeScores(results: ScoredEntry[], count: number, topN?: number): Array<Outcome<Score>> {
	const placed = new Map<number, ScoredEntry>();
	for (const result of results) {
		const { index } = result;
		if (index === undefined) continue;
		if (index >= count) {
			throw answerFailure(
				`it ranks a document with the index ${index}, but the number of documents is ${count}`,
			);
		}
		if (placed.has(index)) throw answerFailure(`it ranks the document with the index ${index} twice`);
		placed.set(index, result);
	}
	const isComplete = expectedOf(count, topN) === count;
	return Array.from({ length: count }, (_, index) => {
		const { score, entry } = placed.get(index) ?? {};
		if (score !== undefined) return { value: { score, entry } };
		if (!placed.has(index) && !isComplete) return { value: { score: null } };
		const advice = `The scores of the other documents are used. ${LIMITED}`;
		return { failure: answerFailure('it contains no score for this document').saying({ advice }) };
	});
}

function expectedOf(count: number, topN = count): number {
	return Math.min(topN, count);
}

const LIMITED = 'If the gateway limits the number of results, lower Batch Size in Limits and Retries.';

/** Returns a hint about a response with fewer results than were requested; undefined if there are enough. */
export function fewerResultsHint(results: number, documents: number, topN?: number): string | undefined {
	const expected = expectedOf(documents, topN);
	if (results >= expected) return undefined;
	return `The gateway returned only ${results} of ${expected} results. ${LIMITED}`;
}

/** Returns a hint that scores are no ranking if all of them are 0; undefined for others, and for a single one. */
export function zeroScoresHint(rated: Array<Pick<Score, 'score'>>): string | undefined {
	const scores = rated.flatMap(({ score }) => score ?? []);
	if (scores.length < 2 || scores.some((score) => score !== 0)) return undefined;
	return 'The gateway gave every document the score 0, so their order says nothing. If one of them is relevant, check Model.';
}

/** A document of a ranking, with its position before the ranking. */
export type Rated = Score & { index: number };
type Ranked = Rated & { score: number };

/** Returns the best documents, most relevant first. Those with equal scores keep their order. */
export function rankedOf(
	rated: Rated[],
	{ topN, minimumScore = Number.NEGATIVE_INFINITY }: { topN?: number; minimumScore?: number },
): Ranked[] {
	const ranked = rated.filter((one): one is Ranked => one.score !== null && one.score >= minimumScore);
	ranked.sort((one, other) => other.score - one.score);
	return ranked.slice(0, topN);
}
