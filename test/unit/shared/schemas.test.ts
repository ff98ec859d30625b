import { z } from 'zod';
import type { FailureFacts, GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { checkAnswer, listOf } from '../../../nodes/shared/http/schemas';

function factsOf(check: () => unknown): FailureFacts {
	try {
		check();
	} catch (error) {
		return (error as GatewayFailure).facts;
	}
	throw new Error('It did not fail');
}

describe('A response that does not fit its schema', () => {
	it('is named by its first field that is missing or unexpected', () => {
		const schema = z.object({ data: z.object({ id: z.string() }) });
		expect(checkAnswer(schema, { data: { id: 'a' } })).toEqual({ data: { id: 'a' } });
		expect(() => checkAnswer(schema, { data: {} })).toThrow(
			expect.objectContaining({
				kind: 'answer',
				message:
					'The gateway\'s response cannot be used: the field "data.id" is missing or unexpected (required)',
			}),
		);
		expect(() => checkAnswer(schema, 7)).toThrow('the field "the response itself" is missing');
	});
});

describe('A response that cannot be used', () => {
	it('is kept in the failure, at most 100,000 characters of it', () => {
		const body = { id: 'embd-1', data: 'x'.repeat(200_000) };
		const facts = factsOf(() => checkAnswer(z.object({ results: z.string() }), body));
		const kept = facts.partial?.answer as unknown as typeof body;
		expect(kept.id).toBe('embd-1');
		expect(kept.data.length).toBeGreaterThan(99_000);
		expect(kept.data.length).toBeLessThan(100_000);
	});

	it('is not mentioned if it is null', () => {
		expect(factsOf(() => checkAnswer(z.string(), null))).not.toHaveProperty('partial');
	});
});

describe('A list', () => {
	const entries = listOf(z.object({ id: z.string().transform((id) => id.toUpperCase()) }), 3);

	it('has all its entries as the schema reads them', () => {
		expect(checkAnswer(entries, [{ id: 'a' }, { id: 'b' }])).toEqual([{ id: 'A' }, { id: 'B' }]);
		expect(checkAnswer(entries, [])).toEqual([]);
	});

	it('is checked up to the first entry that does not fit', () => {
		expect(() => checkAnswer(z.object({ data: entries }), { data: [{ id: 'a' }, { id: 1 }, {}] })).toThrow(
			'the field "data.1.id" is missing or unexpected (expected string, received number)',
		);
	});

	it('has at most as many entries as its limit', () => {
		const many = (count: number) => new Array(count).fill({ id: 'a' });
		expect(checkAnswer(entries, many(3))).toHaveLength(3);
		expect(() => checkAnswer(entries, many(4))).toThrow('(more than 3 entries)');
		expect(checkAnswer(listOf(z.unknown()), new Array(10_000).fill(0))).toHaveLength(10_000);
		expect(() => checkAnswer(listOf(z.unknown()), new Array(10_001).fill(0))).toThrow(
			'(more than 10000 entries)',
		);
	});
});
