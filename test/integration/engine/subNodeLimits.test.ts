import { chosen } from './chosen';
import { runSubNode } from './runSubNode';
import { useEmulator } from './useEmulator';

const gateway = useEmulator();
const ROUTE = 'POST /v1/embeddings';

interface Embeddings {
	embedQuery(query: string): Promise<number[]>;
}

/** Runs the Embeddings Model under Spending Limits. */
async function embeddings<T>(
	spending: object,
	use: (supplied: Embeddings, again: () => Promise<Embeddings>) => Promise<T>,
) {
	const model = chosen('embedding-3-small');
	const parameters = { model, spending } as never;
	return await runSubNode('embeddingsModel', parameters, use, { credential: gateway.credential() });
}

describe('Spending Limits of a sub-node', () => {
	it('count for the execution, however often the sub-node is created', async () => {
		const { error, runs } = await embeddings({ maxRunRequests: 2 }, async (first, again) => {
			await first.embedQuery('One');
			await (await again()).embedQuery('Two');
			await (await again()).embedQuery('Three');
		});
		expect(error).toMatchObject({
			message: 'Max Requests (2) is reached',
			description: expect.stringContaining('counts for everything that this node does in an execution'),
			functionality: 'configuration-node',
		});
		expect(gateway.emulator.journal.count(ROUTE)).toBe(2);
		expect(runs.map(({ executionStatus }) => executionStatus)).toEqual(['success', 'success', 'error']);
	});

	it('are never exceeded by several at once, whatever the gateway refuses', async () => {
		gateway.emulator.behaviour.set(ROUTE, {
			latencyMs: 5,
			faults: [{ kind: 'status', status: 400, body: { error: { message: 'No.' } } }],
		});
		const { value } = await embeddings({ maxRunRequests: 3 }, async (_first, again) => {
			const many = await Promise.all(Array.from({ length: 8 }, again));
			return await Promise.allSettled(many.map(async (one, index) => await one.embedQuery(`Text ${index}`)));
		});
		const paid = value!.filter(({ status }) => status === 'fulfilled').length;
		// One of the first three is refused, and nobody else waits for it.
		expect(paid).toBe(2);
		expect(gateway.emulator.journal.count(ROUTE)).toBe(3);
	});

	it('stop after the answer that reaches the tokens', async () => {
		const { error } = await embeddings({ maxRunTokens: 1 }, async (first, again) => {
			await first.embedQuery('One');
			await (await again()).embedQuery('Two');
		});
		expect(error?.message).toBe('Max Total Tokens (1) is reached');
		expect(gateway.emulator.journal.count(ROUTE)).toBe(1);
	});
});

describe('The runs of a sub-node', () => {
	it("tell n8n's traces what each of them was", async () => {
		const { runs } = await embeddings({}, async (first) => {
			await first.embedQuery('One');
			await first.embedQuery('Two and three');
		});
		const traces = runs.map(({ metadata }) => metadata?.tracing);
		expect(traces).toHaveLength(2);
		for (const trace of traces) {
			expect(trace).toMatchObject({
				'gateway.model': 'embedding-3-small',
				'gateway.requests': 1,
				'llm.tokens.out': 0,
			});
			expect(Number(trace?.['llm.tokens.in'])).toBeGreaterThan(0);
		}
	});
});
