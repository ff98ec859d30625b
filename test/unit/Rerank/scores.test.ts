import { hintsOn, type RankingResult, rerankRequest } from '../../../nodes/Rerank/rankDocuments';
import {
	fewerResultsHint,
	placeScores,
	rankedOf,
	readRerankAnswer,
	type Score,
	zeroScoresHint,
} from '../../../nodes/Rerank/scores';
import { chunk, type Outcome } from '../../../nodes/batches/askInBatches';
import { answerFailure } from '../../../nodes/shared/failure/words';
import { readJsonText } from '../../../nodes/shared/plain/json';
import { seededRandom } from '../seededRandom';
import { readDocuments } from '../../../nodes/Rerank/operations/rerankList.operation';

const answer = (...scores: Array<[number, number]>) => scores.map(([index, score]) => ({ index, score }));

const scoredIn = (outcome: Outcome<Score>) => ('value' in outcome ? outcome.value.score : null);

const values = (outcomes: Array<Outcome<Score>>) =>
	outcomes.map((outcome) => ('value' in outcome ? outcome.value.score : outcome.failure.message));

const DOCUMENTS = ['Alpha', 'Beta'];

describe('A rerank response', () => {
	const read = (body: unknown, count = 2) =>
		values(placeScores(readRerankAnswer(body, DOCUMENTS).results, count));
	const scored = (index: unknown, score: unknown, name = 'relevance_score') => ({ index, [name]: score });
	const entries = [scored(1, 0.9), scored(0, -3)];

	it.each<[string, unknown]>([
		['the documented list', { results: entries }],
		['a list in "rankings" (NVIDIA NIM)', { rankings: entries }],
		['a bare list', entries],
		...['score', 'relevanceScore', 'logit'].map((name): [string, unknown] => [
			`scores in "${name}"`,
			{ results: [scored(1, 0.9, name), scored(0, -3, name)] },
		]),
		...['Beta', { text: 'Beta' }].map((document): [string, unknown] => [
			`documents in place of an index (${typeof document})`,
			{ results: [{ document, relevance_score: 0.9 }, scored(0, -3)] },
		]),
		['numbers as text', { results: [scored('1', '0.9'), scored('0', '-3e0')] }],
	])('may be %s', (_what, body) => expect(read(body)).toEqual([-3, 0.9]));

	it('fails only the document whose entry cannot be read', () => {
		const between = { index: 0.5, relevance_score: 1 };
		const unscored = [{ index: 0 }, { index: 0, relevance_score: 'high' }, { index: -1 }];
		for (const bad of [null, 7, {}, ...unscored, between]) {
			const answer = readRerankAnswer({ results: [entries[0], bad] }, DOCUMENTS);
			expect(values(placeScores(answer.results, 2))).toEqual([
				expect.stringContaining('no score for this document'),
				0.9,
			]);
			expect(answer.optional.hint).toContain('results.1');
			expect(answer.rest).toEqual({ results: [bad] });
			expect(() => readRerankAnswer({ results: [entries[0], bad] }, DOCUMENTS, true)).toThrow(
				/"results\.1\.(index|relevance_score)" is missing/,
			);
		}
	});

	it.each(['NaN', '-Infinity', '"NaN"', 'null'])(
		'fails only the document whose score is %s',
		async (score) => {
			const json = `{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":${score}}]}`;
			const body = (await readJsonText(json)) as { value: unknown };
			expect(read(body.value)).toEqual([expect.stringContaining('no score for this document'), 0.9]);
		},
	);

	it('may have fewer results than there are documents', () => {
		expect(read({ results: [entries[0]] }, 3)).toEqual([
			expect.stringContaining('no score for this document'),
			0.9,
			expect.stringContaining('no score for this document'),
		]);
		const two = [entries[0], { index: 0 }];
		const best = placeScores(readRerankAnswer({ results: two }, DOCUMENTS).results, 3, 2);
		expect(values(best)).toEqual([expect.stringContaining('no score for this document'), 0.9, null]);
		expect(fewerResultsHint(1, 3, 2)).toContain('only 1 of 2 results');
		expect(fewerResultsHint(2, 3, 2)).toBeUndefined();
		expect(fewerResultsHint(3, 3, 9)).toBeUndefined();
	});

	it.each([
		[{}, '"results" is missing'],
		[{ results: [] }, '"results" is empty'],
		[{ results: [{ relevance_score: 1 }] }, '"results.0.index"'],
		[{ results: [{ index: 0 }] }, '"results.0.relevance_score"'],
		[{ results: [scored(1, 1), scored(2, 0)] }, 'index 2'],
		[{ results: [scored(1, 1), scored(1, 0)] }, 'index 1 twice'],
	])('is refused with the field that is missing: %j', (body, words) => {
		expect(() => read(body)).toThrow(words);
	});
});

describe('A ranking', () => {
	it('has the order of a single request for every way to split the documents', () => {
		const random = seededRandom(11);
		for (let round = 0; round < 300; round++) {
			const documents = Array.from(
				{ length: 1 + Math.floor(random() * 40) },
				() => `document ${Math.floor(random() * 30)}`,
			);
			// Only a few different scores, so that there are many ties.
			const scoreOf = new Map(documents.map((text) => [text, Math.floor(random() * 5) / 5]));
			const topN = round % 3 === 0 ? undefined : 1 + Math.floor(random() * 10);
			const inRequests = (size: number) => {
				const outcomes = new Map<string, Outcome<Score>>();
				for (const batch of chunk([...new Set(documents)], size)) {
					const best = batch
						.map((text, index): [number, number] => [index, scoreOf.get(text) as number])
						.sort((one, other) => other[1] - one[1])
						.slice(0, topN);
					placeScores(answer(...best), batch.length, topN).forEach((outcome, index) =>
						outcomes.set(batch[index], outcome),
					);
				}
				const rated = documents.map((text, index) => ({ index, score: scoredIn(outcomes.get(text)!) }));
				return rankedOf(rated, { topN });
			};
			const expected = documents
				.map((text, index) => ({ index, score: scoreOf.get(text) as number }))
				.sort((one, other) => other.score - one.score || one.index - other.index)
				.slice(0, topN);
			for (const size of [1, 3, 7, 100]) expect(inRequests(size)).toEqual(expected);
		}
	});

	it('has a lowest score and a maximum number of documents', () => {
		const rated = [0.1, 0.9, null, 0.1, 0.9].map((score, index) => ({ index, score }));
		const places = (selection: object) => rankedOf(rated, selection).map(({ index }) => index);
		expect(places({})).toEqual([1, 4, 0, 3]);
		expect(places({ minimumScore: 0.9 })).toEqual([1, 4]);
		expect(places({ minimumScore: 0.95 })).toEqual([]);
		expect(places({ topN: 1 })).toEqual([1]);
	});
});

describe('rerankRequest', () => {
	it('requests no more results than there are documents', () => {
		const settings = { model: 'm', query: 'q' };
		expect(rerankRequest(['a', 'b'], settings)).toEqual({ model: 'm', query: 'q', documents: ['a', 'b'] });
		expect(rerankRequest(['a', 'b'], { ...settings, topN: 5 })).toMatchObject({ top_n: 2 });
		const extraBodyFields = { top_n: 9, x: 1 };
		const request = rerankRequest(['a'], { ...settings, topN: 1, extraBodyFields });
		expect(request).toMatchObject(extraBodyFields);
	});
});

describe('readDocuments', () => {
	it('keeps the digits of long integers, as text', () => {
		const json = '[{"id": 12345678901234567890, "text": "a"}, 98765432109876543210]';
		expect(readDocuments(json.replace(', 9', ',{"text": 9').replace('0]', '0}]'), 'text')).toEqual([
			{ text: 'a', given: { id: '12345678901234567890', text: 'a' } },
			{ text: '98765432109876543210', given: { text: '98765432109876543210' } },
		]);
		expect(readDocuments('[98765432109876543210]', 'text')).toEqual([
			{ text: '98765432109876543210', given: '98765432109876543210' },
		]);
	});

	const texts = (value: string, field = 'text') => readDocuments(value, field).map(({ text }) => text);

	it.each<[string, string, string[]]>([
		['a JSON list', '["a", " b ", ""]', ['a', ' b ', '']],
		['numbers, booleans, and null', '[1, true, null]', ['1', 'true', '']],
		['objects', '[{"text": "a", "id": 1}, {"text": null}, {"text": {"x": 1}}]', ['a', '', '{"x":1}']],
		['lines', ' a \r\n\n b\rc', ['a', 'b', 'c']],
		['lines that start with a bracket', '[1] first\n[2] second', ['[1] first', '[2] second']],
		['one line of JSON that is not a list', '{"text": "a"}', ['{"text": "a"}']],
		['white space', '  ', []],
	])('reads %s', (_what, value, expected) => {
		expect(texts(value)).toEqual(expected);
	});

	it.each([
		['a JSON list that is cut off', '["a", "b"', 'starts like a JSON list'],
		['a list with other quotation marks', "['a', 'b']", 'starts like a JSON list'],
		['a list with typographic quotation marks', '[“a”, “b”]', 'starts like a JSON list'],
		['a list of objects that is cut off', '[ {"text": "a"', 'starts like a JSON list'],
		['a list within the list', '[["a"]]', '(number 1) without the field "text"'],
	])('rejects %s', (_what, value, message) => {
		expect(() => texts(value)).toThrow(message);
	});
});

it.each<[number[], boolean]>([
	[[0, 0], true],
	[[0, 0, 0.00001], false],
	[[-3, 0], false],
	[[0.5, 0.5], false],
	[[0], false],
	[[], false],
])('Scores of %j are no ranking: %s', (scores, isHinted) => {
	const hint = zeroScoresHint([...scores, null].map((score) => ({ score })));
	expect(hint !== undefined).toBe(isHinted);
});

it('A hint names 20 of the documents that could not be scored', () => {
	const hintFor = (count: number) => {
		const failures = new Map(Array.from({ length: count }, (_, index) => [index, answerFailure('No')]));
		return hintsOn({ failures, notes: [] as string[] } as RankingResult, Array<string>(30).fill('Text'));
	};
	expect(hintFor(20)).toEqual([expect.stringMatching(/\(20 of 30\): index 0, 1, .*18, 19\.$/)]);
	expect(hintFor(22)).toEqual([expect.stringMatching(/\(22 of 30\): index 0, 1, .*18, 19, and 2 more\.$/)]);
});
