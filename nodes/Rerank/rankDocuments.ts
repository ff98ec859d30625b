import type { IDataObject } from 'n8n-workflow';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import type { RequestOptions } from '../shared/send/client';
import { endpoints } from '../shared/send/endpoints';
import { readJson } from '../shared/answer/answerReaders';
import { readWith } from '../shared/answer/schemas';
import { askInBatches, limitOf, type Outcome } from '../shared/run/askInBatches';
import type { Call } from '../shared/run/call';
import { KeptTexts } from '../shared/run/keptTexts';
import { sharedRest } from '../shared/run/rawAnswer';
import { isBlank } from '../shared/plain/values';
import {
	fewerResultsHint,
	mergeScores,
	placeScores,
	type Ranking,
	readRerankAnswer,
	type RerankAnswer,
	type Score,
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
	failed: { index: number; failure: GatewayFailure } | undefined;
}

/** The score of a document and the request that returned it, which it shares with others. */
interface SharedScore extends Score {
	/** Why it has none although the other documents of its item are to be ranked. */
	missing?: GatewayFailure;
	request: { usage: Usage; rest: Record<string, unknown> };
}

/**
 * Ranks any number of documents by their relevance to a query (interface, 4.10), in as many requests as needed.
 * Documents without text are not sent, and equal documents are sent once. A score that is missing in a response fails
 * only its own item; if all documents belong to one item, the others are ranked without it.
 *
 * @param items the item of each document; by default, all belong to the item of the call
 */
export async function rankDocuments(
	call: Pick<Call, 'client' | 'payments' | 'progress' | 'slots' | 'pool' | 'itemIndex'>,
	query: string,
	documents: string[],
	{ settings, options, batchSize }: RankingJob,
	items?: number[],
): Promise<RankingResult> {
	const { client, payments, progress, slots } = call;
	const { model, topN, extraBodyFields } = settings;
	const endpoint = endpoints.rerank;
	const isOneItem = items === undefined;
	const kept = new KeptTexts<SharedScore>(payments, {
		texts: documents,
		items: items ?? documents.map(() => call.itemIndex),
		request: [client.addresses.base, query, model, topN, extraBodyFields],
		isOneItem,
		repeatsUnclear: options.repeatsUnclear,
	});
	const notes = new Set<string>();
	const ask = async (texts: string[]): Promise<Array<Outcome<SharedScore>>> => {
		const json = rerankRequest(texts, { ...settings, query });
		const most = typeof json.top_n === 'number' ? json.top_n : undefined;
		const { value } = await payments.send(
			kept.itemsOf(texts),
			{ ...options, endpoint, json },
			async (response) => {
				const body = await readJson(response);
				const answer = await readWith(body, readRerankAnswer);
				const placed = await readWith(body, () => placeScores(answer.results, texts.length, most));
				return { answer, placed };
			},
			{ keeps: false },
		);
		const { answer, placed } = value;
		client.ledger.used(answer.usage);
		progress.ended(kept.itemsOf(texts));
		const found = [answer.loose.hint, fewerResultsHint(answer.results.length, texts.length, most)];
		for (const note of found) if (note !== undefined) notes.add(note);
		return withRequest(placed, answer, isOneItem);
	};
	const texts = documents.filter((text) => !isBlank(text));
	const outcomes = await askInBatches<SharedScore>(
		texts,
		ask,
		{
			batchSize,
			slots,
			stopAtFailure: isOneItem || call.pool.stopsAt !== undefined,
			limit: limitOf(client, { endpoint, json: { model } }),
		},
		{
			find: async (text) => await kept.find(text),
			failed: async (text, failure) => await kept.failed(text, failure),
			async keep(text, value) {
				if (!value.missing) await kept.keep(text, value);
			},
		},
	);
	const scores = new Map<string, Outcome<Score>>();
	const requests = new Set<SharedScore['request']>();
	let failed: RankingResult['failed'];
	for (const [index, outcome] of outcomes.entries()) {
		if (!outcome) continue;
		const text = texts[index];
		if ('failure' in outcome) {
			failed ??= { index: documents.indexOf(text), failure: outcome.failure };
			scores.set(text, outcome);
			continue;
		}
		const { score, entry, request, rest = request.rest, missing } = outcome.value;
		requests.add(request);
		scores.set(text, missing ? { failure: missing } : { value: { score, entry, rest } });
	}
	return {
		...mergeScores(documents, scores, settings),
		requests: requests.size,
		tokens: sumOf([...requests].map(({ usage }) => usage)),
		notes: [...notes],
		failed,
	};
}

/** The scores of a response with what it says about all of them. */
function withRequest(
	placed: Array<Outcome<Score>>,
	{ usage, rest }: RerankAnswer,
	isOneItem: boolean,
): Array<Outcome<SharedScore>> {
	const { first, others } = sharedRest(rest);
	const request = { usage, rest: others };
	// The best document is in the output, whatever is left out.
	const rated = placed.map((one) => ('value' in one ? one.value.score : null) ?? Number.NEGATIVE_INFINITY);
	const best = rated.indexOf(Math.max(...rated));
	return placed.map((one, index) => {
		// It must not stop the other requests of its item.
		if ('failure' in one) return isOneItem ? { value: { score: null, missing: one.failure, request } } : one;
		const own = index === best && first !== others ? { rest: first } : {};
		return { value: { ...one.value, ...own, request } };
	});
}

/** The tokens of several requests, as far as the gateway reports them. */
function sumOf(usages: Usage[]): Usage {
	const sum: Usage = {};
	for (const usage of usages) {
		for (const name of ['inputTokens', 'totalTokens'] as const) {
			const tokens = usage[name];
			if (tokens !== undefined) sum[name] = (sum[name] ?? 0) + tokens;
		}
	}
	return sum;
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
	{ requests, tokens }: Pick<RankingResult, 'requests' | 'tokens'>,
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
	{ keepEmpty, removeDuplicates }: Selection,
): string[] {
	const hints = [...notes];
	if (empty > 0) {
		const action = keepEmpty ? 'put last' : 'left out';
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
