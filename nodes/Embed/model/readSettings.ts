import { DEFAULT_EMBEDDING_BATCH_SIZE } from '../embedTexts';
import type { SubNodeCall } from '../../shared/runtime/subNode';
import type { GatewayEmbeddingsSettings } from './gatewayEmbeddings';

/**
 * Reads the parameters of the Embeddings Model.
 *
 * @throws GatewayFailure (kind `input`) that names the one which cannot be used
 */
export function readSettings(call: SubNodeCall): GatewayEmbeddingsSettings {
	const { encodingFormat } = call.options;
	const batchSize = call.optionalNumber('batchSize', 'Batch Size', { min: 1, whole: true });
	return {
		settings: {
			model: call.picked('model', 'Model'),
			dimensions: call.optionalNumber('dimensions', 'Dimensions', { min: 1, whole: true }),
			encodingFormat: encodingFormat === 'base64' || encodingFormat === 'float' ? encodingFormat : undefined,
			extraBodyFields: call.extraBodyFields,
		},
		batches: {
			batchSize: batchSize ?? DEFAULT_EMBEDDING_BATCH_SIZE,
			maxConcurrency: call.maxConcurrency,
		},
		options: call.requestOptions,
	};
}
