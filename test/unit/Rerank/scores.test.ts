import { readDocuments } from '../../../nodes/Rerank/documents';
import { chunk, type Outcome } from '../../../nodes/shared/runtime/askInBatches';
import { answerFailure } from '../../../nodes/shared/errors/errorMessages';
import { rerankRequest } from '../../../nodes/Rerank/rankDocuments';
import { mergeScores, placeScores } from '../../../nodes/Rerank/scores';
import { seededRandom } from '../seededRandom';

const answer = (scores: Array<[number, number]>) => ({
	results: scores.map(([index, relevance_score]) => ({ index, relevance_score })),
	model: '',
});

describe('scores come back to their documents', () => {
	test('all of them', () => {
		expect(
			placeScores(
				answer([
					[2, 0.9],
					[0, 0.5],
					[1, -3],
				]),
				3,
			),
		).toEqual([0.5, -3, 0.9]);
	});

	test('the best ones', () => {
		expect(placeScores(answer([[2, 0.9]]), 3, 1)).toEqual([null, null, 0.9]);
		expect(placeScores(answer([[0, 0.9]]), 1, 5)).toEqual([0.9]);
	});

	test('a gateway that ignores how many are wanted', () => {
		expect(
			placeScores(
				answer([
					[1, 0.9],
					[0, 0.1],
				]),
				2,
				1,
			),
		).toEqual([0.1, 0.9]);
	});

	test.each<[string, Array<[number, number]>, number | undefined, string]>([
		[
			'an index out of range',
			[
				[0, 1],
				[2, 0.5],
			],
			undefined,
			'index 2, but there are 2 documents',
		],
		[
			'a document twice',
			[
				[0, 1],
				[0, 0.5],
			],
			undefined,
			'index 0 twice',
		],
		['a missing score', [[0, 1]], undefined, '1 of the 2 documents'],
		['no scores', [], 1, '0 of the 1 documents'],
	])('%s is no ranking', (_what, scores, topN, message) => {
		expect(() => placeScores(answer(scores), 2, topN)).toThrow(message);
	});
});

describe('merging', () => {
	const outcomesOf = (scores: Record<string, number | null>) =>
		new Map<string, Outcome<number | null>>(Object.entries(scores).map(([text, value]) => [text, { value }]));

	test('any way to cut the documents into requests gives the order of one request', () => {
		const random = seededRandom(11);
		for (let round = 0; round < 300; round++) {
			const documents = Array.from(
				{ length: 1 + Math.floor(random() * 40) },
				() => `document ${Math.floor(random() * 30)}`,
			);
			// Few different scores, so that there are many ties.
			const scoreOf = new Map(documents.map((text) => [text, Math.floor(random() * 5) / 5]));
			const topN = round % 3 === 0 ? undefined : 1 + Math.floor(random() * 10);
			const inRequests = (size: number) => {
				const outcomes = new Map<string, Outcome<number | null>>();
				for (const batch of chunk([...new Set(documents)], size)) {
					const best = batch
						.map((text, index): [number, number] => [index, scoreOf.get(text) as number])
						.sort((one, other) => other[1] - one[1])
						.slice(0, topN);
					placeScores(answer(best), batch.length, topN).forEach((value, index) =>
						outcomes.set(batch[index], { value }),
					);
				}
				return mergeScores(documents, outcomes, { topN }).kept;
			};
			const expected = documents
				.map((text, index) => ({ index, score: scoreOf.get(text) as number }))
				.sort((one, other) => other.score - one.score || one.index - other.index)
				.slice(0, topN);
			for (const size of [1, 3, 7, 100]) expect(inRequests(size)).toEqual(expected);
		}
	});

	const documents = ['low', '', 'high', 'low', ' \n', 'high'];
	const outcomes = outcomesOf({ low: 0.1, high: 0.9 });
	const places = (selection: object) =>
		mergeScores(documents, outcomes, selection).kept.map(({ index }) => index);

	test('duplicates share a score, or only the first is kept', () => {
		expect(places({})).toEqual([2, 5, 0, 3]);
		expect(places({ removeDuplicates: true })).toEqual([2, 0]);
		expect(mergeScores(documents, outcomes, {})).toMatchObject({ duplicates: 2, empty: 2 });
	});

	test('documents without text are left out, or put last without a score', () => {
		expect(places({ keepEmpty: true })).toEqual([2, 5, 0, 3, 1, 4]);
		expect(places({ keepEmpty: true, topN: 5 })).toEqual([2, 5, 0, 3, 1]);
		expect(places({ keepEmpty: true, minimumScore: 0 })).toEqual([2, 5, 0, 3]);
		expect(mergeScores(documents, outcomes, { keepEmpty: true }).kept[4]).toEqual({ index: 1, score: null });
	});

	test('a least score and the best of the rest', () => {
		expect(places({ minimumScore: 0.9 })).toEqual([2, 5]);
		expect(places({ minimumScore: 0.95 })).toEqual([]);
		expect(places({ topN: 1 })).toEqual([2]);
	});

	test('a document that could not be scored fails, with its duplicates; the others are ranked', () => {
		const failure = answerFailure('it is odd');
		const some = new Map<string, Outcome<number | null>>([...outcomes, ['low', { failure }]]);
		const { kept, failures } = mergeScores(documents, some, {});
		expect(kept.map(({ index }) => index)).toEqual([2, 5]);
		expect([...failures.keys()]).toEqual([0, 3]);
	});
});

test('a request asks for no more results than there are documents', () => {
	const settings = { model: 'm', query: 'q' };
	expect(rerankRequest(['a', 'b'], settings)).toEqual({ model: 'm', query: 'q', documents: ['a', 'b'] });
	expect(rerankRequest(['a', 'b'], { ...settings, topN: 5 })).toMatchObject({ top_n: 2 });
	expect(rerankRequest(['a'], { ...settings, topN: 1, extraBodyFields: { top_n: 9, x: 1 } })).toMatchObject({
		top_n: 9,
		x: 1,
	});
});

describe('the documents of a list', () => {
	const texts = (value: string, field = 'text') => readDocuments(value, field).map(({ text }) => text);

	test.each<[string, string, string[]]>([
		['a JSON list', '["a", " b ", ""]', ['a', ' b ', '']],
		['numbers, booleans and nothing', '[1, true, null]', ['1', 'true', '']],
		['objects', '[{"text": "a", "id": 1}, {"text": null}, {"text": {"x": 1}}]', ['a', '', '{"x":1}']],
		['lines', ' a \r\n\n b\rc', ['a', 'b', 'c']],
		['lines that begin with a bracket', '[1] first\n[2] second', ['[1] first', '[2] second']],
		['one line of JSON that is no list', '{"text": "a"}', ['{"text": "a"}']],
		['nothing', '  ', []],
	])('%s', (_what, value, expected) => {
		expect(texts(value)).toEqual(expected);
	});

	test('objects are given back whole, and their field can be chosen', () => {
		expect(readDocuments('[{"body": "a", "id": 1}]', 'body')).toEqual([
			{ text: 'a', given: { body: 'a', id: 1 } },
		]);
	});

	test.each([
		['a JSON list that is cut off', '["a", "b"', 'begins like a JSON list'],
		['objects that are cut off', '[{"text": "a"}', 'begins like a JSON list'],
		['an object without the field', '["a", {"body": "b"}]', '(number 2) without the field "text"'],
		['a list in the list', '[["a"]]', '(number 1) without the field "text"'],
	])('%s is refused', (_what, value, message) => {
		expect(() => texts(value)).toThrow(message);
	});
});
