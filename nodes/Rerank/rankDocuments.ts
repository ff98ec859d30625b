import type { IDataObject } from 'n8n-workflow';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import type { RequestOptions } from '../shared/send/client';
import { endpoints } from '../shared/send/endpoints';
import { readJson } from '../shared/answer/answerReaders';
import { readWith } from '../shared/answer/schemas';
import { askInBatches, limitOf, type Outcome, type PoolShare } from '../shared/run/askInBatches';
import type { Call } from '../shared/run/call';
import { KeptTexts } from '../shared/run/keptTexts';
import { sharedRest } from '../shared/run/rawAnswer';
import { isBlank } from '../shared/plain/values';
import {
	addUsage,
	fewerResultsHint,
	mergeScores,
	placeScores,
	type Ranking,
	readRerankAnswer,
	type Selection,
	type Usage,
} from './scores';

/** The request of interface 4.10 without its query and documents, and which documents to keep. */
interface RankingSettings extends Selection {
	model: string;
	/** Merged into each request; overrides the other fields. */
	extraBodyFields?: Record<string, unknown>;
}

/** Everything that a ranking needs except the query and the documents; plain data, so that jobs can be compared. */
export interface RankingJob {
	settings: RankingSettings;
	options: RequestOptions;
	/** Documents per request. */
	batchSize: number;
}

/** A ranking and its cost. */
export interface RankingResult extends Ranking {
	/** Number of requests that were answered. */
	requests: number;
	/** Of all requests. */
	tokens: Usage;
	/** About parts of responses that could not be read. */
	notes: string[];
	/** The first document without a score for another reason than that a response has none that can be read. */
	failed: [index: number, failure: GatewayFailure] | undefined;
	/** What the gateway sent about a document. */
	sentFor: (text: string) => SentScore | undefined;
}

/** What the gateway sent about a document. */
export interface SentScore {
	/** Its entry in the response; undefined if it has none. */
	entry: unknown;
	/** The response without its entries, as far as it is to be repeated with each of them. */
	rest: Record<string, unknown>;
}

/** The documents of a ranking, and the items that they belong to. */
export interface RankedDocuments {
	documents: string[];
	/** The item of each document. */
	items: number[];
	/** Whether all documents belong to one item. */
	isOneItem: boolean;
}

/** Documents that all belong to one item. */
export function documentsOfItem(itemIndex: number, documents: string[]): RankedDocuments {
	return { documents, items: documents.map(() => itemIndex), isOneItem: true };
}

/** The score of a document and the request that returned it, which it shares with others. */
interface SharedScore {
	score: number | null;
	entry: unknown;
	/** Only for the first document of a response with a long rest. */
	rest?: Record<string, unknown>;
	request: { usage?: Usage; rest: Record<string, unknown> };
}

/**
 * Ranks any number of documents by their relevance to a query (interface, 4.10), in as many requests as needed.
 * Documents without text are not sent, and equal documents are sent once. A score that is missing in a response fails
 * only its own item; if all documents belong to one item, the others are ranked without it.
 */
export async function rankDocuments(
	{ client, payments, progress }: Pick<Call, 'client' | 'payments' | 'progress'>,
	query: string,
	{ documents, items, isOneItem }: RankedDocuments,
	{ settings, options, batchSize }: RankingJob,
	share: PoolShare,
): Promise<RankingResult> {
	const { model, topN, extraBodyFields } = settings;
	const request = [client.addresses.base, query, model, topN, extraBodyFields];
	const kept = new KeptTexts<SharedScore>(payments, {
		texts: documents,
		items,
		request,
		isOneItem,
		repeatsUnclear: options.repeatsUnclear,
	});
	const requests = new Set<SharedScore['request']>();
	const notes = new Set<string>();
	const unscored = new Map<string, GatewayFailure>();
	const ask = async (texts: string[]): Promise<Array<Outcome<SharedScore>>> => {
		const json = rerankRequest(texts, { ...settings, query });
		const { top_n: topN } = json;
		const { value, isReused } = await payments.send(
			kept.itemsOf(texts),
			{ ...options, endpoint: endpoints.rerank, json },
			async (response) => {
				const body = await readJson(response);
				const { results, usage, rest, loose } = await readWith(body, readRerankAnswer);
				const most = typeof topN === 'number' ? topN : undefined;
				const scores = await readWith(body, () => placeScores(results, texts.length, most));
				const sent = new Map(results.map((one) => [one.index, one.sent]));
				const found = [loose.hint, fewerResultsHint(results.length, texts.length, most)];
				return { scores, sent, usage, rest: sharedRest(rest), notes: found };
			},
			{ keeps: false },
		);
		const { scores, sent, usage, rest } = value;
		if (!isReused) client.ledger.used(usage);
		progress.ended(kept.itemsOf(texts));
		const request = { usage, rest: rest.others };
		requests.add(request);
		for (const note of value.notes) if (note !== undefined) notes.add(note);
		// The best document is in the output, whatever is left out.
		const rated = scores.map((one) => ('value' in one ? one.value : undefined) ?? Number.NEGATIVE_INFINITY);
		const first = rated.indexOf(Math.max(...rated));
		return scores.map((one, index) => {
			if ('failure' in one) unscored.set(texts[index], one.failure);
			// It must not stop the other requests of its item.
			if ('failure' in one && !isOneItem) return one;
			const score = 'value' in one ? one.value : null;
			const own = index === first && rest.first !== rest.others ? { rest: rest.first } : {};
			return { value: { score, entry: sent.get(index), ...own, request } };
		});
	};
	const texts = documents.filter((text) => !isBlank(text));
	const outcomes = await askInBatches<SharedScore>(
		texts,
		ask,
		{ batchSize, ...share, limit: limitOf(client, { endpoint: endpoints.rerank, json: { model } }) },
		{
			async find(text) {
				const value = await kept.find(text);
				if (value) requests.add(value.request);
				const failure = value ? undefined : kept.failureOf(text);
				return failure ? { failure } : value && { value };
			},
			async keep(text, value) {
				if (!unscored.has(text)) await kept.keep(text, value);
			},
			failed: async (text, failure) => await kept.failed(text, failure),
		},
	);
	const outcomeOf = new Map<string, Outcome<number | null>>();
	const answered = new Map<string, SentScore>();
	for (const [index, outcome] of outcomes.entries()) {
		if (!outcome) continue;
		const text = texts[index];
		const missing = unscored.get(text);
		if ('failure' in outcome || missing) {
			outcomeOf.set(text, missing ? { failure: missing } : (outcome as { failure: GatewayFailure }));
			continue;
		}
		const { score, entry, rest, request } = outcome.value;
		outcomeOf.set(text, { value: score });
		answered.set(text, { entry, rest: rest ?? request.rest });
	}
	const tokens: Usage = {};
	for (const { usage } of requests) addUsage(tokens, usage);
	const ranking = mergeScores(documents, outcomeOf, settings);
	const failed = [...ranking.failures].find(([index]) => !unscored.has(documents[index]));
	return {
		...ranking,
		requests: requests.size,
		tokens,
		notes: [...notes],
		failed,
		sentFor: (text) => answered.get(text),
	};
}

/**
 * The body of a request. The best of all documents are among the best of each request, so no request needs more
 * results than the ranking.
 */
export function rerankRequest(
	documents: string[],
	settings: RankingSettings & { query: string },
): Record<string, unknown> {
	const { model, query, topN, extraBodyFields } = settings;
	return {
		model,
		query,
		documents,
		...(topN === undefined ? {} : { top_n: Math.min(topN, documents.length) }),
		...extraBodyFields,
	};
}

/**
 * What the node itself knows about a ranking, for results that are not simplified.
 *
 * @param places for one document: `rank` counts from 1, `index` is its position before the ranking
 */
export function detailsOf(
	{ requests, tokens }: RankingResult,
	{ model, query, ...places }: { model: string; query: string } & IDataObject,
): { rerank: IDataObject } {
	return { rerank: { ...places, model, query, requests, ...tokens } };
}

/**
 * Hints for the user on documents that have no score of their own, and on what could not be read.
 *
 * @param total number of documents
 */
export function hintsOn(
	{ empty, duplicates, failures, notes }: RankingResult,
	total: number,
	{ keepEmpty, minimumScore, removeDuplicates }: Selection,
): string[] {
	const hints = [...notes];
	if (empty > 0) {
		const action = keepEmpty && minimumScore === undefined ? 'put last' : 'left out';
		hints.push(`Empty documents were ${action} (${empty} of ${total}).`);
	}
	if (duplicates > 0) {
		const action = removeDuplicates ? 'removed' : 'sent only once';
		hints.push(`Duplicate documents were ${action} (${duplicates} of ${total}).`);
	}
	if (failures.size > 0) {
		hints.push(
			`Documents that could not be scored are missing from the ranking (${failures.size} of ${total}): index ${positions([...failures.keys()])}.`,
		);
	}
	return hints;
}

const MAX_POSITIONS = 20;

function positions(indexes: number[]): string {
	const shown = indexes.slice(0, MAX_POSITIONS).join(', ');
	return indexes.length > MAX_POSITIONS ? `${shown}, and ${indexes.length - MAX_POSITIONS} more` : shown;
}
