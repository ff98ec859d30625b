import { answerFailure } from '../shared/errors/errorMessages';
import type { Outcome } from '../shared/runtime/askInBatches';
import type { EmbeddingsAnswer } from './embeddingsSchema';

type Entry = EmbeddingsAnswer['data'][number];

/** One text's part of an answer. */
export interface EmbeddedEntry {
	vector: number[];
	/** As the gateway sent it. */
	entry: Entry;
}

/**
 * Brings the vectors of an answer back to their texts.
 *
 * @param count number of texts that were sent
 * @returns one outcome per text, in the order in which they were sent; a vector that is missing or broken
 *   fails alone
 * @throws GatewayFailure (kind `answer`) when the answer does not say for certain which vector belongs to which text
 */
export function placeVectors({ data }: EmbeddingsAnswer, count: number): Array<Outcome<EmbeddedEntry>> {
	const entries = placeEntries(data, count);
	return Array.from({ length: count }, (_, place) => {
		const entry = entries[place];
		if (!entry) return { failure: answerFailure('it holds no vector for this text') };
		const vector = readVector(entry.embedding);
		if (typeof vector === 'string') return { failure: answerFailure(vector) };
		return { value: { vector, entry } };
	});
}

/**
 * Reads a vector that came as numbers, or as base64 of 32-bit floats with the lowest byte first.
 *
 * @returns the numbers, or what is wrong in words
 */
export function readVector(embedding: unknown): number[] | string {
	const vector = typeof embedding === 'string' ? decodeFloats(embedding) : embedding;
	if (!Array.isArray(vector)) return 'the vector is neither a list of numbers nor base64';
	if (vector.length === 0) return 'the vector is empty';
	return isNumbers(vector) ? vector : 'the vector holds something else than numbers';
}

function placeEntries(data: Entry[], count: number): Entry[] {
	if (data.every(({ index }) => index === undefined || index === null)) {
		if (data.length === count) return data;
		throw answerFailure(`it holds ${data.length} vectors for ${count} texts, without their indexes`);
	}
	const entries: Entry[] = [];
	for (const entry of data) {
		const { index } = entry;
		if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
			throw answerFailure(`it holds a vector with the index ${String(index)}, but there are ${count} texts`);
		}
		if (entries[index]) throw answerFailure(`it holds two vectors with the index ${index}`);
		entries[index] = entry;
	}
	return entries;
}

function decodeFloats(base64: string): number[] | undefined {
	// Buffer skips what is not base64, which would shift all numbers behind it.
	if (base64.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(base64.replace(/={1,2}$/, ''))) return undefined;
	const bytes = Buffer.from(base64, 'base64');
	if (bytes.length % 4 !== 0) return undefined;
	return Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatLE(place * 4));
}

function isNumbers(values: unknown[]): values is number[] {
	return values.every((value) => Number.isFinite(value));
}
