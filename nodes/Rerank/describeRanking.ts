import type { IDataObject } from 'n8n-workflow';
import type { RankingResult } from './rankDocuments';
import type { Selection } from './scores';

/**
 * How a document came to its place, for results that are not simplified.
 *
 * @param place `rank` counts from 1; `index` is the document's position before the ranking
 */
export function detailsOf(
	{ requests, tokens }: RankingResult,
	{ rank, index, model, query }: { rank: number; index: number; model: string; query: string },
): { rerank: IDataObject } {
	return { rerank: { rank, index, model, query, requests, ...tokens } };
}

/**
 * Hints for the user on documents that have no score of their own.
 *
 * @param total number of documents
 */
export function hintsOn(
	{ empty, duplicates, failures }: RankingResult,
	total: number,
	{ keepEmpty, minimumScore, removeDuplicates }: Selection,
): string[] {
	const hints: string[] = [];
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
			`Documents that could not be scored are missing from the ranking (${failures.size} of ${total}).`,
		);
	}
	return hints;
}
