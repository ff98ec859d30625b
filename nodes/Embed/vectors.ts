import { z } from 'zod';
import { answerFailure } from '../shared/errors/errorMessages';
import { VECTORS_BUDGET } from '../shared/http/budgets';
import { listOf, looseCount, looseText } from '../shared/http/schemas';
import { Turns } from '../shared/pacing/turns';
import type { Outcome } from '../shared/runtime/askInBatches';

/**
 * Embeddings response (interface, 4.12, which does not show it; this is the shape that comparable services return).
 * The numbers of a vector are checked where they are read: a schema would be far slower.
 */
export const embeddingsSchema = z
	.object({
		data: listOf(z.object({ index: z.number().nullish(), embedding: z.unknown() }).passthrough()),
		model: looseText,
		usage: z.object({ prompt_tokens: looseCount, total_tokens: looseCount }).passthrough().nullish(),
	})
	.passthrough();

export type EmbeddingsAnswer = z.infer<typeof embeddingsSchema>;

type Entry = EmbeddingsAnswer['data'][number];

/** The part of a response that belongs to one text. */
export interface EmbeddedEntry {
	vector: number[];
	/** As the gateway sent it. */
	entry: Entry;
}

/**
 * Assigns the vectors of a response to their texts.
 *
 * @param count number of texts that were sent
 * @returns one outcome per text, in the order in which they were sent; a missing or malformed vector fails only its
 *   own text
 * @throws GatewayFailure (kind `answer`) when it is not certain which vector belongs to which text
 */
export async function placeVectors(
	{ data }: EmbeddingsAnswer,
	count: number,
): Promise<Array<Outcome<EmbeddedEntry>>> {
	const entries = placeEntries(data, count);
	const turns = new Turns();
	const outcomes: Array<Outcome<EmbeddedEntry>> = [];
	let numbers = 0;
	for (let index = 0; index < count; index++) {
		if (turns.isOver) await turns.next();
		const outcome = outcomeOf(entries[index]);
		numbers += 'value' in outcome ? outcome.value.vector.length : 0;
		if (numbers > VECTORS_BUDGET.numbers) {
			throw answerFailure(`it contains more than ${VECTORS_BUDGET.numbers} numbers`);
		}
		outcomes.push(outcome);
	}
	return outcomes;
}

function outcomeOf(entry: Entry | undefined): Outcome<EmbeddedEntry> {
	if (!entry) return { failure: answerFailure('it contains no vector for this text') };
	const vector = readVector(entry.embedding);
	if (typeof vector === 'string') return { failure: answerFailure(vector) };
	return { value: { vector, entry } };
}

/** Ten times as many as the longest vectors have. */
const MAX_DIMENSIONS = 100_000;
const BASE64_LENGTH = (MAX_DIMENSIONS * 4 * 4) / 3;

/**
 * Reads a vector that was sent as numbers, or as base64 of little-endian 32-bit floats.
 *
 * @returns the numbers, or a text that says what is wrong
 */
export function readVector(embedding: unknown): number[] | string {
	const isTooLong = typeof embedding === 'string' && embedding.length > BASE64_LENGTH + 4;
	if (isTooLong) return `the vector has more than ${MAX_DIMENSIONS} numbers`;
	const vector = typeof embedding === 'string' ? decodeFloats(embedding) : embedding;
	if (!Array.isArray(vector)) return 'the vector is neither a list of numbers nor base64';
	if (vector.length === 0) return 'the vector is empty';
	return isNumbers(vector) ? vector : 'the vector contains something other than numbers';
}

function placeEntries(data: Entry[], count: number): Entry[] {
	if (data.every(({ index }) => index === undefined || index === null)) {
		if (data.length === count) return data;
		throw answerFailure(
			`the number of vectors (${data.length}) differs from the number of texts (${count}), and the vectors have no index`,
		);
	}
	const entries: Entry[] = [];
	for (const entry of data) {
		const { index } = entry;
		if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
			throw answerFailure(
				`it contains a vector with the index ${index ?? 'none'}, but the number of texts is ${count}`,
			);
		}
		if (entries[index]) throw answerFailure(`it contains two vectors with the index ${index}`);
		entries[index] = entry;
	}
	return entries;
}

function decodeFloats(base64: string): number[] | undefined {
	// Buffer skips characters that are not base64, which would shift all numbers after them.
	if (base64.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(base64.replace(/={1,2}$/, ''))) return undefined;
	const bytes = Buffer.from(base64, 'base64');
	if (bytes.length % 4 !== 0) return undefined;
	return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function isNumbers(values: unknown[]): values is number[] {
	return values.every((value) => Number.isFinite(value));
}
