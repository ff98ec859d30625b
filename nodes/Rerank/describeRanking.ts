import type { IDataObject } from 'n8n-workflow';
import type { RankingResult, RankingSettings } from './rankDocuments';

/** What beside the score is known about a document's place; for answers that are not simplified. */
export function detailsOf(
	ranking: RankingResult,
	{ model, query }: RankingSettings,
	rank: number,
	index: number,
): IDataObject {
	const { requests, usage } = ranking;
	return { rank, index, model, query, requests, usage };
}

/** Remarks for the user on documents that were not simply ranked, in whole sentences. */
export function remarksOn(
	{ empty, duplicates, failures }: RankingResult,
	total: number,
	{ keepEmpty, minimumScore, removeDuplicates }: RankingSettings,
): string[] {
	const remarks: string[] = [];
	if (empty > 0) {
		const fate = keepEmpty && minimumScore === undefined ? 'put last' : 'left out';
		remarks.push(`${empty} of ${total} documents hold no text and were ${fate}.`);
	}
	if (duplicates > 0) {
		const fate = removeDuplicates ? 'only the first one was kept' : 'each text was sent once';
		remarks.push(`${duplicates} of ${total} documents repeat the text of an earlier one: ${fate}.`);
	}
	if (failures.size > 0) {
		remarks.push(
			`${failures.size} of ${total} documents could not be scored: the order is that of the others.`,
		);
	}
	return remarks;
}
