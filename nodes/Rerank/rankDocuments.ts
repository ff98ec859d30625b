import type { IDataObject } from 'n8n-workflow';
import { GatewayFailure, type PlainFailure } from '../shared/failure/failure';
import { endpoints } from '../shared/send/endpoints';
import { readJson, readWith } from '../shared/answer/answerReaders';
import type { Outcome } from '../batches/askInBatches';
import {
	type CallForTexts,
	mayBeCause,
	namingText,
	type OfRequest,
	type RequestFacts,
	sendTexts,
	sumOf,
} from '../batches/paidTexts';
import { hashOf, isBlank } from '../shared/plain/values';
import type { RankingJob } from './fields';
import {
	fewerResultsHint,
	placeScores,
	rankedOf,
	type Rated,
	readRerankAnswer,
	type Score,
	zeroScoresHint,
} from './scores';

/** The kept documents are in ranked order. */
export type RankingResult = Awaited<ReturnType<typeof rankDocuments>>;

interface OwnScore extends Score {
	/** The reason why it is missing, although the other documents of its item are ranked. */
	missing?: PlainFailure;
}

/**
 * Ranks any number of documents by their relevance to a query (interface, 4.10). Documents without text are not sent.
 * A missing score fails its own item; if all documents belong to one item (no `items`), the others are ranked without
 * it. With `needsScores`, a score that cannot be read fails the request, because its document could be the best one.
 */
export async function rankDocuments(
	call: CallForTexts,
	query: string,
	documents: string[],
	{ settings, options, batchSize }: RankingJob,
	{ items, needsScores }: { items?: number[]; needsScores?: boolean } = {},
) {
	const { model, topN } = settings;
	const isOneItem = items === undefined;
	const notes = new Set<string>();
	const requestFor = (some: string[]) => rerankRequest(some, { ...settings, query });
	const places = [...documents.keys()].filter((index) => !isBlank(documents[index]));
	const texts = places.map((index) => documents[index]);
	const outcomes = await sendTexts<OwnScore, OfRequest<OwnScore>>(call, {
		texts,
		items: places.map((index) => items?.[index] ?? call.itemIndex),
		isOneItem,
		// What is not among the best is so only beside the others.
		request: [requestFor([]), topN, 'top_n' in requestFor([]) && hashOf(texts.join('\n'))],
		options,
		endpoint: endpoints.rerank,
		model,
		batchSize,
		ask: async (some, send) => await send(requestFor(some)),
		async read(answer, some) {
			const { top_n: top } = requestFor(some);
			const most = typeof top === 'number' ? top : undefined;
			const body = await readJson(answer);
			const { results, rest, usage, optional } = await readWith(body, () =>
				readRerankAnswer(body, some, needsScores),
			);
			const placed = await readWith(body, () => placeScores(results, some.length, most));
			const hints = [optional.hint, fewerResultsHint(results.length, some.length, most)];
			for (const hint of hints) if (hint !== undefined) notes.add(hint);
			// A score that is missing must not stop the other requests of its item.
			const outcomes = placed.map((one): Outcome<OwnScore> =>
				'failure' in one && isOneItem ? { value: { score: null, missing: one.failure.toPlain() } } : one,
			);
			return { outcomes, facts: usage, rest, first: bestOf(placed) };
		},
		toStored: (value) => value,
		fromStored: (value) => value,
	});
	const rated: Rated[] = [];
	/** The reasons why documents could not be scored, by the index of the document. */
	const failures = new Map<number, GatewayFailure>();
	const requests = new Set<RequestFacts>();
	/** The failure to report if a request failed, and the index of the document that may be its cause. */
	let failed: { failure: GatewayFailure; cause: number | undefined } | undefined;
	for (const [place, outcome] of outcomes.entries()) {
		if (!outcome) continue;
		const index = places[place];
		if ('failure' in outcome) {
			// A failure that may have been charged for is the one to report.
			const { failure } = outcome;
			const saysMore = failed?.failure.isFree && !failure.isFree;
			const named = namingText(failure, outcomes, `Document ${index + 1}`, documents[index]);
			const cause = mayBeCause(failure, outcomes) ? index : undefined;
			if (!failed || saysMore) failed = { failure: named, cause };
			failures.set(index, failure);
			continue;
		}
		const { request, missing, ...score } = outcome.value;
		requests.add(request);
		if (missing) failures.set(index, GatewayFailure.fromPlain(missing));
		else rated.push({ index, ...score });
	}
	const zeroScores = zeroScoresHint(rated);
	if (zeroScores !== undefined) notes.add(zeroScores);
	return {
		kept: rankedOf(rated, settings),
		failures,
		query,
		model,
		requests: requests.size,
		tokens: sumOf(requests),
		/** Hints about the responses. */
		notes: [...notes],
		failed,
	};
}

/** Returns the place of the best score, because its document is in the output, whatever is left out. */
function bestOf(placed: Array<Outcome<Score>>): number {
	const rated = placed.map((one) => ('value' in one ? one.value.score : null) ?? Number.NEGATIVE_INFINITY);
	return rated.indexOf(Math.max(...rated));
}

/** Writes the body of a request. The best of all documents are among the best of each request, so Top N is enough. */
export function rerankRequest(
	documents: string[],
	settings: Partial<RankingJob['settings']> & { query: string },
): Record<string, unknown> {
	const { model, query, topN, extraBodyFields } = settings;
	const most = topN === undefined ? {} : { top_n: Math.min(topN, documents.length) };
	return { model, query, documents, ...most, ...extraBodyFields };
}

/** Returns facts about a ranking. @param places `rank` counts from 1, `index` is the place before the ranking */
export function detailsOf({ requests, tokens, query, model }: RankingResult, places: IDataObject) {
	return { rerank: { ...places, model, query, requests, ...tokens } };
}

/**
 * Returns hints for the user about documents without a score, and about the responses.
 * @param items the indexes of the documents' items, if each document is an item
 */
export function hintsOn({ failures, notes }: RankingResult, documents: string[], items?: number[]): string[] {
	const hints = [...notes];
	const total = documents.length;
	const empty = documents.filter(isBlank).length;
	if (empty > 0) hints.push(`Empty documents were left out (${empty} of ${total}).`);
	if (failures.size > 0) {
		const indexes = [...failures.keys()].map((index) => items?.[index] ?? index);
		hints.push(
			`Documents that could not be scored are missing from the ranking (${failures.size} of ${total}): index ${positions(indexes)}.`,
		);
	}
	return hints;
}

const MAX_POSITIONS = 20;

function positions(indexes: number[]): string {
	const shown = indexes.slice(0, MAX_POSITIONS).join(', ');
	return indexes.length > MAX_POSITIONS ? `${shown}, and ${indexes.length - MAX_POSITIONS} more` : shown;
}
