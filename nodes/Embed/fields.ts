import type { IExecuteFunctions, INodeProperties, ISupplyDataFunctions } from 'n8n-workflow';
import { batchSizeOption } from '../batches/batchSize';
import { optionFields } from '../shared/fields/options';
import { modelField } from '../shared/fields/picker';
import { endpoints } from '../shared/send/endpoints';
import type { Call } from '../shared/run/call';
import type { EmbeddingJob } from './embedTexts';
import { numberField } from '../shared/fields/field';

export const MODEL = modelField('e.g. embedding-3-small');

const BATCH_SIZE = batchSizeOption(100, 'Maximum number of texts per request');

const DIMENSIONS = numberField(
	'Dimensions',
	'dimensions',
	256,
	'Length of each vector, for models that support shorter vectors. Use the same length to store and to search. Without this option, the model determines the length.',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

/** The lists of options of the Embed node or of the Embeddings Model. */
export function embeddingOptions(isSubNode: boolean): INodeProperties[] {
	return optionFields(endpoints.embeddings, { pays: 'tokens', isSubNode }, [DIMENSIONS], [BATCH_SIZE]);
}

/** Reads Model and Options. */
export function readEmbeddingJob(call: Call<IExecuteFunctions | ISupplyDataFunctions>): EmbeddingJob {
	return {
		settings: {
			model: call.picked(MODEL),
			dimensions: call.options.number(DIMENSIONS),
			extraBodyFields: call.extraBodyFields,
		},
		options: call.requestOptions,
		batchSize: call.options.numberOrDefault(BATCH_SIZE),
	};
}
