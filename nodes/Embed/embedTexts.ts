import { askInBatches, type BatchSettings, type Outcome } from '../shared/runtime/askInBatches';
import { checkAnswer } from '../shared/http/checkAnswer';
import type { GatewayClient, RequestOptions } from '../shared/gateway/client';
import { endpoints } from '../shared/gateway/endpoints';
import { embeddingsSchema, type EmbeddingsAnswer } from './embeddingsSchema';
import { placeVectors, type EmbeddedEntry } from './vectors';

export const DEFAULT_EMBEDDING_BATCH_SIZE = 100;

/** How texts become vectors; the request of interface 4.12 without its texts. */
export interface EmbeddingSettings {
	model: string;
	/** Undefined: the model's own number. */
	dimensions?: number;
	/** How vectors are sent; undefined: as the gateway likes. Both are read whatever is asked for. */
	encodingFormat?: 'base64' | 'float';
	/** Merged into the request; wins over the fields above. */
	extraBodyFields?: Record<string, unknown>;
}

/** A vector and the request that it came with. */
export interface Embedding extends EmbeddedEntry {
	/** The answer that the vector came with, without its vectors, and how many texts shared the request. */
	request: { texts: number } & Pick<EmbeddingsAnswer, 'model' | 'usage'>;
}

/**
 * Turns any number of texts into vectors (interface, 4.12).
 *
 * @param texts must not be blank: gateways refuse such texts
 * @returns one outcome per text, in order; undefined for a text that was not sent because another one had
 *   failed. A vector of the wrong length is a failure that keeps the vector in `partial.embedding`.
 */
export async function embedTexts(
	client: GatewayClient,
	texts: string[],
	settings: EmbeddingSettings,
	batches: BatchSettings,
	options: RequestOptions = {},
): Promise<Array<Outcome<Embedding> | undefined>> {
	const ask = async (input: string[]): Promise<Array<Outcome<Embedding>>> => {
		const json = embeddingsRequest(input, settings);
		const body = await client.json({ ...options, endpoint: endpoints.embeddings, json });
		const answer = checkAnswer(embeddingsSchema, body);
		const request = { texts: input.length, model: answer.model || settings.model, usage: answer.usage };
		return placeVectors(answer, input.length).map((outcome) =>
			'value' in outcome ? { value: { ...outcome.value, request } } : outcome,
		);
	};
	return await askInBatches(texts, ask, batches);
}

/** The body of a request; what is not set is left out. */
export function embeddingsRequest(input: string[], settings: EmbeddingSettings): Record<string, unknown> {
	const { model, dimensions, encodingFormat, extraBodyFields } = settings;
	return {
		model,
		input,
		...(dimensions === undefined ? {} : { dimensions }),
		...(encodingFormat === undefined ? {} : { encoding_format: encodingFormat }),
		...extraBodyFields,
	};
}
