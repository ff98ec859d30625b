import { useGateway } from './gateway';

const gateway = useGateway();
const rerankBody = (documents: unknown, more: object = {}) => ({
	model: 'reranker-v2-m3',
	query: 'How do I reset my password?',
	documents,
	...more,
});
const embeddingBody = (input: unknown, more: object = {}) => ({ model: 'embedding-3-small', input, ...more });
const cosine = (one: number[], other: number[]) =>
	one.reduce((sum, value, index) => sum + value * other[index], 0);

describe('POST /v1/rerank', () => {
	const rank = async (documents: unknown, more: object = {}) =>
		(await gateway.post('/v1/rerank', rerankBody(documents, more))).data.results as Array<{
			index: number;
			relevance_score: number;
		}>;

	it('returns scores from 0 to 1 in descending order, ties in document order', async () => {
		const results = await rank(['moon', 'password', 'sun', 'reset my password', 'rain']);
		const scores = results.map(({ relevance_score: score }) => score);
		expect(scores).toEqual([...scores].sort((one, other) => other - one));
		expect(Math.min(...scores)).toBe(0);
		expect(Math.max(...scores)).toBeLessThan(1);
		expect(results.map(({ index }) => index)).toEqual([3, 1, 0, 2, 4]);
	});
});

describe('POST /v1/embeddings', () => {
	const embed = async (input: unknown, more: object = {}) =>
		(await gateway.post('/v1/embeddings', embeddingBody(input, more))).data;

	it('returns unit vectors whose similarity reflects common words', async () => {
		const { data, model, object, usage } = await embed([
			'reset a password',
			'How to reset your password',
			'the price of gold',
			'重置密码的方法',
			'如何重置密码',
		]);
		expect([object, model]).toEqual(['list', 'embedding-3-small']);
		expect(usage.total_tokens).toBeGreaterThan(10);
		const vectors = data.map(({ embedding }: { embedding: number[] }) => embedding);
		for (const vector of vectors) {
			expect(vector).toHaveLength(1_536);
			expect(cosine(vector, vector)).toBeCloseTo(1, 5);
		}
		expect(cosine(vectors[0], vectors[1])).toBeGreaterThan(0.5);
		expect(cosine(vectors[0], vectors[2])).toBeLessThan(0.2);
		expect(cosine(vectors[3], vectors[4])).toBeGreaterThan(0.5);
	});
});
