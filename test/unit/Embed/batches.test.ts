import { askInBatches, chunk, type Outcome } from '../../../nodes/shared/runtime/askInBatches';
import { statusFailure } from '../../../nodes/shared/errors/errorMessages';
import { toFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { placeVectors, readVector } from '../../../nodes/Embed/vectors';
import { seededRandom } from '../seededRandom';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

/** An answer takes longer than requests that follow each other in turns of the event loop. */
async function answered() {
	for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A gateway that answers with each text's length and refuses requests that hold one of `refused`. */
function gatewayThatRefuses(refused: (text: string) => boolean, status = 400) {
	const requests: string[][] = [];
	let underWay = 0;
	let most = 0;
	const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
		requests.push(texts);
		underWay += 1;
		most = Math.max(most, underWay);
		await answered();
		underWay -= 1;
		if (texts.some(refused)) throw toFailure(statusFailure({ status, gatewayMessage: 'no' }));
		return texts.map(({ length }) => ({ value: length }));
	};
	return { ask, requests, mostAtOnce: () => most };
}

const settings = { batchSize: 100, maxConcurrency: 5, stopAtFailure: false };

describe('texts in batches', () => {
	test('1,000 texts in 10 requests, at most five at once, in order', async () => {
		const { ask, requests, mostAtOnce } = gatewayThatRefuses(() => false);
		const texts = numbered(1000);
		const outcomes = await askInBatches(texts, ask, settings);
		expect(outcomes).toEqual(texts.map(({ length }) => ({ value: length })));
		expect(requests.map(({ length }) => length)).toEqual(Array(10).fill(100));
		expect(mostAtOnce()).toBe(5);
	});

	test('equal texts are sent once', async () => {
		const { ask, requests } = gatewayThatRefuses(() => false);
		const outcomes = await askInBatches(['a', 'bb', 'a', 'a'], ask, settings);
		expect(outcomes).toEqual([1, 2, 1, 1].map((value) => ({ value })));
		expect(requests).toEqual([['a', 'bb']]);
	});

	test('a refusal is narrowed down to any set of texts, whatever their places', async () => {
		const random = seededRandom(7);
		for (let round = 0; round < 200; round++) {
			const texts = numbered(1 + Math.floor(random() * 60));
			const share = random();
			const bad = new Set(texts.filter(() => random() < share));
			const { ask, requests } = gatewayThatRefuses((text) => bad.has(text), [400, 413, 422][round % 3]);
			const outcomes = await askInBatches(texts, ask, { ...settings, batchSize: 1 + (round % 30) });
			const failed = texts.filter((_, place) => 'failure' in outcomes[place]!);
			expect(new Set(failed)).toEqual(bad);
			// Each text that was accepted was answered, and so paid for, once.
			const answered = requests.filter((batch) => !batch.some((text) => bad.has(text))).flat();
			expect(answered.filter((text) => text !== 'text')).toHaveLength(texts.length - bad.size);
		}
	});

	test('one of 1,000 needs few requests more', async () => {
		const { ask, requests } = gatewayThatRefuses((text) => text === 'text 537');
		await askInBatches(numbered(1000), ask, settings);
		expect(requests.length).toBeLessThanOrEqual(10 + 2 * 7);
	});

	test('a cause that lies in no text costs one request more, not two per text', async () => {
		const { ask, requests } = gatewayThatRefuses(() => true);
		const outcomes = await askInBatches(numbered(1000), ask, settings);
		expect(outcomes.every((outcome) => outcome && 'failure' in outcome)).toBe(true);
		expect(requests).toHaveLength(11);
		expect(requests.filter(({ length }) => length === 1)).toEqual([['text']]);
	});

	test('other refusals fail the whole batch, and only that', async () => {
		const { ask, requests } = gatewayThatRefuses((text) => text === 'text 150', 401);
		const outcomes = await askInBatches(numbered(300), ask, settings);
		expect(requests).toHaveLength(3);
		expect(outcomes.map((outcome) => 'failure' in outcome!)).toEqual(
			numbered(300).map((_, index) => index >= 100 && index < 200),
		);
	});

	test('nothing more is asked after a failure when the run stops there', async () => {
		const { ask, requests } = gatewayThatRefuses((text) => text === 'text 0', 401);
		const outcomes = await askInBatches(numbered(1000), ask, {
			...settings,
			maxConcurrency: 2,
			stopAtFailure: true,
		});
		expect(requests).toHaveLength(2);
		expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(800);
	});

	test.each([
		[0, 3, []],
		[5, 2, [2, 2, 1]],
		[4, 4, [4]],
		[3, 0.5, [1, 1, 1]],
	])('%i entries in pieces of %d', (count, size, lengths) => {
		expect(chunk(numbered(count), size).map(({ length }) => length)).toEqual(lengths);
	});
});

describe('vectors', () => {
	const base64Of = (numbers: number[]) => {
		const bytes = Buffer.alloc(numbers.length * 4);
		numbers.forEach((number, place) => bytes.writeFloatLE(number, place * 4));
		return bytes.toString('base64');
	};
	const answer = (data: Array<{ index?: number | null; embedding?: unknown }>) => ({ data, model: 'm' });

	test('base64 holds the same numbers as the list', () => {
		const random = seededRandom(3);
		const numbers = Array.from({ length: 257 }, () => Math.fround(random() * 2 - 1));
		expect(readVector(base64Of(numbers))).toEqual(numbers);
		expect(readVector(numbers)).toEqual(numbers);
	});

	test.each<[string, unknown, string]>([
		['nothing', undefined, 'neither'],
		['an object', { 0: 1 }, 'neither'],
		['an empty list', [], 'empty'],
		['an empty text', '', 'empty'],
		['null among the numbers', [1, null], 'something else'],
		['a number as text', [1, '2'], 'something else'],
		['base64 that is cut off', base64Of([1, 2]).slice(0, -2), 'neither'],
		['base64 of a broken number', Buffer.from([1, 2, 3]).toString('base64'), 'neither'],
		['text that is no base64', '????', 'neither'],
		['a float that is no number', base64Of([1, NaN]), 'something else'],
		['an endless float', base64Of([Infinity]), 'something else'],
	])('%s is no vector', (_what, embedding, expected) => {
		expect(readVector(embedding)).toContain(expected);
	});

	test('vectors come back to their texts by index, in whatever order they arrive', () => {
		const data = [2, 0, 1].map((index) => ({ index, embedding: [index] }));
		const vectors = placeVectors(answer(data), 3).map(
			(outcome) => 'value' in outcome && outcome.value.vector,
		);
		expect(vectors).toEqual([[0], [1], [2]]);
	});

	test('without any index the order counts', () => {
		const [one, two] = placeVectors(answer([{ embedding: [1] }, { index: null, embedding: [2] }]), 2);
		expect([one, two]).toMatchObject([{ value: { vector: [1] } }, { value: { vector: [2] } }]);
	});

	test('a missing or broken vector fails alone', () => {
		const data = [
			{ index: 0, embedding: [1] },
			{ index: 1, embedding: 'x' },
		];
		const outcomes = placeVectors(answer(data), 3);
		expect(outcomes.map((outcome) => 'failure' in outcome)).toEqual([false, true, true]);
	});

	test.each<[string, Array<{ index?: number; embedding: number[] }>, string]>([
		['an index beyond the texts', [{ index: 2, embedding: [1] }], 'index 2'],
		['a negative index', [{ index: -1, embedding: [1] }], 'index -1'],
		['half an index', [{ index: 0.5, embedding: [1] }], 'index 0.5'],
		[
			'an index twice',
			[
				{ index: 1, embedding: [1] },
				{ index: 1, embedding: [2] },
			],
			'two vectors',
		],
		['indexes here and there', [{ index: 0, embedding: [1] }, { embedding: [2] }], 'index undefined'],
		['too few vectors without indexes', [{ embedding: [1] }], '1 vectors for 2 texts'],
	])('%s: nobody can say whose the vectors are', (_what, data, message) => {
		expect(() => placeVectors(answer(data), 2)).toThrow(message);
	});
});
