import { inputFailure } from '../shared/errors/errorMessages';
import type { RequestOptions } from '../shared/gateway/client';
import { DEFAULT_RANKING_BATCH_SIZE, type RankingSettings } from './rankDocuments';
import type { Call } from '../shared/runtime/call';

/** All that a ranking needs besides its documents; plain data, so that equal settings can be told. */
export interface RankingJob {
	settings: RankingSettings;
	batchSize: number;
	options: RequestOptions;
}

/**
 * Reads the parameters that both operations share.
 *
 * @throws GatewayFailure (kind `input`) that names the one which cannot be used
 */
export function readRankingJob(call: Call): RankingJob {
	const topN = call.number('topN', 'Top N');
	if (topN < 0 || !Number.isInteger(topN)) {
		throw inputFailure('Top N', `is ${topN}`, 'Enter a whole number, or 0 to keep all documents.');
	}
	return {
		settings: {
			model: call.picked('model', 'Model'),
			query: call.requiredText('query', 'Query'),
			topN: topN === 0 ? undefined : topN,
			minimumScore: call.optionalNumber('minimumScore', 'Minimum Score'),
			removeDuplicates: call.options.removeDuplicates === true,
			keepEmpty: call.options.emptyDocuments === 'putLast',
			extraBodyFields: call.extraBodyFields,
		},
		batchSize: call.optionalNumber('batchSize', 'Batch Size', { min: 1 }) ?? DEFAULT_RANKING_BATCH_SIZE,
		options: call.requestOptions,
	};
}
