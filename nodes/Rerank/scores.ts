import { answerFailure } from '../shared/errors/errorMessages';
import { GatewayFailure } from '../shared/errors/gatewayFailure';
import { LooseFields, underUsualName } from '../shared/answer/looseFields';
import type { Outcome } from '../shared/run/askInBatches';
import { asRecord, isBlank, numberOf } from '../shared/plain/values';

/** The entries of a rerank response, and what it says besides. */
export interface RerankAnswer {
	results: ScoredEntry[];
	usage: Usage;
	/** The response without the entries that could be read. */
	rest: Record<string, unknown>;
	/** What could not be read. */
	loose: LooseFields;
}

/** An entry without an index belongs to no document that is known; one without a score fails its document. */
interface ScoredEntry {
	index: number | undefined;
	score: number | undefined;
	/** As the gateway sent it. */
	sent?: unknown;
}

/** Tokens of a request, as far as the gateway reports them. */
export interface Usage {
	inputTokens?: number;
	totalTokens?: number;
	cost?: number;
}

/**
 * Reads a rerank response (interface, 2.7), also under the names of other public APIs.
 *
 * @throws GatewayFailure (kind `answer`) when no entry can be read
 */
export function readRerankAnswer(body: unknown): RerankAnswer {
	const loose = new LooseFields();
	// Voyage AI calls them `data`, NVIDIA NIM `rankings`.
	const found = underUsualName(body, ['results', 'data', 'rankings']);
	if (!found) throw answerFailure('the field "results" is missing');
	const { name } = found;
	const unread: unknown[] = [];
	const results = loose.list(found.value, name, (entry, place) => {
		const read = entryOf(entry);
		if (read.index === undefined || read.score === undefined) {
			loose.leftOut.push(place);
			unread.push(entry);
		}
		return read;
	});
	if (results.length === 0) throw answerFailure(`the field "${name}" is empty`);
	if (unread.length === results.length) {
		const problem = results[0].index === undefined ? 'index' : 'relevance_score';
		throw answerFailure(`the field "${name}.0.${problem}" is missing or unexpected`);
	}
	const usage = loose.record(asRecord(body)?.usage, 'usage');
	return {
		results,
		rest: found.restWith(unread),
		usage: {
			inputTokens: loose.count(usage.prompt_tokens, 'usage.prompt_tokens'),
			totalTokens: loose.count(usage.total_tokens, 'usage.total_tokens'),
			cost: loose.cost(usage),
		},
		loose,
	};
}

/** Names of a score: the documented one, and those of Amazon Bedrock, Text Embeddings Inference, and NVIDIA NIM. */
const SCORES = ['relevance_score', 'relevanceScore', 'score', 'logit'];

function entryOf(entry: unknown): ScoredEntry {
	const fields = asRecord(entry) ?? {};
	const position = numberOf(fields.index);
	const isPosition = position !== undefined && Number.isInteger(position) && position >= 0;
	return {
		index: isPosition ? position : undefined,
		score: SCORES.map((name) => numberOf(fields[name])).find((one) => one !== undefined),
		sent: entry,
	};
}

/** A document's place in a ranking. */
export interface RankedDocument {
	/** Its position before the ranking. */
	index: number;
	/** Null for a document without text, which cannot be scored. */
	score: number | null;
}

/**
 * Assigns the scores of a response to their documents. Scores that are missing do not affect the others.
 *
 * @param count number of documents that were sent
 * @param topN number of results that were requested; undefined for all
 * @returns the score of each document, null for documents that are not among the best `topN`; a failure for a document
 *   whose score is missing or cannot be read
 * @throws GatewayFailure (kind `answer`) for an index that is out of range or has two scores
 */
export function placeScores(
	results: ScoredEntry[],
	count: number,
	topN?: number,
): Array<Outcome<number | null>> {
	const scores = new Map<number, number | undefined>();
	for (const { index, score } of results) {
		if (index === undefined) continue;
		if (index >= count) {
			throw answerFailure(
				`it ranks a document with the index ${index}, but the number of documents is ${count}`,
			);
		}
		if (scores.has(index)) throw answerFailure(`it ranks the document with the index ${index} twice`);
		scores.set(index, score);
	}
	const isComplete = expectedOf(count, topN) === count;
	return Array.from({ length: count }, (_, index) => {
		const score = scores.get(index);
		if (score !== undefined) return { value: score };
		return scores.has(index) || isComplete ? { failure: missingScore() } : { value: null };
	});
}

function expectedOf(count: number, topN = count): number {
	return Math.min(topN, count);
}

function missingScore(): GatewayFailure {
	const { kind, message, facts } = answerFailure('it contains no score for this document');
	return new GatewayFailure(kind, message, `The scores of the other documents are used. ${LIMITED}`, facts);
}

const LIMITED = 'If the gateway limits the number of results, lower Batch Size in Options.';

/** What to tell the user about a response with fewer results than were requested; undefined for nothing. */
export function fewerResultsHint(results: number, documents: number, topN?: number): string | undefined {
	const expected = expectedOf(documents, topN);
	if (results >= expected) return undefined;
	return `The gateway returned only ${results} of ${expected} results. ${LIMITED}`;
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

/** Adds the tokens of a request to those of others. */
export function addUsage(tokens: Usage, { inputTokens, totalTokens }: Usage = {}): void {
	if (inputTokens !== undefined) tokens.inputTokens = (tokens.inputTokens ?? 0) + inputTokens;
	if (totalTokens !== undefined) tokens.totalTokens = (tokens.totalTokens ?? 0) + totalTokens;
}
