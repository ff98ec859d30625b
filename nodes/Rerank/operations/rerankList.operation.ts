import type { IDataObject } from 'n8n-workflow';
import { isBlank } from '../../shared/values';
import { inputFailure } from '../../shared/errors/errorMessages';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import { rankDocuments, type RankingResult } from '../rankDocuments';
import type { ItemOperation } from '../../shared/runtime/operation';
import { detailsOf, remarksOn } from '../describeRanking';
import { DEFAULT_TEXT_FIELD, readDocuments, type ListedDocument } from '../documents';
import { readRankingJob } from '../readSettings';
import { rerankListFields } from './rerankList.fields';

/** Puts the documents of a list in the order of their relevance, for each item by itself (interface, 4.10). */
export const rerankList: ItemOperation = {
	value: 'rerankList',
	name: 'Rerank List',
	action: 'Rerank list',
	description: 'Sort the texts of a list by relevance to a query and keep the best',
	fields: rerankListFields,
	async run(call) {
		const { settings, batchSize, options } = readRankingJob(call);
		const { textField } = call.options;
		const documents = readDocuments(
			call.text('documents'),
			typeof textField === 'string' && textField.trim() !== '' ? textField.trim() : DEFAULT_TEXT_FIELD,
		);
		if (documents.every(({ text }) => isBlank(text))) throw noDocuments();
		const ranking = await rankDocuments(
			call.client,
			documents.map(({ text }) => text),
			settings,
			{ batchSize, maxConcurrency: call.maxConcurrency, stopAtFailure: true },
			options,
		);
		if (ranking.failures.size > 0) throw toFailure(incomplete(ranking, documents));
		for (const sentence of remarksOn(ranking, documents.length, settings)) call.hint(sentence);

		const simplify = call.flag('simplify');
		const results = resultsOf(ranking, documents);
		if (call.text('output') === 'list') {
			const { requests, usage } = ranking;
			const about = simplify ? {} : { model: settings.model, query: settings.query, requests };
			return { json: { results, ...about, ...(usage ? { usage } : {}) } };
		}
		return results.map((result, place) => {
			const details = { rerank: detailsOf(ranking, settings, place + 1, ranking.kept[place].index) };
			return { json: simplify ? result : { ...result, ...details } };
		});
	},
};

function resultsOf({ kept }: RankingResult, documents: ListedDocument[]): IDataObject[] {
	return kept.map(
		({ index, score }) => ({ document: documents[index].given, relevanceScore: score, index }) as IDataObject,
	);
}

/** A list of which a part could not be scored fails as a whole; what was scored is kept in the details. */
function incomplete(ranking: RankingResult, documents: ListedDocument[]): GatewayFailure {
	const [[index, failure]] = ranking.failures;
	return failure.with({
		partial: {
			failedDocument: { index, text: documents[index].text.slice(0, 100) },
			results: resultsOf(ranking, documents),
		},
	});
}

function noDocuments(): GatewayFailure {
	return inputFailure(
		'Documents',
		'holds no text',
		'Enter a JSON list of texts, or one document per line. If it comes from an expression, check that this item has the field.',
	);
}
