import type { IExecuteFunctions, INodeProperties, ISupplyDataFunctions } from 'n8n-workflow';
import { batchSizeOption } from '../batches/askInBatches';
import { optionFields } from '../shared/fields/options';
import { modelField } from '../shared/fields/picker';
import { endpoints } from '../shared/send/endpoints';
import type { Call } from '../shared/run/call';
import type { ParameterDefinition } from '../shared/run/parameterReader';
import { numberField, textField } from '../shared/fields/field';

export const MODEL = modelField('e.g. reranker-v2-m3');

export const QUERY = textField(
	'Query',
	'query',
	'The question or search text to compare the documents with',
	{ typeOptions: { rows: 2 }, required: true, placeholder: 'e.g. How do I reset my password?' },
);

export const TOP_N = numberField(
	'Top N',
	'topN',
	0,
	'Maximum number of documents to keep, most relevant first. Enter 0 to keep all documents.',
	{ typeOptions: { minValue: 0, numberPrecision: 0 } },
);

const BATCH_SIZE = batchSizeOption(
	200,
	'Maximum number of documents per request. Results of several requests are merged by score.',
);

const MINIMUM_SCORE = numberField(
	'Minimum Score',
	'minimumScore',
	0.5,
	'Documents with a lower score are left out. What counts as a high score depends on the model.',
	{ typeOptions: { numberPrecision: 4 } },
);

/** Returns the lists of options of a ranking. */
export function rankingOptions(own: INodeProperties[] = [], isSubNode = false): INodeProperties[] {
	return optionFields(endpoints.rerank, { pays: 'tokens', isSubNode }, [...own, MINIMUM_SCORE], [BATCH_SIZE]);
}

/** Everything that a ranking needs except the query and the documents; plain data, so that jobs can be compared. */
export type RankingJob = ReturnType<typeof readRankingJob>;

/** Reads Model, Top N, and Options. @param topNField Top N with the default of the node */
export function readRankingJob(
	call: Call<IExecuteFunctions | ISupplyDataFunctions>,
	topNField: ParameterDefinition = TOP_N,
) {
	const topN = call.number(topNField);
	return {
		settings: {
			model: call.picked(MODEL),
			topN: topN === 0 ? undefined : topN,
			minimumScore: call.options.number(MINIMUM_SCORE),
			extraBodyFields: call.extraBodyFields,
		},
		options: call.requestOptions,
		batchSize: call.options.numberOrDefault(BATCH_SIZE),
	};
}
