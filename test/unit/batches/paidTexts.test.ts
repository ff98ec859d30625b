import { namingText, sumOf, tokenUsageOf, usageOf } from '../../../nodes/batches/paidTexts';
import { OptionalFields } from '../../../nodes/shared/answer/optionalFields';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import type { FailureKind } from '../../../nodes/shared/failure/kinds';
import { embedText } from '../../../nodes/Embed/operations/embedText.operation';
import { runOperations } from '../../../nodes/shared/run/runOperations';
import { FakeClock } from '../fakeClock';
import { FakeContext } from '../shared/fakeContext';

describe('What a request of many texts has used', () => {
	it.each<[unknown, object]>([
		[
			{ usage: { prompt_tokens: 5, total_tokens: 7, cost: 0.25 } },
			{ inputTokens: 5, totalTokens: 7, cost: 0.25 },
		],
		[{ usage: { prompt_tokens: 0, total_tokens: 0 } }, {}],
		[{}, {}],
		['no object', {}],
	])('is read from %j', (body, expected) => {
		const optional = new OptionalFields();
		expect(usageOf(body, optional)).toEqual(expected);
		expect(optional.hint).toBeUndefined();
	});

	it.each([
		[{ usage: 'much' }, 'usage'],
		[{ usage: { prompt_tokens: 'many' } }, 'usage.prompt_tokens'],
		[{ usage: { total_tokens: 'all' } }, 'usage.total_tokens'],
	])('is noted if it cannot be read: %j', (body, name) => {
		const optional = new OptionalFields();
		expect(usageOf(body, optional)).toEqual({});
		expect(optional.hint).toContain(name);
	});

	it('is added up as far as the gateway reports it', () => {
		const requests = [{ inputTokens: 2, cost: 0 }, {}, { inputTokens: 3, totalTokens: 4, model: 'small' }];
		expect(sumOf(requests)).toEqual({ inputTokens: 5, totalTokens: 4, cost: 0 });
		expect(sumOf([])).toEqual({});
	});

	it.each<[Parameters<typeof tokenUsageOf>[0], object]>([
		[{}, {}],
		[{ cost: 1 }, {}],
		[{ inputTokens: 0 }, { tokenUsage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 } }],
		[
			{ totalTokens: 9, cost: 0.5 },
			{ tokenUsage: { promptTokens: 9, completionTokens: 0, totalTokens: 9, cost: 0.5 } },
		],
		[
			{ inputTokens: 2, totalTokens: 3 },
			{ tokenUsage: { promptTokens: 2, completionTokens: 0, totalTokens: 3 } },
		],
	])('is shown for the run of a sub-node: %j', (used, expected) => {
		expect(tokenUsageOf(used)).toEqual(expected);
	});
});

describe('The failure of one of many texts', () => {
	it('is counted in the lines of a long run', async () => {
		const clock = new FakeClock();
		clock.turns = 20;
		const text = (item: number) => ['One', 'Two'][item];
		const limits = { batchSize: 1, parallelRequests: 1 };
		const context: FakeContext = new FakeContext({
			items: [{ json: {} }, { json: {} }],
			parameters: { operation: 'embedText', model: 'small', text, output: 'vector', limits },
			continueOnFail: true,
			respond: async () => {
				await clock.sleep(10_000);
				return context.sent.length === 1 ? { status: 400 } : { body: { data: [{ embedding: [1] }] } };
			},
		});
		await clock.run(runOperations(context.execute, [embedText], true, clock));
		expect(context.progress[0]).toContain('0 of 2 items done, 1 failed');
	});

	const failed = (kind: FailureKind, message = 'Refused', status = 500) =>
		new GatewayFailure(kind, message, 'Do.', { status });
	const named = ['the third document', `${'w'.repeat(100)}and more`] as const;

	it.each<FailureKind>(['request', 'gateway', 'answer'])('of kind %s names the text', (kind) => {
		const failure = failed(kind);
		const others = [{ value: 1 }, undefined, { failure: failed(kind, 'Another') }, { failure }];
		expect(namingText(failure, others, ...named).message).toBe(
			`Refused (the third document: “${'w'.repeat(100)}”)`,
		);
	});

	it('does not name the text if another one has failed in the same way, or no text can be the cause', () => {
		const failure = failed('request');
		expect(namingText(failure, [{ failure }, { failure: failed('request') }], ...named)).toBe(failure);
		for (const other of [failed('interrupted'), failed('gateway', 'Busy', 503)]) {
			expect(namingText(other, [{ failure: other }], ...named)).toBe(other);
		}
	});
});
