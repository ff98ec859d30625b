import { Redactor } from '../../../nodes/shared/answer/redactor';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { cancelledFailure, inputFailure } from '../../../nodes/shared/failure/words';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import type { Call } from '../../../nodes/shared/run/call';
import type {
	BatchOperation,
	ItemOperation,
	LinkedResult,
	Operation,
} from '../../../nodes/shared/run/operation';
import { deliver } from '../../../nodes/shared/run/deliver';
import { runOperations } from '../../../nodes/shared/run/runOperations';
import { FakeClock } from '../fakeClock';
import { FakeContext, failureOf, type FakeSettings } from './fakeContext';

const base = { name: 'Draw', action: 'Draw', description: '', fields: [] };
const itemOperation = (run: ItemOperation['run'], value = 'draw'): ItemOperation => ({
	...base,
	value,
	run,
});
const batchOperation = (runAll: BatchOperation['runAll'], value = 'embed'): BatchOperation => ({
	...base,
	value,
	runAll,
});
const bad = (message = 'Bad') => new GatewayFailure('request', message, 'Check it.');
const turn = async () => await new Promise((resolve) => setImmediate(resolve));
const input = (count: number): INodeExecutionData[] => Array.from({ length: count }, () => ({ json: {} }));

/** Runs operations on some items; `operation` may differ for each item. */
function run(operations: Operation | Operation[], settings: FakeSettings & { count?: number } = {}) {
	const { count = 3, parameters, ...rest } = settings;
	const list = [operations].flat();
	const context = new FakeContext({
		items: input(count),
		parameters: { operation: list[0].value, ...parameters },
		...rest,
	});
	return { context, output: runOperations(context.execute, list, context.execute.continueOnFail()) };
}

const result = (json: object = {}) => ({ json: { ...json } });
/** An operation that pays for a chat answer. */
const paying = itemOperation(async (call) => {
	const request = { endpoint: endpoints.chatCompletions, json: { item: call.itemIndex }, maxRetries: 0 };
	const { value } = await call.pay(request, async () => call.itemIndex);
	return result({ value });
});

describe('A run', () => {
	it('starts nothing more after an item of which a later result has failed', async () => {
		const started: number[] = [];
		const operation = itemOperation(async ({ itemIndex }) => {
			started.push(itemIndex);
			return itemIndex === 0 ? [result(), { failure: bad() }] : result();
		});
		const parameters = { limits: { parallelRequests: 1 } };
		await expect(run(operation, { parameters }).output).rejects.toThrow('Bad');
		expect(started).toEqual([0]);
	});

	it('keeps the fields of its items if the user wants that, next to its own or to a failure', async () => {
		const operation = itemOperation(async ({ itemIndex }) => {
			if (itemIndex === 1) throw bad();
			return result({ a: 1, c: 3, d: 4 });
		});
		const items = [{ json: { b: 2, a: 1, c: 9, d: 9 } }, { json: { b: 3 } }];
		const parameters = { options: { includeInputFields: true } };
		const [[one, failed]] = await run(operation, { items, parameters, continueOnFail: true }).output;
		expect(Object.entries(one.json)).toEqual(Object.entries({ b: 2, a: 1, c: 3, d: 4 }));
		expect(failed.json).toMatchObject({ b: 3, error: 'Bad' });
	});

	it('never takes what tells of its answer from the input', async () => {
		const operation = itemOperation(async ({ itemIndex }) => {
			if (itemIndex === 1) throw bad();
			return result({ width: 64 });
		});
		const items = [1, 2].map((row) => ({ json: { row, width: 32, cost: 0.1, url: 'https://a.example' } }));
		const [all] = await run(
			{ ...operation, answerFields: ['width', 'cost', 'url'] },
			{ items, parameters: { options: { includeInputFields: true } }, continueOnFail: true },
		).output;
		expect(all.map(({ json }) => json)).toEqual([
			{ row: 1, width: 64 },
			{ row: 2, error: 'Bad', details: expect.any(Object) },
		]);
	});

	it.each<[IDataObject, IDataObject | undefined]>([
		[{ error: 'Bad', details: { kind: 'request' } }, {}],
		[{ row: 1, empty: true, message: 'No content' }, { row: 1 }],
		[{ error: 'Bad' }, {}],
		[
			{ row: 1, error: { message: 'Bad', name: 'NodeApiError' }, details: 'Left' },
			{ row: 1, details: 'Left' },
		],
		// Ordinary columns.
		[{ error: 'E42', details: 'Left wheel' }, undefined],
		[{ error: { line: 42 }, row: 1 }, undefined],
		[{ details: { kind: 'A' } }, undefined],
		[{ empty: false, message: 'Hi' }, undefined],
	])('keeps of %j in the input only what tells of no earlier node: %j', async (json, kept = json) => {
		const parameters = { options: { includeInputFields: true } };
		const [[one]] = await run(
			itemOperation(async () => result({ a: 1 })),
			{ items: [{ json }], parameters },
		).output;
		expect(one.json).toEqual({ ...kept, a: 1 });
	});

	it('shows a hint of several items once, with their rows, and in yellow only if it is a warning', async () => {
		const operation = itemOperation(async (call) => {
			call.hint(call.itemIndex < 2 ? 'The text was cut' : undefined);
			call.warn(call.itemIndex === 2 ? 'The text is odd' : undefined);
			return result();
		});
		const { context, output } = run(operation);
		await output;
		expect(context.hints).toMatchObject([
			{ message: 'The text was cut (rows 1–2 of 3)', type: 'info' },
			{ message: 'The text is odd (row 3 of 3)', type: 'warning' },
			{},
		]);
	});

	it.each([
		[1, 'info', false],
		[2, 'warning', true],
	])('warns that all requests were identical if there were several: %i', async (count, type, isSaid) => {
		const clock = new FakeClock();
		const operation = itemOperation(async (call) => {
			await call.pay({ endpoint: endpoints.chatCompletions, json: { prompt: 'Hi' } }, async () => '');
			return result();
		});
		// A repetition, so that there is a hint about a single item as well.
		const context: FakeContext = new FakeContext({
			items: input(count),
			parameters: { operation: 'draw' },
			respond: () => ({ status: context.sent.length === 1 ? 503 : 200 }),
		});
		await clock.run(runOperations(context.execute, [operation], false, clock));
		expect(context.hints).toMatchObject([{ type }]);
		expect(context.hints[0].message.includes(`All ${count} requests were identical`)).toBe(isSaid);
	});

	it.each([
		[false, 0],
		[true, 1],
	])('sends nothing more after a failure, unless it continues: %s', async (continueOnFail, count) => {
		let otherStarts = () => {};
		const otherHasStarted = new Promise<void>((resolve) => (otherStarts = resolve));
		const operation = itemOperation(async (call) => {
			if (call.itemIndex === 0) {
				await otherHasStarted;
				throw bad();
			}
			otherStarts();
			await turn();
			return await paying.run(call);
		});
		const { context, output } = run(operation, { count: 2, continueOnFail });
		await output.catch(() => {});
		expect(context.sent).toHaveLength(count);
	});
});

describe('An item whose operation fails', () => {
	it.each([
		[
			{},
			'Check it. 1 of 5 rows done; a retry in Executions (with the currently saved workflow, if you change something) reuses their results. Execute step requests everything again.',
		],
		[{ payAgain: true }, 'Check it.'],
	])('says how many rows are paid for and kept for a retry: %j', async (more, description) => {
		const operation = itemOperation(async (call) => {
			if (call.itemIndex === 1) throw bad();
			return await paying.run(call);
		});
		const parameters = { limits: { parallelRequests: 1, ...more } };
		expect((await failureOf(run(operation, { count: 5, parameters }).output)).description).toBe(description);
	});

	it('fails before anything is sent if an option of the whole run has no usable value', async () => {
		const settings = { count: 1, parameters: { limits: { payAgain: 'perhaps' } }, continueOnFail: true };
		const { context, output } = run(paying, settings);
		expect((await output)[0][0].json.error).toMatch(/^Start Over on Retry is/);
		expect(context.sent).toEqual([]);
	});

	it('fails alone if the credential cannot be used, in each item', async () => {
		const settings = { count: 2, continueOnFail: true, credential: { baseUrl: '' } };
		const [items] = await run(paying, settings).output;
		expect(items.map(({ json }) => json.error)).toEqual(
			new Array(2).fill('Base URL is missing in the credential'),
		);
	});
});

describe('An item that waits for a limit', () => {
	it('lets the next item start, although only one request may be in progress', async () => {
		const clock = new FakeClock();
		const operation = itemOperation(async (call) => {
			const json = { model: `model-${call.itemIndex}` };
			await call.pay({ endpoint: endpoints.chatCompletions, json }, async () => '');
			return result();
		});
		const context: FakeContext = new FakeContext({
			items: input(2),
			parameters: { operation: 'draw', limits: { parallelRequests: 1 } },
			respond: () => (context.sent.length === 1 ? { status: 429, headers: { 'retry-after': '60' } } : {}),
		});
		await clock.run(runOperations(context.execute, [operation], false, clock));
		const models = context.sent.map(({ body }) => JSON.parse(body as string).model as string);
		expect(models).toEqual(['model-0', 'model-1', 'model-0']);
	});
});

describe('The failure of a run', () => {
	const exitOf = ({ execute }: FakeContext) => ({ context: execute, redactor: new Redactor([]) });
	const failed = (from: number | number[], failure = bad(`Bad ${[from].flat()[0]}`)): LinkedResult => ({
		from,
		failure,
	});

	it('is the first one that is no cancellation', async () => {
		const exit = exitOf(new FakeContext({ items: input(5) }));
		const cancelled = failed(0, cancelledFailure());
		await expect(deliver(exit, [cancelled, failed([2, 3]), failed(4)])).rejects.toThrow(
			'Bad 2 (rows 3–4 of 5)',
		);
		await expect(deliver(exit, [{ from: 1, ...result() }, cancelled])).rejects.toThrow(
			'The execution was stopped',
		);
	});

	it('promises that a retry reuses what is finished, but not after a stop', async () => {
		const exit = exitOf(new FakeContext({ items: input(3) }));
		const payments = { keptItems: new Set([0, 1, 2]), leftOut: new Set<number>() };
		// Row 3 is paid for as well, but is not among the best.
		const done = [0, 1].map((from) => ({ from, ...result() }));
		const descriptionOf = async (failure?: GatewayFailure) =>
			(await failureOf(deliver(exit, [...done, failed(1, failure)], { payments }))).description;
		expect(await descriptionOf()).toContain('2 of 3 rows done; a retry in Executions');
		expect(await descriptionOf(cancelledFailure())).not.toContain('retry');
	});

	it('names rows with other failed requests that may be paid for', async () => {
		const exit = exitOf(new FakeContext({ items: input(9) }));
		const unclear = bad().judged({ charge: 'possible', again: 'ifFree' });
		const song = failed(1, bad().judged({ charge: 'certain', again: 'never' }));
		const noteOf = async (all: LinkedResult[], kept: number[] = []) => {
			const payments = { keptItems: new Set(kept), leftOut: new Set<number>() };
			const { description } = await failureOf(deliver(exit, all, { payments }));
			return /Other failed requests \((.*)\) may have been charged for/.exec(description!)?.[1];
		};
		const many = [failed(0, unclear), failed(0, unclear), failed(1), failed([5, 6], unclear)];
		expect(await noteOf(many)).toBe('rows 6–7');
		expect(await noteOf([failed([0, 1], unclear), failed(1, unclear), failed(2)])).toBeUndefined();
		// Of the parts of a text, the first was refused.
		expect(await noteOf([failed(0), failed(0, unclear)])).toBe('row 1');
		expect(await noteOf([failed(0), song])).toBe('row 2');
		// A retry goes on with the same song.
		expect(await noteOf([failed(0), song], [1])).toBeUndefined();
	});

	it('is an answer with advice for the model of an agent', async () => {
		const tool = (onError?: INode['onError']) =>
			exitOf(new FakeContext({ node: { type: 'x.chatTool', onError } }));
		const [item] = await deliver(tool(), [failed(0)]);
		expect(item.json).toEqual({ error: 'Bad 0. Check it.' });
		const [chinese] = await deliver(tool(), [failed(0, bad('满了。'))]);
		expect(chinese.json).toEqual({ error: '满了。 Check it.' });
		const paid = bad().with({ taskId: 't1', partial: { url: 'https://files.example/a.png' } });
		const [answer] = await deliver(tool(), [failed(0, paid)]);
		expect(answer.json.details).toEqual({ taskId: 't1', url: 'https://files.example/a.png' });
		await expect(deliver(tool('stopWorkflow'), [failed(0)])).rejects.toThrow('Bad 0');
		await expect(deliver(tool(), [failed(0, cancelledFailure())])).rejects.toThrow('stopped');
	});
});

describe('The operation of an item', () => {
	it('says, and sends nothing, if it cannot be a tool, or if no agent would hear of it', async () => {
		const runs = jest.fn(async () => result({ a: 1 }));
		const alone: ItemOperation = { ...itemOperation(runs, 'a'), isTool: false };
		const asTool = async (operation: ItemOperation, onError?: INode['onError']) => {
			const node = { type: 'x.imageTool', onError };
			const [items] = await run([operation], { count: 1, node, continueOnFail: onError !== undefined })
				.output;
			return items[0].json.error;
		};
		expect(await asTool(alone)).toMatch(/cannot be a tool\. It needs several items, or files/);
		const able = itemOperation(runs, 'a');
		expect(await asTool(able, 'continueErrorOutput')).toMatch(
			/receive nothing from this tool\. In the settings/,
		);
		expect(runs).not.toHaveBeenCalled();
		expect(await asTool(able)).toBeUndefined();
		expect(runs).toHaveBeenCalledTimes(1);
	});
});

describe('The answer of a tool', () => {
	it.each<[unknown, unknown]>([
		['', { text: expect.stringMatching(/^x{2000,9999}…$/) }],
		[undefined, { text: expect.stringMatching(/^x{2000,9999}…$/) }],
		[0, { text: 'x'.repeat(20_000) }],
		[-1, { error: expect.stringMatching(/^Max Answer Length \(Characters\) is -1, but must be 0 or more/) }],
	])('has the length that Max Answer Length says: %j', async (maxAnswerLength, expected) => {
		const runs = jest.fn(async () => result({ text: 'x'.repeat(20_000) }));
		const [items] = await run([itemOperation(runs, 'a')], {
			count: 1,
			node: { type: 'x.imageTool' },
			parameters: { maxAnswerLength: () => maxAnswerLength },
		}).output;
		expect(items.map(({ json }) => json)).toEqual([expected]);
		expect(runs).toHaveBeenCalledTimes(maxAnswerLength === -1 ? 0 : 1);
	});
});

describe('An operation on all items together', () => {
	const each = (calls: Call[]) => calls.map(({ itemIndex: from }) => ({ from, ...result({ from }) }));

	it('is output at the place of its first item, and runs after the single items', async () => {
		const order: string[] = [];
		const single = itemOperation(async ({ itemIndex }) => {
			order.push(`item ${itemIndex}`);
			return result({ from: itemIndex });
		});
		const batch = batchOperation(async (calls) => {
			order.push(`batch of ${calls.length}`);
			return each(calls);
		});
		const parameters = { operation: (index: number) => ['draw', 'embed', 'draw', 'embed'][index] };
		const [items] = await run([single, batch], { count: 4, parameters }).output;
		expect(items.map(({ json }) => json.from)).toEqual([0, 1, 3, 2]);
		expect(order).toEqual(['item 0', 'item 2', 'batch of 2']);
	});

	it('fails as a whole', async () => {
		const operation = batchOperation(async () => await Promise.reject(bad()));
		const [items] = await run(operation, { continueOnFail: true }).output;
		expect(items).toMatchObject([
			{ json: { error: 'Bad' }, pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }] },
		]);
	});

	it('does not start after an item has failed, unless the node continues on failure', async () => {
		const started = async (continueOnFail: boolean) => {
			const single = itemOperation(async () => await Promise.reject(bad()));
			const runAll = jest.fn(async (calls: Call[]) => each(calls));
			const parameters = { operation: (index: number) => ['draw', 'embed'][index] };
			const settings = { count: 2, parameters, continueOnFail };
			await run([single, batchOperation(runAll)], settings).output.catch(() => {});
			return runAll.mock.calls.length;
		};
		expect([await started(false), await started(true)]).toEqual([0, 1]);
	});
});

const FAULT = 'The node itself has failed (Error: aborted)';

describe('A run that is stopped', () => {
	it('takes any error for a consequence, except failures', async () => {
		const failing = async (error: Error, isStopped = true) => {
			const cancel = new AbortController();
			const operation = itemOperation(async () => {
				if (isStopped) cancel.abort();
				throw error;
			});
			const parameters = { limits: { parallelRequests: 1 } };
			const settings = { continueOnFail: true, signal: cancel.signal, count: 2, parameters };
			const [items] = await run(operation, settings).output;
			return items.map(({ json }) => json.error);
		};
		const stopped = 'The execution was stopped';
		expect(await failing(new Error('aborted'))).toEqual([stopped, stopped]);
		expect(await failing(inputFailure('Prompt', 'is empty', ''))).toEqual(['Prompt is empty', stopped]);
		expect(await failing(new Error('aborted'), false)).toEqual([FAULT, FAULT]);
	});
});

describe('A run that n8n repeats', () => {
	it('names the items with results that are too large to be kept, if it continues on failure', async () => {
		const operation = itemOperation(async (call) => {
			if (call.itemIndex === 1) throw bad();
			const request = { endpoint: endpoints.chatCompletions, json: {} };
			await call.pay(request, async () => 'x'.repeat(50_000_000));
			return result();
		});
		const settings = { count: 2, node: { retryOnFail: true } };
		const { context, output } = run(operation, { ...settings, continueOnFail: true });
		await output;
		expect(context.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('A retry pays again for row 1'),
		]);
		const stopped = run(operation, settings);
		expect((await failureOf(stopped.output)).description).toContain('A retry pays again for row 1');
		expect(stopped.context.hints).toEqual([]);
	});

	it('keeps results only if n8n can run it again for the same items', async () => {
		/** Whether it keeps them while it runs, and after an item has failed. */
		const keeps = async (continueOnFail: boolean, retryOnFail?: boolean) => {
			const nodeContext = {};
			const isKept: boolean[] = [];
			const operation = itemOperation(async (call) => {
				await paying.run(call);
				isKept.push('paidResults' in nodeContext);
				throw bad();
			});
			const settings = { count: 1, nodeContext, continueOnFail, node: { retryOnFail } };
			await run(operation, settings).output.catch(() => {});
			return [...isKept, 'paidResults' in nodeContext];
		};
		expect(await keeps(true)).toEqual([false, false]);
		expect(await keeps(false)).toEqual([true, true]);
		expect(await keeps(true, true)).toEqual([true, true]);
	});

	it('reuses what it has kept before it was set to continue', async () => {
		const operation = itemOperation(async (call) =>
			call.itemIndex === 1 ? await Promise.reject(bad()) : await paying.run(call),
		);
		const settings = { count: 2, nodeContext: {}, parameters: { limits: { parallelRequests: 1 } } };
		await run(operation, settings).output.catch(() => {});
		const { context, output } = run(operation, { ...settings, continueOnFail: true });
		expect((await output)[0].map(({ json }) => json.value ?? json.error)).toEqual([0, 'Bad']);
		expect(context.sent).toEqual([]);
		expect(settings.nodeContext).toEqual({});
	});

	it('keeps results on failure if Retry On Fail is on, as long as its first item has an error', async () => {
		const nodeContext = {};
		const requestsOf = async (fails: boolean) => {
			const operation = itemOperation(async (call) => {
				if (!fails || call.itemIndex === 1) return await paying.run(call);
				while (context.sent.length === 0) await turn();
				throw bad();
			});
			const settings = { count: 2, nodeContext, continueOnFail: true, node: { retryOnFail: true } };
			const { context, output } = run(operation, settings);
			await output;
			return context.sent.length;
		};
		expect(await requestsOf(true)).toBe(1);
		expect(nodeContext).not.toEqual({});
		expect(await requestsOf(false)).toBe(1);
		expect(nodeContext).toEqual({});
	});
});

describe('An item that fails after it has paid for something', () => {
	it('says so, also if an earlier try has paid', async () => {
		const operation = itemOperation(async (call) => {
			await paying.run(call);
			throw bad();
		});
		const settings = { count: 1, nodeContext: {}, continueOnFail: true, node: { retryOnFail: true } };
		const sent: number[] = [];
		for (let tries = 1; tries <= 2; tries++) {
			const { context, output } = run(operation, settings);
			expect(await output).toMatchObject([[{ json: { details: { charge: 'certain' } } }]]);
			sent.push(context.sent.length);
		}
		expect(sent).toEqual([1, 0]);
	});
});

describe('Spending Limits', () => {
	it('count for all passes of a loop in an execution', async () => {
		const nodeContext = {};
		const pass = async (runIndex: number) => {
			const parameters = { spending: { maxRequests: 2 } };
			const settings = { count: 1, continueOnFail: true, nodeContext, runIndex, parameters };
			const [[{ json }]] = await run(paying, settings).output;
			return json.error ?? json.value;
		};
		expect([await pass(0), await pass(1), await pass(2)]).toEqual([0, 0, 'Max Requests (2) is reached']);
	});
});

describe('A long run', () => {
	it('says every 15 seconds how far it is, and sums itself up at the end', async () => {
		const clock = new FakeClock();
		// So that no time passes while a request is prepared, which takes longest in the first test of a process.
		clock.turns = 20;
		const operation = itemOperation(async (call) => {
			await clock.sleep(21_000);
			if (call.itemIndex === 2) throw bad();
			return await paying.run(call);
		});
		const context = new FakeContext({
			items: input(3),
			parameters: { operation: 'draw', limits: { parallelRequests: 1 } },
			continueOnFail: true,
		});
		await clock.run(runOperations(context.execute, [operation], true, clock));
		const lines = context.progress.map((line) => line.slice(line.indexOf(':') + 2));
		expect(lines).toEqual([
			'0 of 3 items done',
			'1 of 3 items done, 1 paid for; about 1 min left',
			'2 of 3 items done, 2 paid for; about 23 s left',
			'2 of 3 items done, 2 paid for; about 30 s left',
			'3 items in 1 min 3 s: 2 done, 1 failed. Failures: 1 × Bad. 2 requests.',
		]);
		expect(context.shown).toEqual(context.progress);
		expect(context.hints).toEqual([{ message: lines.at(-1), type: 'warning', location: 'outputPane' }]);
	});

	it.each([
		[14_999, 0],
		[15_000, 1],
	])(
		'is one of at least 15 seconds, and no shorter one is summed up in the log: %i ms',
		async (ms, lines) => {
			const clock = new FakeClock();
			const operation = itemOperation(async ({ itemIndex }) => {
				if (itemIndex === 0) clock.pass(ms);
				return result();
			});
			const context = new FakeContext({ items: input(2), parameters: { operation: 'draw' } });
			await runOperations(context.execute, [operation], false, clock);
			expect(context.hints).toMatchObject([{ message: '2 items in 15 s: 2 done. Nothing was sent.' }]);
			expect(context.progress).toHaveLength(lines);
		},
	);

	it.each([
		[cancelledFailure(), ': 0 done, 1 failed, 1 not sent.'],
		[cancelledFailure().judged({ charge: 'possible' }), ': 0 done, 2 failed.'],
	])('says how many items were not sent because another one had failed: case %#', async (ended, line) => {
		const clock = new FakeClock();
		const operation = itemOperation(async (call) => {
			await clock.sleep(21_000);
			throw call.itemIndex === 0 ? bad() : ended;
		});
		const context = new FakeContext({ items: input(2), parameters: { operation: 'draw' } });
		await failureOf(clock.run(runOperations(context.execute, [operation], false, clock)));
		expect(context.progress.at(-1)).toContain(line);
	});
});
