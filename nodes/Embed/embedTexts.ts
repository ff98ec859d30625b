import type { IExecuteFunctions, INodeProperties, ISupplyDataFunctions } from 'n8n-workflow';
import { type GatewayFailure, toFailure } from '../shared/failure/failure';
import { numberField } from '../shared/fields/field';
import { optionFields } from '../shared/fields/options';
import { modelField } from '../shared/fields/picker';
import type { Call } from '../shared/run/call';
import { endpoints } from '../shared/send/endpoints';
import { readJson, readWith } from '../shared/answer/answerReaders';
import { batchSizeOption, type Outcome } from '../batches/askInBatches';
import { type CallForTexts, type OfRequest, sendTexts } from '../batches/paidTexts';
import { withoutGaps } from '../shared/plain/values';
import {
	type EmbeddedEntry,
	embeddingOf,
	formOf,
	placeVectors,
	readEmbeddings,
	readVector,
	VECTORS_BYTES,
} from './vectors';

export const MODEL = modelField('e.g. embedding-3-small');

const BATCH_SIZE = batchSizeOption(100, 'Maximum number of texts per request');

const DIMENSIONS = numberField(
	'Dimensions',
	'dimensions',
	256,
	'Length of each vector, for models that support shorter vectors. Use the same length to store and to search. Without this option, the model determines the length.',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

/** Returns the lists of options of the Embed node or of the Embeddings Model. */
export function embeddingOptions(isSubNode: boolean): INodeProperties[] {
	return optionFields(endpoints.embeddings, { pays: 'tokens', isSubNode }, [DIMENSIONS], [BATCH_SIZE]);
}

/** Reads everything that embedding needs except the texts. The job is plain data, so that jobs can be compared. */
export function readEmbeddingJob(call: Call<IExecuteFunctions | ISupplyDataFunctions>) {
	return {
		settings: {
			model: call.picked(MODEL),
			/** Undefined for the model's own number. */
			dimensions: call.options.number(DIMENSIONS),
			extraBodyFields: call.extraBodyFields,
		},
		options: call.requestOptions,
		batchSize: call.options.numberOrDefault(BATCH_SIZE),
	};
}

export type EmbeddingJob = ReturnType<typeof readEmbeddingJob>;

/** A vector and what its response says about the whole request. */
export type Embedding = OfRequest<EmbeddedEntry>;

/** Turns any number of texts, none of them blank, into vectors (interface, 4.12); see {@link askInBatches}. */
export async function embedTexts(
	call: CallForTexts,
	texts: string[],
	{ settings, options, batchSize }: EmbeddingJob,
	items: number[],
): Promise<Array<Outcome<Embedding> | undefined>> {
	const { model } = settings;
	const { learned } = call.client;
	const refusesFormat = `refuses encoding_format: ${model}`;
	const form = formOf(embeddingsRequest([], settings));
	return await sendTexts<EmbeddedEntry, KeptEmbedding>(call, {
		texts,
		items,
		isOneItem: false,
		request: embeddingsRequest([], settings),
		options,
		endpoint: endpoints.embeddings,
		model,
		batchSize,
		async ask(input, send) {
			const request = embeddingsRequest(input, settings);
			const withoutFormat = withoutGaps({ ...request, encoding_format: undefined });
			// A format of the user is sent as it is: vectors in another one would be misread.
			if ('encoding_format' in settings.extraBodyFields) return await send(request);
			if (learned.recall(refusesFormat)) return await send(withoutFormat);
			try {
				return await send(request);
			} catch (error) {
				const failure = toFailure(error);
				if (!isFormatRefusal(failure)) throw failure;
				const outcomes = await send(withoutFormat);
				learned.note(refusesFormat, true);
				return outcomes;
			}
		},
		async read(answer, input) {
			const body = await readJson(answer, VECTORS_BYTES);
			const { entries, rest, optional, facts } = await readWith(body, readEmbeddings);
			const outcomes = await readWith(body, async () => await placeVectors(entries, input.length, form));
			const first = outcomes.findIndex((outcome) => 'value' in outcome);
			return { outcomes, facts: { ...facts, model: facts.model ?? model, hint: optional.hint }, rest, first };
		},
		toStored: ({ entry, request, rest }) => ({ entry, request, rest }),
		fromStored(stored) {
			const vector = readVector(embeddingOf(stored.entry), form);
			return typeof vector === 'string' ? undefined : { ...stored, vector };
		},
	});
}

/** Tells whether a gateway has rejected the format of the vectors, which most send as numbers anyway. */
function isFormatRefusal({ kind, facts }: GatewayFailure): boolean {
	return kind === 'request' && /encoding.?format/i.test(`${facts.code} ${facts.gatewayMessage}`);
}

/** The part of a vector that a retry needs: its numbers are in the entry. */
type KeptEmbedding = Omit<Embedding, 'vector'>;

function embeddingsRequest(input: string[], settings: EmbeddingJob['settings']): Record<string, unknown> {
	const { model, dimensions, extraBodyFields } = settings;
	return { ...withoutGaps({ model, input, dimensions, encoding_format: 'float' }), ...extraBodyFields };
}
