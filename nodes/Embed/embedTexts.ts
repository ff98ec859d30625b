import { type GatewayFailure, toFailure } from '../shared/errors/gatewayFailure';
import type { RequestOptions } from '../shared/send/client';
import { endpoints } from '../shared/send/endpoints';
import { readVectorsJson } from '../shared/answer/answerReaders';
import { readWith } from '../shared/answer/schemas';
import { askInBatches, limitOf, type Outcome } from '../shared/run/askInBatches';
import type { Call } from '../shared/run/call';
import { KeptTexts } from '../shared/run/keptTexts';
import { sharedRest } from '../shared/run/rawAnswer';
import { textOr } from '../shared/plain/values';
import { placeVectors, readEmbeddings, type EmbeddedEntry, type EmbeddingsAnswer, vectorOf } from './vectors';

/** The request of interface 4.12 without its texts. */
export interface EmbeddingSettings {
	model: string;
	/** Undefined: the model's own number. */
	dimensions?: number;
	/** Undefined: the gateway's choice. Both formats are read, whichever was requested. */
	encodingFormat?: string;
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
	request: { texts: number } & Pick<EmbeddingsAnswer, 'model' | 'rest' | 'inputTokens' | 'totalTokens'>;
	/** Only for the first text of a response with a long rest. */
	rest?: Record<string, unknown>;
}

/**
 * Turns any number of texts into vectors (interface, 4.12).
 *
 * @param texts must not be blank, because gateways reject blank texts
 * @param items the item of each text
 * @param onNote called with what a response had that could not be read
 * @returns one outcome per text, in order; undefined for a text that was not sent because another one had failed
 */
export async function embedTexts(
	{
		client,
		payments,
		progress,
		pool,
		slots,
	}: Pick<Call, 'client' | 'payments' | 'progress' | 'pool' | 'slots'>,
	texts: string[],
	{ settings, options, batchSize }: EmbeddingJob,
	items: number[],
	onNote: (note: string | undefined) => void = () => {},
): Promise<Array<Outcome<Embedding> | undefined>> {
	const endpoint = endpoints.embeddings;
	const kept = new KeptTexts<KeptEmbedding>(payments, {
		texts,
		items,
		request: [client.addresses.base, embeddingsRequest([], settings)],
		isOneItem: false,
		repeatsUnclear: options.repeatsUnclear,
	});
	const form = { dimensions: settings.dimensions, type: textOr(settings.extraBodyFields?.output_dtype) };
	const send = async (input: string[], sent: EmbeddingSettings): Promise<Array<Outcome<Embedding>>> => {
		const { value } = await payments.send(
			kept.itemsOf(input),
			{ ...options, endpoint, json: embeddingsRequest(input, sent) },
			async (response) => {
				const body = await readVectorsJson(response);
				const answer = await readWith(body, readEmbeddings);
				const placed = await readWith(
					body,
					async () => await placeVectors(answer.entries, input.length, form),
				);
				return { answer, placed };
			},
			{ keeps: false },
		);
		const { answer, placed } = value;
		client.ledger.used(answer);
		progress.ended(kept.itemsOf(input));
		onNote(answer.loose.hint);
		return withRequest(placed, answer, settings.model);
	};
	const refusesFormat = `refuses encoding_format: ${settings.model}`;
	const ask = async (input: string[]): Promise<Array<Outcome<Embedding>>> => {
		const withoutFormat = { ...settings, encodingFormat: undefined };
		if (client.learned.recall(refusesFormat)) return await send(input, withoutFormat);
		try {
			return await send(input, settings);
		} catch (error) {
			const failure = toFailure(error);
			if (!isFormatRefusal(failure, settings)) throw failure;
			const outcomes = await send(input, withoutFormat);
			client.learned.note(refusesFormat, true);
			return outcomes;
		}
	};
	const stopAtFailure = pool.stopsAt !== undefined;
	const limit = limitOf(client, { endpoint, json: settings });
	return await askInBatches<Embedding>(
		texts,
		ask,
		{ batchSize, slots, stopAtFailure, limit },
		{
			async find(text) {
				const known = await kept.find(text);
				if (!known || 'failure' in known) return known;
				const vector = vectorOf(known.value.entry, form);
				return typeof vector === 'string' ? undefined : { value: { ...known.value, vector } };
			},
			failed: async (text, failure) => await kept.failed(text, failure),
			async keep(text, { vector, ...others }) {
				const isUsable = settings.dimensions === undefined || vector.length === settings.dimensions;
				if (isUsable) await kept.keep(text, others);
			},
		},
	);
}

/** The vectors of a response with what it says about all of them. */
function withRequest(
	placed: Array<Outcome<EmbeddedEntry>>,
	{ inputTokens, totalTokens, model, rest }: EmbeddingsAnswer,
	usualModel: string,
): Array<Outcome<Embedding>> {
	const { first, others } = sharedRest(rest);
	const request = {
		inputTokens,
		totalTokens,
		model: model || usualModel,
		rest: others,
		texts: placed.length,
	};
	const firstUsable = placed.findIndex((outcome) => 'value' in outcome);
	return placed.map((outcome, index) => {
		if ('failure' in outcome) return outcome;
		const own = index === firstUsable && first !== others ? { rest: first } : {};
		return { value: { ...outcome.value, ...own, request } };
	});
}

/** Whether a gateway has rejected the format of the vectors, which most send as numbers anyway. */
function isFormatRefusal({ kind, facts }: GatewayFailure, { encodingFormat }: EmbeddingSettings): boolean {
	const words = `${facts.code} ${facts.gatewayMessage}`;
	return kind === 'request' && encodingFormat === 'float' && /encoding.?format/i.test(words);
}

/** What a retry needs of a vector: its numbers are in the entry. */
type KeptEmbedding = Omit<Embedding, 'vector'>;

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
