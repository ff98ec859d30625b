import type { INodeParameters } from 'n8n-workflow';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { type RunResult, oneNode, runWorkflow } from '../engine/runWorkflow';
import { useChat } from '../engine/useChat';
import { useFastClock } from '../faults/fastClock';

useFastClock(20);
const chat = useChat();
const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ json: { row } }));
const limited = (limits: INodeParameters) => ({ parallelRequests: 1, ...limits });
const prompt = '={{ "Row " + $json.row }}';
const ask = (options: object, settings = {}) =>
	chat.workflow({ operation: 'chatCompletion', prompt, options }, settings);
const paid = () => chat.emulator.journal.count(({ status }) => status === 200);

describe('Spending Limits', () => {
	it('hold for all tries of Retry On Fail together, and say so; a retry of the execution goes on', async () => {
		chat.fail('POST /v1/*', { kind: 'status', status: 400, skip: 3, times: 1 });
		const run = { credential: chat.credential(), input: rows(12) };
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const failed = await runWorkflow(ask(limited({ maxRequests: 5 }), settings), run);
		expect(failed.error?.message).toBe('Max Requests (5) is reached (row 6 of 12)');
		expect(failed.error?.description).toBe(
			'Nothing more was sent. The limit counts for everything that this node does in an execution. To let it do more, increase Max Requests in Spending Limits. 5 of 12 rows done; a retry in Executions (with the currently saved workflow, if you change something) reuses their results. Execute step requests everything again.',
		);
		expect(paid()).toBe(5);
		await retryRun(ask(limited({ maxRequests: 5 })), failed, { ...run, executionId: '4500001' });
		expect(paid()).toBe(10);
	});

	const image = { created: 1, data: [{ b64_json: 'R0lGODlhAQABAAAAACw=' }], usage: { cost: 0.5 } };
	const vectors = { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 3, cost: 0.5 } };
	const scores = {
		results: [{ index: 0, relevance_score: 0.5 }],
		usage: { total_tokens: 3, cost: { total_cost: 0.5 } },
	};

	it.each([
		['image', image, { operation: 'generate', model: chosen('image-2'), prompt }],
		['embed', vectors, { operation: 'embedText', model: chosen('embed-text-3'), text: prompt }],
		[
			'rerank',
			scores,
			{ operation: 'rerankList', model: chosen('rerank-2'), query: prompt, documents: '=["one"]' },
		],
	])('count the cost that answers to %s report', async (type, body, parameters) => {
		chat.fail('POST /v1/*', { kind: 'status', status: 200, body, times: 9 });
		const options = { batchSize: 1, ...limited({ maxCost: 1 }) };
		const workflow = oneNode(type, { ...parameters, options }, { onError: 'continueRegularOutput' });
		const { items, hints } = await runWorkflow(workflow, { credential: chat.credential(), input: rows(4) });
		expect(paid()).toBe(2);
		const failed = items.filter(({ json }) => 'error' in json);
		// A retry would not reuse the results of a node that goes on.
		const description = expect.stringMatching(/increase Max Cost in Spending Limits\.$/);
		expect(failed).toMatchObject([{ json: { details: { description } } }, { json: {} }]);
		expect(hints.join(' ')).toContain('Cost reported by the gateway: 1.');
	});

	it.each([
		['Max Cost', 'costs', { maxCost: 0.01 }, { total_tokens: 3, prompt_tokens: 2, completion_tokens: 1 }],
		['Max Total Tokens', 'tokens', { maxTotalTokens: 1 }, { cost: 0.5 }],
	])(
		'end the run if %s cannot be kept, because the gateway reports no %s',
		async (limit, what, limits, usage) => {
			const choices = [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
			chat.fail('POST /v1/*', { kind: 'status', status: 200, body: { choices, usage }, times: 2 });
			const run = { credential: chat.credential(), input: rows(5) };
			const { error } = await runWorkflow(ask({ ...limits, parallelRequests: 1 }), run);
			expect(error?.message).toBe(
				`${limit} cannot be kept, because the gateway reports no ${what} (row 2 of 5)`,
			);
			expect(error?.description).toContain(`set Max Requests instead of ${limit}`);
			expect(paid()).toBe(1);
			const { hints } = await runWorkflow(ask(limits), { ...run, input: rows(1) });
			expect(hints).toEqual([`${limit} cannot be kept, because the gateway reports no ${what}.`]);
		},
	);
});

const perRow = { prompt: '=Row {{ $json.row }}.' };

describe('Summary of a run in n8n', () => {
	it('has the numbers that the gateway counted', async () => {
		chat.fail(
			'POST /v1/*',
			{ kind: 'status', status: 400, when: 'Row 7.', times: 'always' },
			{ kind: 'status', status: 500, when: 'Row 9.', times: 'always' },
			{ kind: 'status', status: 503, when: 'Row 11.' },
		);
		const { items, hints } = await chat.ask(
			'chatCompletion',
			perRow,
			{ input: rows(20) },
			{ onError: 'continueRegularOutput' },
		);
		const { journal } = chat.emulator;
		const sum = (name: string) =>
			items.reduce((total, { json }) => total + Number(json[name] ?? 0), 0).toLocaleString('en-US');
		expect(hints).toHaveLength(1);
		expect(hints[0]).toMatch(/^20 items in .+: 18 done, 2 failed\. Failures: 1 × .+; 1 × .+\. /);
		expect(hints[0]).toContain(
			` ${journal.count()} requests, of which 4 repeated an earlier one. Tokens: ${sum('inputTokens')} input, ${sum('outputTokens')} output.`,
		);
		expect(journal.count()).toBe(24);
	});

	it('warns when all requests were identical', async () => {
		const { saved } = await chat.ask('chatCompletion', { prompt: 'Row' }, { input: rows(3) });
		expect(saved).toContain('"type":"warning"');
	});

	it.each([
		['keeps the fields of the input, also beside a failure', true],
		['has only the answer otherwise', false],
	])('%s', async (_, keeps) => {
		const options = keeps ? { includeInputFields: true } : {};
		// The answer has the same finish reason, which replaces nothing.
		const input = [{ json: { row: 1, text: 'Mine', finishReason: 'stop' } }, { json: { row: 2 } }];
		chat.fail('POST /v1/*', { kind: 'status', status: 400, when: 'Row 2.' });
		const { items } = await chat.ask(
			'chatCompletion',
			{ ...perRow, options },
			{ input },
			{ onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.row)).toEqual(keeps ? [1, 2] : [undefined, undefined]);
		expect(items[0].json.text).toContain('Row 1.');
		expect(items[1].json.error).toBeDefined();
	});
});

const EXHAUSTED = 'aurora-4';
const models = Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? EXHAUSTED : 'aurora-4-mini'));
const rowsOfModel = (model: string) => [...models.keys()].filter((row) => models[row] === model);
const rowsOf = ({ outputs }: RunResult, output: number) =>
	outputs[output].map(({ pairedItem }) => (pairedItem as { item: number }).item);
const refused = () => chat.emulator.journal.count(({ status }) => status === 429);

/** Asks one model for each row. */
async function run(executionId: string): Promise<RunResult> {
	const model = '={{ { __rl: true, mode: "id", value: $json.model } }}';
	const workflow = chat.workflow(
		{ operation: 'chatCompletion', model, options: { parallelRequests: 5 } },
		{ onError: 'continueErrorOutput' },
	);
	const input = models.map((one) => ({ json: { model: one } }));
	return await runWorkflow(workflow, { credential: chat.credential(), input, executionId });
}

it('A model whose quota is used up stops its own rows only, and the next execution as well', async () => {
	const refusal = { kind: 'status', status: 429, headers: { 'retry-after': '86400' } } as const;
	chat.fail('POST /v1/chat/completions', { ...refusal, when: `"${EXHAUSTED}"`, times: 'always' });
	for (const executionId of ['1', '2']) {
		const result = await run(executionId);
		expect(rowsOf(result, 0)).toEqual(rowsOfModel('aurora-4-mini'));
		expect(rowsOf(result, 1)).toEqual(rowsOfModel(EXHAUSTED));
		// Of the first ten requests, all may be under way before five refusals tell that the lane is refused.
		expect(refused()).toBeLessThanOrEqual(10);
	}
});
