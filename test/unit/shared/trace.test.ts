import { since, traceOf } from '../../../nodes/shared/run/exits';
import { supplySubNode } from '../../../nodes/shared/run/subNode';
import { endpoints, generateContentEndpoint } from '../../../nodes/shared/send/endpoints';
import { Ledger } from '../../../nodes/shared/send/ledger';
import { FakeClock } from '../fakeClock';
import { FakeContext } from './fakeContext';

describe('The ledger of a run', () => {
	it('counts waits that overlap once, and knows until when requests wait', async () => {
		const clock = new FakeClock();
		const ledger = new Ledger(clock);
		const begin = clock.date();
		const wait = async (milliseconds: number, known = true) =>
			await ledger.waitForLimit(
				async () => await clock.sleep(milliseconds),
				known ? milliseconds : undefined,
			);
		const late = clock.sleep(2000).then(async () => await wait(6000, false));
		const waits = [wait(4000), wait(10_000), late];
		expect(ledger.waitsUntil).toBe(begin + 10_000);
		await clock.run(Promise.all(waits));
		expect(ledger.waitedMs).toBe(10_000);
		expect(ledger.waitsUntil).toBeUndefined();
		await clock.run(clock.sleep(5000));
		await clock.run(wait(2000));
		expect(ledger.waitedMs).toBe(12_000);
	});
});

describe('The trace of a run', () => {
	it('has its numbers and its models', async () => {
		const clock = new FakeClock();
		const ledger = new Ledger(clock);
		ledger.sent(1, { model: 'one' });
		ledger.sent(2, { model: 'two' });
		ledger.sent(3);
		ledger.used({ inputTokens: 30, outputTokens: 12, cost: 0.1 });
		ledger.used({ cost: 0.2 });
		await clock.run(ledger.waitForLimit(async () => await clock.sleep(1_500)));
		const trace = traceOf(ledger);
		expect(trace).toEqual({
			'gateway.model': 'one, two',
			'gateway.requests': 3,
			'gateway.retries': 2,
			'gateway.waited_ms': 1500,
			'llm.tokens.in': 30,
			'llm.tokens.out': 12,
			'llm.tokens.total': 42,
			'llm.cost.total': 0.3,
		});
		ledger.used({ inputTokens: 5, cost: 0.3 });
		expect(since(traceOf(ledger), trace)).toMatchObject({
			'gateway.model': 'one, two',
			'gateway.requests': 0,
			'llm.tokens.in': 5,
			'llm.tokens.total': 5,
			'llm.cost.total': 0.3,
		});
	});

	it('counts nothing that an answer claims to give back', () => {
		const ledger = new Ledger(new FakeClock());
		ledger.used({ inputTokens: 30, outputTokens: 12, cost: 0.5 });
		ledger.used({ inputTokens: -20, outputTokens: -10, cost: -0.4 });
		expect(ledger).toMatchObject({ tokens: { input: 30, output: 12 }, cost: 0.5 });
		expect(ledger.spending).toMatchObject({ tokens: 42, cost: 0.5 });
	});

	it('names only some models, whatever items contain', () => {
		const ledger = new Ledger(new FakeClock());
		for (let index = 0; index < 100; index++) ledger.sent(1, { model: `${index}`.repeat(100) });
		expect(ledger.models.size).toBe(5);
		expect(String(traceOf(ledger)['gateway.model'])).toHaveLength(200);
	});
});

describe('The runs of a sub-node', () => {
	it('tell what was done since the run before, without the key', async () => {
		const context = new FakeContext({ respond: () => ({ body: {} }) });
		const { supply } = context;
		const { response } = await supplySubNode(supply, 0, async ({ client }) => {
			const ask = async (model: string) =>
				await client.json({ endpoint: endpoints.chatCompletions, json: { model } });
			await ask('model of secret-key-123');
			supply.addOutputData('ai_embedding', 0, [[]]);
			await client.json({ endpoint: generateContentEndpoint('other', false), json: {} });
			await ask('third');
			supply.addOutputData('ai_embedding', 1, [[]], { subExecutionsCount: 1 });
		});
		await (response as Promise<void>);
		expect(context.traces).toMatchObject([
			{ 'gateway.model': 'model of [API key]', 'gateway.requests': 1 },
			{ 'gateway.model': 'model of [API key], other, third', 'gateway.requests': 2 },
		]);
	});
});
