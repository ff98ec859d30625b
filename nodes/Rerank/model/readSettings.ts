import { DEFAULT_RANKING_BATCH_SIZE } from '../rankDocuments';
import type { SubNodeCall } from '../../shared/runtime/subNode';
import type { GatewayRerankerSettings } from './gatewayReranker';

/**
 * Reads the parameters of the Reranker Model.
 *
 * @throws GatewayFailure (kind `input`) that names the one which cannot be used
 */
export function readSettings(call: SubNodeCall): GatewayRerankerSettings {
	const topN = call.number('topN', 'Top N', { min: 0, whole: true });
	const batchSize = call.optionalNumber('batchSize', 'Batch Size', { min: 1, whole: true });
	return {
		settings: {
			model: call.picked('model', 'Model'),
			topN: topN === 0 ? undefined : topN,
			minimumScore: call.optionalNumber('minimumScore', 'Minimum Score'),
			removeDuplicates: call.options.removeDuplicates === true,
			extraBodyFields: call.extraBodyFields,
		},
		batches: { batchSize: batchSize ?? DEFAULT_RANKING_BATCH_SIZE, maxConcurrency: call.maxConcurrency },
		options: call.requestOptions,
	};
}
