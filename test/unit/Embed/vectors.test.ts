import { formOf, placeVectors, readEmbeddings, readVector } from '../../../nodes/Embed/vectors';
import { seededRandom } from '../seededRandom';

const base64Of = (numbers: number[]) => {
	const bytes = Buffer.alloc(numbers.length * 4);
	numbers.forEach((number, index) => bytes.writeFloatLE(number, index * 4));
	return bytes.toString('base64');
};

describe('readVector', () => {
	it('returns the same numbers for base64, for a list, and for a list in a list', () => {
		const random = seededRandom(3);
		const numbers = Array.from({ length: 257 }, () => Math.fround(random() * 2 - 1));
		expect(readVector(base64Of(numbers))).toEqual(numbers);
		expect(readVector(base64Of(numbers).replace(/.{600}/g, '$&\n'))).toEqual(numbers);
		expect(readVector(numbers)).toEqual(numbers);
		expect(readVector([numbers])).toEqual(numbers);
	});

	it.each<[string, unknown, string]>([
		['a missing value', undefined, 'neither'],
		['an empty list', [], 'empty'],
		['null among the numbers', [1, null], 'something other'],
		['base64 that is cut off', base64Of([1, 2]).slice(0, -2), 'Enter Dimensions'],
		['base64 with a single letter more', `${base64Of([1, 2, 3])}A`, 'neither'],
		['base64 with a foreign character', `${base64Of([1, 2, 3])}!AAA`, 'neither'],
		['base64 of an incomplete number', Buffer.from([1, 2, 3]).toString('base64'), 'Enter Dimensions'],
		['a float that is NaN', base64Of([1, NaN]), 'Enter Dimensions'],
	])('rejects %s', (_what, embedding, expected) => {
		expect(readVector(embedding)).toContain(expected);
	});
});

describe('Base64 of smaller numbers', () => {
	const int8 = Int8Array.from({ length: 64 }, (_, index) => index - 32);
	const base64 = Buffer.from(int8.buffer).toString('base64');

	const bits = [1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1];
	const base64OfBits = Buffer.from([0b1000_0101, 0xff]).toString('base64');
	const floats = Array.from({ length: 16 }, (_, index) => index / 16);

	it.each<[string, Record<string, unknown>, string, unknown]>([
		['a byte for each of the dimensions', { encoding_format: 'base64', dimensions: 64 }, base64, [...int8]],
		['a bit for each of the dimensions', { encoding_format: 'base64', dimensions: 16 }, base64OfBits, bits],
		['int8 (Voyage AI, Mistral)', { encoding_format: 'base64', output_dtype: 'int8' }, base64, [...int8]],
		['uint8 (Voyage AI, Mistral)', { output_dtype: 'uint8' }, 'gP8=', [128, 255]],
		['ubinary (Voyage AI, Mistral)', { output_dtype: 'ubinary' }, base64OfBits, bits],
		['int8 (Perplexity)', { encoding_format: 'base64_int8' }, base64, [...int8]],
		['binary (Jina AI)', { embedding_type: 'binary' }, base64OfBits, bits],
		['int8 (Cohere)', { embedding_types: ['int8'] }, base64, [...int8]],
		[
			'floats, although bytes might be as many',
			{ encoding_format: 'base64', dimensions: 64 },
			base64Of(floats),
			floats,
		],
		[
			'floats of another length than Dimensions',
			{ encoding_format: 'float', dimensions: 64 },
			base64Of(floats),
			floats,
		],
		[
			'not bytes if floats are asked for',
			{ encoding_format: 'float', dimensions: 64 },
			base64,
			expect.stringContaining('32-bit'),
		],
		[
			'not bits if floats are asked for',
			{ encoding_format: 'float32', dimensions: 16 },
			base64OfBits,
			expect.stringContaining('32-bit'),
		],
	])('are what the request asks for: %s', (_what, request, embedding, expected) => {
		expect(readVector(embedding, formOf(request))).toEqual(expected);
	});

	it('are refused when nothing says what it is, whatever the bytes are', () => {
		expect(readVector(base64)).toContain('Enter Dimensions');
		expect(readVector(Buffer.alloc(64, 3).toString('base64'))).toContain('Enter Dimensions');
	});
});

describe('A vector in Base64', () => {
	const numbers = Array.from({ length: 64 }, (_, index) => Math.fround(index / 7 - 3.3));
	it.each([
		['URL-safe', base64Of(numbers).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
		['in lines', base64Of(numbers).replace(/.{76}/g, '$&\r\n')],
		['nothing but zeros', base64Of(numbers.map(() => 0))],
	])('may be %s', (what, base64) => {
		expect(readVector(base64)).toEqual(what === 'nothing but zeros' ? numbers.map(() => 0) : numbers);
	});

	it('has at most 100,000 numbers', () => {
		const of = (length: number) => base64Of(Array.from({ length }, () => 1));
		expect(readVector(of(100_000))).toHaveLength(100_000);
		expect(readVector(of(100_004))).toBe('the vector has more than 100000 numbers');
	});
});

describe('placeVectors', () => {
	const answer = (data: Array<Record<string, unknown>>) => readEmbeddings({ data }).entries;

	const FAILS = 'fails';
	it.each<[string, Array<Record<string, unknown>>, Array<number[] | string>]>([
		['by index, in any order', [2, 0, 1].map((index) => ({ index, embedding: [index] })), [[0], [1], [2]]],
		['by "text_index"', [1, 0].map((at) => ({ text_index: at, embedding: [at] })), [[0], [1]]],
		['in order without indexes', [{ embedding: [1] }, { index: null, embedding: [2] }], [[1], [2]]],
		['that are malformed', [0, 1].map((index) => ({ index, embedding: 'x' })), [FAILS, FAILS, FAILS]],
		['the last one without its index', [{ embedding: [2] }, { index: 0, embedding: [1] }], [[1], [2]]],
		[
			'without an index among others',
			[{ embedding: [2] }, { index: 0, embedding: [1] }, { embedding: [3] }],
			[[1], FAILS, FAILS],
		],
		[
			'without an index, and fewer than the texts',
			[{ embedding: [2] }, { index: 0, embedding: [1] }],
			[[1], FAILS, FAILS],
		],
		[
			'of another length than most',
			[[1, 2], [3], [4, 5]].map((embedding, index) => ({ index, embedding })),
			[[1, 2], FAILS, [4, 5]],
		],
		['of two lengths', [[1, 2], [3]].map((embedding, index) => ({ index, embedding })), [FAILS, FAILS]],
	])('assigns vectors to their texts, or fails only these texts: %s', async (_what, data, expected) => {
		const outcomes = await placeVectors(answer(data), expected.length);
		expect(outcomes.map((one) => ('value' in one ? one.value.vector : FAILS))).toEqual(expected);
	});

	it.each<[string, Array<{ index?: number; embedding: number[] }>, string]>([
		['an index beyond the texts', [{ index: 2, embedding: [1] }], 'index 2'],
		['a negative index', [{ index: -1, embedding: [1] }], 'index -1'],
		['a duplicate index', [[1], [2]].map((embedding) => ({ index: 1, embedding })), 'two vectors'],
		['too few vectors', [{ embedding: [1] }], 'number of vectors (1) differs from the number of texts (2)'],
		['too many vectors', [{ embedding: [1] }, { embedding: [2] }, { embedding: [3] }], 'vectors (3) differs'],
		['an index between two texts', [{ index: 0.5, embedding: [1] }], 'index 0.5'],
	])('rejects a response with %s', async (_what, data, message) => {
		await expect(placeVectors(answer(data), 2)).rejects.toThrow(message);
	});

	it('says that vectors have no index, and keeps them', async () => {
		const data = [{ embedding: [2] }, { index: 0, embedding: [1] }, { embedding: [3] }];
		const [, failed] = await placeVectors(answer(data), 3);
		expect(failed).toMatchObject({
			failure: {
				message: expect.stringContaining('it contains vectors without an index, so it is not certain'),
				facts: { partial: { answer: [{ embedding: [2] }, { embedding: [3] }] } },
			},
		});
	});

	it('fails what does not have as many numbers as Dimensions says, with the vector', async () => {
		const data = [[1, 2, 3], [1], 'x'].map((embedding, index) => ({ index, embedding }));
		const outcomes = await placeVectors(answer(data), 3, { dimensions: 3 });
		const failing = (message: string, embedding: unknown) => ({
			failure: {
				message: expect.stringContaining(message),
				facts: { partial: { answer: { embedding } } },
			},
		});
		const short = failing('the vector has 1 numbers, but Dimensions is 3', [1]);
		expect(outcomes).toMatchObject([{ value: { vector: [1, 2, 3] } }, short, failing('neither', 'x')]);
		const odd = failing('has 3 numbers, but another one in the same response has a different', [1, 2, 3]);
		expect((await placeVectors(answer(data), 3))[0]).toMatchObject(odd);
	});

	it('accepts no more than 5,000,000 numbers together', async () => {
		const embedding = new Array<number>(99_000).fill(1);
		const data = (count: number) => Array.from({ length: count }, (_, index) => ({ index, embedding }));
		await expect(placeVectors(answer(data(51)), 51)).rejects.toThrow('more than 5000000 numbers');
	});
});

describe('readEmbeddings', () => {
	it.each([
		['a bare list of entries', [{ index: 0, embedding: [1, 2] }]],
		['vectors in "data"', { data: [[1, 2]] }],
		['a single vector', { embedding: [1, 2] }],
		['values in an object', { data: [{ embedding: { values: [1, 2] } }] }],
		['a list of objects with values (Gemini)', { embeddings: [{ values: [1, 2] }] }],
		['a single object with values (Gemini)', { embedding: { values: [1, 2] } }],
		...['float', 'int8', 'uint8', 'binary', 'ubinary'].map((type): [string, unknown] => [
			`vectors of type ${type} (Cohere)`,
			{ id: 'x', embeddings: { [type]: [[1, 2]] }, texts: ['t'] },
		]),
		['Base64 by type (Cohere)', { embeddings: { base64: [base64Of([1, 2])] } }],
		['a wrapper', { result: { data: [{ embedding: [1, 2] }] } }],
	])('reads %s', async (_what, body) => {
		expect(await placeVectors(readEmbeddings(body).entries, 1)).toMatchObject([
			{ value: { vector: [1, 2] } },
		]);
	});

	it('leaves out what it need not know', () => {
		const usage = { prompt_tokens: '7', total_tokens: 'many' };
		const { facts, optional } = readEmbeddings({ data: [], model: ['m'], usage });
		expect(facts).toEqual({ inputTokens: 7 });
		expect(optional.leftOut).toEqual(['model', 'usage.total_tokens']);
	});

	it.each([{}, { data: {} }, { data: 'x' }, null, 'text'])(
		'names the field that is missing in %j',
		(body) => {
			expect(() => readEmbeddings(body)).toThrow('the field "data" is missing');
		},
	);
});
