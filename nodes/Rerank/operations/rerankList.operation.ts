import type { IDataObject } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { GatewayFailure } from '../../shared/errors/gatewayFailure';
import type { ItemOperation } from '../../shared/runtime/operation';
import { isBlank } from '../../shared/values';
import { detailsOf, hintsOn } from '../describeRanking';
import { rankDocuments, type RankingResult } from '../rankDocuments';
import {
	DOCUMENTS,
	readRerankList,
	rerankListFields,
	type ListedDocument,
	type RerankListSettings,
} from './rerankList.fields';

/** Sorts the documents of a list by relevance, for each item separately (interface, 4.10). */
export const rerankList: ItemOperation = {
	value: 'rerankList',
	name: 'Rerank List',
	action: 'Rerank list',
	description: 'Sort the texts of a list by relevance to a query and keep the best',
	fields: rerankListFields,
	async run(call) {
		const settings = readRerankList(call);
		const { query, documents, asList, job } = settings;
		const texts = documents.map(({ text }) => text);
		if (texts.every(isBlank)) throw noDocuments();
		const { maxConcurrency } = call;
		const ranking = await rankDocuments(call.client, query, texts, job, {
			maxConcurrency,
			stopAtFailure: true,
		});
		const results = resultsOf(ranking, documents);
		const [failed] = ranking.failures;
		if (failed) throw incomplete(failed, documents, results);
		for (const hint of hintsOn(ranking, documents.length, job.settings)) call.hint(hint);
		return asList ? { json: listOf(results, ranking, settings) } : itemsOf(results, ranking, settings);
	},
};

function resultsOf({ kept }: RankingResult, documents: ListedDocument[]): IDataObject[] {
	return kept.map(
		({ index, score }) => ({ document: documents[index].given, relevanceScore: score, index }) as IDataObject,
	);
}

function listOf(
	results: IDataObject[],
	{ requests, tokens }: RankingResult,
	{ query, job, simplify }: RerankListSettings,
): IDataObject {
	const { model } = job.settings;
	return { results, ...(simplify ? {} : { model, query, requests }), ...tokens };
}

function itemsOf(
	results: IDataObject[],
	ranking: RankingResult,
	{ query, job, simplify }: RerankListSettings,
): Array<{ json: IDataObject }> {
	if (simplify) return results.map((json) => ({ json }));
	const { model } = job.settings;
	return results.map((result, place) => {
		const { index } = ranking.kept[place];
		return { json: { ...result, ...detailsOf(ranking, { query, model, rank: place + 1, index }) } };
	});
}

/** When a document could not be scored, the whole list fails, and the details keep the scores of the others. */
function incomplete(
	[index, failure]: [number, GatewayFailure],
	documents: ListedDocument[],
	results: IDataObject[],
): GatewayFailure {
	const failedDocument = { index, text: documents[index].text.slice(0, 100) };
	return failure.with({ partial: { failedDocument, results } });
}

function noDocuments(): GatewayFailure {
	return inputFailure(
		DOCUMENTS,
		'contains no text',
		'Enter a JSON list of texts, or one document per line. If the value comes from an expression, check that this item has the field.',
	);
}
