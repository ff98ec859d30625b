import { answerFailure } from '../shared/failure/words';
import { OptionalFields, underUsualName } from '../shared/answer/optionalFields';
import { Turns } from '../shared/plain/turns';
import type { Outcome } from '../batches/askInBatches';
import { usageOf } from '../batches/paidTexts';
import { keptAnswer } from '../shared/answer/answerReaders';
import { FileTextDecoder } from '../shared/plain/fileText';
import { asRecord, groupBy, numberOf, toText } from '../shared/plain/values';

/** An entry as the gateway sent it, or a bare vector in its place. */
type Entry = Record<string, unknown> & { embedding?: unknown };

/** The longest response, in bytes: vectors need more room than other JSON. */
export const VECTORS_BYTES = 48_000_000;
/** The most numbers that the vectors of a response have together. */
const MAX_NUMBERS = 5_000_000;

/**
 * The names of lists of vectors: `embeddings` is that of Cohere, Ollama, and Gemini, `embedding` and `values` are those of
 * a single vector, and the types of numbers are Cohere's.
 */
const LISTS = [
	...['data', 'embeddings', 'embedding', 'values'],
	...['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'],
];

/** Reads an embeddings response in the form that comparable services return, or with bare vectors. */
export function readEmbeddings(body: unknown) {
	const optional = new OptionalFields();
	const found = underUsualName(body, LISTS);
	if (!found) throw answerFailure('the field "data" is missing');
	const { value, name } = found;
	// A single vector.
	const list = Array.isArray(value) && value.length > 0 && typeof value[0] === 'number' ? [value] : value;
	const model = optional.text(asRecord(body)?.model, 'model');
	return {
		// An entry that is not a vector keeps its place, so that the vectors after it keep theirs.
		entries: optional.list(list, name, (entry): Entry => asRecord(entry) ?? { embedding: entry }),
		rest: found.restWith([]),
		facts: { ...usageOf(body, optional), model },
		optional,
	};
}

/** Returns the vector of an entry; Gemini calls its numbers `values`. */
export function embeddingOf({ embedding, values }: Entry): unknown {
	return asRecord(embedding)?.values ?? embedding ?? values;
}

/** The part of a response that belongs to one text. */
export interface EmbeddedEntry {
	vector: number[];
	/** As the gateway sent it. */
	entry: Entry;
}

/**
 * Assigns the vectors of a response to their texts. One that is missing, malformed, or of the wrong length, which a store
 * would reject far from the cause, fails only its own text. @throws GatewayFailure when it is not certain which vector
 * belongs to which text
 */
export async function placeVectors(
	list: Entry[],
	count: number,
	form: VectorForm = {},
): Promise<Array<Outcome<EmbeddedEntry>>> {
	const { entries, unplaced } = placeEntries(list, count);
	const turns = new Turns();
	const outcomes: Array<Outcome<EmbeddedEntry>> = [];
	let numbers = 0;
	for (let index = 0; index < count; index++) {
		if (turns.isOver) await turns.next();
		const outcome = outcomeOf(entries[index], form, unplaced);
		numbers += 'value' in outcome ? outcome.value.vector.length : 0;
		if (numbers > MAX_NUMBERS) {
			throw answerFailure(`it contains more than ${MAX_NUMBERS} numbers`);
		}
		outcomes.push(outcome);
	}
	const { dimensions } = form;
	const expected = dimensions ?? usualLength(outcomes);
	const rule =
		dimensions === undefined
			? 'another one in the same response has a different length'
			: `Dimensions is ${dimensions}`;
	return outcomes.map((outcome) => {
		if ('failure' in outcome || outcome.value.vector.length === expected) return outcome;
		const { vector, entry } = outcome.value;
		const problem = `the vector has ${vector.length} numbers, but ${rule}`;
		return { failure: answerFailure(problem, keptAnswer(entry)) };
	});
}

/** The length that most vectors have; undefined when no length has the majority. */
function usualLength(outcomes: Array<Outcome<EmbeddedEntry>>): number | undefined {
	const lengths = outcomes.flatMap((outcome) => ('value' in outcome ? outcome.value.vector.length : []));
	return groupBy(lengths, String).find((group) => group.length * 2 > lengths.length)?.[0];
}

const NO_INDEX = 'it contains vectors without an index, so it is not certain which one belongs to this text';

function outcomeOf(entry: Entry | undefined, form: VectorForm, unplaced: Entry[]): Outcome<EmbeddedEntry> {
	if (!entry) {
		const failure = answerFailure('it contains no vector for this text');
		return { failure: unplaced.length === 0 ? failure : answerFailure(NO_INDEX, keptAnswer(unplaced)) };
	}
	const vector = readVector(embeddingOf(entry), form);
	if (typeof vector === 'string') return { failure: answerFailure(vector, keptAnswer(entry)) };
	return { value: { vector, entry } };
}

/** Describes the numbers that Base64 stands for. */
interface VectorForm {
	dimensions?: number;
	/** The format and the type of the numbers that were asked for, such as `base64_int8` (Perplexity). */
	type?: string;
}

/** The names of the format in requests: of OpenAI and Perplexity, Voyage AI and Mistral, Jina AI, and Cohere. */
const FORMATS = ['encoding_format', 'output_dtype', 'embedding_type', 'embedding_types'];

/** Returns the form that a request asks for. Extra Body Fields may have replaced the one that the node sets. */
export function formOf(request: Record<string, unknown>): VectorForm {
	const types = FORMATS.flatMap((name) => request[name] ?? []);
	return { dimensions: numberOf(request.dimensions), type: types.map(toText).join(' ') };
}

/** Ten times as many as the longest vectors have. */
const MAX_DIMENSIONS = 100_000;
const BASE64_LENGTH = (MAX_DIMENSIONS * 4 * 4) / 3;

/**
 * Reads a vector that was sent as numbers, or as Base64 of little-endian 32-bit floats, of bytes, or of bits, highest
 * bit first. @returns the numbers, or a text that says what is wrong
 */
export function readVector(embedding: unknown, form: VectorForm = {}): number[] | string {
	const isTooLong = typeof embedding === 'string' && embedding.length > BASE64_LENGTH + 4;
	if (isTooLong) return `the vector has more than ${MAX_DIMENSIONS} numbers`;
	const vector = typeof embedding === 'string' ? decodeNumbers(embedding, form) : alone(embedding);
	if (typeof vector === 'string') return vector;
	if (!Array.isArray(vector)) return 'the vector is neither a list of numbers nor base64';
	if (vector.length === 0) return 'the vector is empty';
	return isNumbers(vector) ? vector : 'the vector contains something other than numbers';
}

/** Finds the entry of each text, and those of which it is unknown to which text they belong. */
function placeEntries(
	list: Entry[],
	count: number,
): { entries: Array<Entry | undefined>; unplaced: Entry[] } {
	// DashScope calls it `text_index`.
	const indexes = list.map(({ index, text_index: textIndex }) => numberOf(index) ?? numberOf(textIndex));
	if (indexes.every((index) => index === undefined)) {
		if (list.length === count) return { entries: list, unplaced: [] };
		throw answerFailure(
			`the number of vectors (${list.length}) differs from the number of texts (${count}), and the vectors have no index`,
		);
	}
	const entries = new Array<Entry | undefined>(count).fill(undefined);
	const unplaced: Entry[] = [];
	for (const [position, entry] of list.entries()) {
		const index = indexes[position];
		if (index === undefined) {
			unplaced.push(entry);
			continue;
		}
		if (!Number.isInteger(index) || index < 0 || index >= count) {
			throw answerFailure(
				`it contains a vector with the index ${index}, but the number of texts is ${count}`,
			);
		}
		if (entries[index]) throw answerFailure(`it contains two vectors with the index ${index}`);
		entries[index] = entry;
	}
	// Google's compatible API leaves out the index 0 (spring-ai#7019). The only entry without a text belongs to the only
	// text without an entry.
	if (unplaced.length === 1 && entries.filter((entry) => !entry).length === 1) {
		entries[entries.indexOf(undefined)] = unplaced.pop();
	}
	return { entries, unplaced };
}

/** Unpacks a vector that is the only entry of a list, as llama.cpp sends it. */
function alone(embedding: unknown): unknown {
	return Array.isArray(embedding) && embedding.length === 1 && Array.isArray(embedding[0])
		? embedding[0]
		: embedding;
}

function decodeNumbers(base64: string, { dimensions, type = '' }: VectorForm): number[] | string | undefined {
	const decoder = new FileTextDecoder({ encoding: 'base64' });
	const bytes = Buffer.concat([decoder.add(base64), decoder.end()]);
	// A foreign character would shift all numbers after it, and a single letter is no byte.
	if (decoder.isDamaged || base64.replace(/[\s=]+/g, '').length % 4 === 1) return undefined;
	const { length } = bytes;
	if (/binary/.test(type)) return bitsOf(bytes);
	if (/int8/.test(type)) return bytesOf(bytes, /uint8/.test(type));
	const floats = length % 4 === 0 ? floatsOf(bytes) : undefined;
	if (floats && mayBeVector(floats)) return floats;
	// Bytes and bits come only if they are asked for; otherwise, these may be floats of another length than Dimensions.
	const isFloat = ['', 'float', 'float32'].includes(type);
	if (isFloat || dimensions === undefined) return UNKNOWN_FORM;
	if (length === dimensions) return bytesOf(bytes, false);
	return length * 8 === dimensions ? bitsOf(bytes) : UNKNOWN_FORM;
}

const UNKNOWN_FORM =
	'its Base64 does not stand for 32-bit numbers. Enter Dimensions in Options, and the format in Extra Body Fields, so that its form is known';

function bytesOf(bytes: Buffer, isUnsigned: boolean): number[] {
	return [...(isUnsigned ? bytes : Int8Array.from(bytes))];
}

function floatsOf(bytes: Buffer): number[] {
	return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function bitsOf(bytes: Buffer): number[] {
	return Array.from({ length: bytes.length * 8 }, (_, index) => (bytes[index >> 3] >> (7 - (index & 7))) & 1);
}

/** The numbers of real vectors are far from the limits of 32-bit floats; bytes that are read as floats are not. */
const LARGEST = 1e6;
const SMALLEST = 1e-12;

function mayBeVector(numbers: number[]): boolean {
	if (!numbers.every((number) => Math.abs(number) <= LARGEST)) return false;
	return numbers.every((number) => number === 0) || numbers.some((number) => Math.abs(number) > SMALLEST);
}

function isNumbers(values: unknown[]): values is number[] {
	return values.every((value) => Number.isFinite(value));
}
