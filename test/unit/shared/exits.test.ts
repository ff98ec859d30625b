import { toItem } from '../../../nodes/shared/run/operation';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	logProgress,
	logWarning,
	outputItems,
	showHint,
	since,
	traceOf,
	traceRun,
} from '../../../nodes/shared/run/exits';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { supplySubNode } from '../../../nodes/shared/run/subNode';
import { generateContent } from '../../../nodes/Chat/formats/generateContent/format';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { Ledger, NO_SPENDING, SpendingLimits } from '../../../nodes/shared/send/ledger';
import { FakeClock } from '../fakeClock';
import { FakeContext } from './fakeContext';

const KEY = 'secret-key-123';
const HIDDEN = '[API key]';
const redactor = new Redactor([KEY]);

describe('What leaves the node', () => {
	it('has no key in hints, in the log, and in traces', () => {
		const context = new FakeContext();
		const exit = { context: context.execute, redactor };
		showHint(exit, `Used ${KEY}`);
		logWarning(exit, `Stopped ${KEY}`);
		expect(context.hints).toEqual([{ message: `Used ${HIDDEN}`, type: 'info', location: 'outputPane' }]);
		logProgress(exit, `Failures: ${KEY}`);
		expect(context.warnings).toEqual([`"Node" (execution 1): Stopped ${HIDDEN}`]);
		const line = expect.stringMatching(/^".+" \(execution .+\): Failures: \[API key\]$/);
		expect(context.progress).toEqual([line]);
		expect(context.shown).toEqual([line]);
		const called = { ...context.execute, getExecutionId: () => undefined } as never;
		logWarning({ ...exit, context: called }, 'Called by MCP Server Trigger');
		expect(context.warnings.at(-1)).toBe('"Node": Called by MCP Server Trigger');
		traceRun(exit, { 'gateway.model': KEY, 'gateway.requests': 1, 'gateway.address': '' });
		expect(context.traces).toEqual([{ 'gateway.model': HIDDEN, 'gateway.requests': 1 }]);
		const older: Partial<IExecuteFunctions> = { ...context.execute };
		delete older.setMetadata;
		traceRun({ ...exit, context: older as IExecuteFunctions }, {});
		expect(context.traces).toHaveLength(1);
	});
});

describe('Output items', () => {
	const file = (fileName: string, data: string) => ({ fileName, data, mimeType: 'text/plain', id: '1' });

	it('lose the key in JSON and in the names of files, and keep everything else', async () => {
		const items = [
			{ json: { text: KEY }, pairedItem: { item: 0 } },
			{
				json: { text: 'b' },
				binary: { [KEY]: file('a.txt', 'QQ=='), other: file(`${KEY}.txt`, 'Qg==') },
				pairedItem: { item: 1 },
			},
		];
		expect(await outputItems({ redactor }, items)).toEqual([
			{ json: { text: HIDDEN }, pairedItem: { item: 0 } },
			{
				json: { text: 'b' },
				binary: { [HIDDEN]: file('a.txt', 'QQ=='), other: file(`${HIDDEN}.txt`, 'Qg==') },
				pairedItem: { item: 1 },
			},
		]);
		// The contents of files have lost the key when they were stored.
		const clean = [{ json: { a: 1 }, binary: { data: file('a.txt', KEY) }, pairedItem: { item: 0 } }];
		expect(await outputItems({ redactor }, clean)).toBe(clean);
	});
});

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
		const waits = [wait(10_000), wait(4000), late];
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
		await clock.run(ledger.waitForLimit(async () => await clock.sleep(1_500.4)));
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
		ledger.used({ inputTokens: 5, cost: 0.1 });
		expect(since(traceOf(ledger), trace)).toMatchObject({
			'gateway.model': 'one, two',
			'gateway.requests': 0,
			'llm.tokens.in': 5,
			'llm.tokens.total': 5,
			'llm.cost.total': 0.1,
		});
	});

	it('counts nothing that an answer claims to give back', () => {
		const spending = { ...NO_SPENDING };
		const ledger = new Ledger(new FakeClock(), new SpendingLimits(NO_SPENDING, spending));
		ledger.used({ inputTokens: 30, outputTokens: 12, cost: 0.5 });
		ledger.used({ inputTokens: -20, outputTokens: -10, cost: -0.4 });
		expect(ledger).toMatchObject({ tokens: { input: 30, output: 12 }, cost: 0.5 });
		expect(spending).toMatchObject({ tokens: 42, cost: 0.5 });
	});
});

describe('The runs of a sub-node', () => {
	it('tell what was done since the run before, without the key', async () => {
		const context = new FakeContext({ respond: () => ({ body: {} }) });
		const { supply } = context;
		const { response } = await supplySubNode(supply, 0, async ({ client }) => {
			const ask = async (model: string) =>
				await client.json({ endpoint: endpoints.chatCompletions, json: { model } }, toItem);
			await ask('model of secret-key-123');
			supply.addOutputData('ai_embedding', 0, [[]]);
			await client.json(
				{ endpoint: generateContent.request.target('other', false).endpoint, json: {} },
				toItem,
			);
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
