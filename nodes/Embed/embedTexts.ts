import type { GatewayClient, RequestOptions } from '../shared/gateway/client';
import { endpoints } from '../shared/gateway/endpoints';
import { checkAnswer } from '../shared/http/schemas';
import { askInBatches, type Outcome, type PoolShare } from '../shared/runtime/askInBatches';
import { embeddingsSchema, placeVectors, type EmbeddedEntry, type EmbeddingsAnswer } from './vectors';

/** The request of interface 4.12 without its texts. */
export interface EmbeddingSettings {
	model: string;
	/** Undefined: the model's own number. */
	dimensions?: number;
	/** Undefined: the gateway's choice. Both formats are read, whichever was requested. */
	encodingFormat?: 'base64' | 'float';
	/** Merged into the request; overrides the fields above. */
	extraBodyFields?: Record<string, unknown>;
}

/** Everything that embedding needs except the texts; plain data, so that jobs can be compared. */
export interface EmbeddingJob {
	settings: EmbeddingSettings;
	options: RequestOptions;
	/** Texts per request. */
	batchSize: number;
}

/** A vector and the request that returned it. */
export interface Embedding extends EmbeddedEntry {
	/** How many texts shared the request, and the response without its vectors. */
	request: { texts: number } & Pick<EmbeddingsAnswer, 'model' | 'usage'>;
}

/**
 * Turns any number of texts into vectors (interface, 4.12).
 *
 * @param texts must not be blank, because gateways reject blank texts
 * @returns one outcome per text, in order; undefined for a text that was not sent because another one had failed
 */
export async function embedTexts(
	client: GatewayClient,
	texts: string[],
	{ settings, options, batchSize }: EmbeddingJob,
	share: PoolShare,
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
	return await askInBatches(texts, ask, { batchSize, ...share });
}

/** The body of a request; settings that are undefined are left out. */
function embeddingsRequest(input: string[], settings: EmbeddingSettings): Record<string, unknown> {
	const { model, dimensions, encodingFormat, extraBodyFields } = settings;
	return {
		model,
		input,
		...(dimensions === undefined ? {} : { dimensions }),
		...(encodingFormat === undefined ? {} : { encoding_format: encodingFormat }),
		...extraBodyFields,
	};
}
