import type { INodeParameters } from 'n8n-workflow';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
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
			'Nothing more was sent. The limit applies to everything that this node does in an execution. To let it do more, increase Max Requests in Spending Limits. 5 of 12 rows done; a retry in Executions (with the currently saved workflow, if you change something) reuses their results. Execute step requests everything again.',
		);
		expect(paid()).toBe(5);
		await retryRun(ask(limited({ maxRequests: 5 })), failed, { ...run, executionId: '4500001' });
		expect(paid()).toBe(10);
	});

	const words = (limit: string, what: string) =>
		`${limit} cannot be kept, because the gateway reported no ${what} for an answer`;

	const choices = [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];

	it.each([
		['Max Cost', 'cost', { maxCost: 0.01 }, { total_tokens: 3, prompt_tokens: 2, completion_tokens: 1 }],
		['Max Total Tokens', 'tokens', { maxTotalTokens: 1 }, { cost: 0.5 }],
	])('say in a hint that %s cannot be kept, even after the last item', async (limit, what, limits, usage) => {
		chat.fail('POST /v1/*', { kind: 'status', status: 200, body: { choices, usage } });
		const { hints } = await runWorkflow(ask(limits), { credential: chat.credential(), input: rows(1) });
		expect(hints).toEqual([`${words(limit, what)}.`]);
	});

	const four = { prompt_tokens: 4, input_tokens: 4, total_tokens: 4 };
	it.each<[string, object, object, object]>([
		['embed', { text: prompt }, { data: [{ index: 0, embedding: [1, 2] }] }, four],
		[
			'rerank',
			{ query: prompt, documents: '=["one"]' },
			{ results: [{ index: 0, relevance_score: 1 }] },
			four,
		],
		['chat', { prompt }, { choices }, four],
		['chat', { operation: 'message', prompt }, { content: [{ type: 'text', text: 'Hello' }] }, four],
		['image', { prompt }, { data: [{ b64_json: 'R0lGODlhAQABAAAAACw=' }] }, { cost: 4 }],
	])('count what an answer of %s reports: %j', async (node, parameters, answer, usage) => {
		chat.fail('POST /*', { kind: 'status', status: 200, body: { ...answer, usage }, times: 'always' });
		const operations = {
			embed: 'embedText',
			rerank: 'rerankList',
			chat: 'chatCompletion',
			image: 'generate',
		};
		const operation = operations[node as keyof typeof operations];
		const options = limited({ batchSize: 1, ...(node === 'image' ? { maxCost: 8 } : { maxTotalTokens: 8 }) });
		const workflow = oneNode(
			node,
			{ operation, model: chosen('m'), options, ...parameters },
			{ onError: 'continueRegularOutput' },
		);
		const { items } = await runWorkflow(workflow, { credential: chat.credential(), input: rows(4) });
		expect(paid()).toBe(2);
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, false, true, true]);
	});

	it('end the run if only a fallback model does not report what they count; a retry goes on', async () => {
		const unknown = { message: 'The model does not exist', code: 'model_not_found' };
		const reporting = { choices, usage: { prompt_tokens: 3, total_tokens: 3, cost: 0.01 } };
		chat.fail(
			'POST /v1/*',
			{ kind: 'status', status: 404, body: { error: unknown }, when: 'Row 2', times: 1 },
			{ kind: 'status', status: 200, body: { choices }, when: '"second"', times: 1 },
			{ kind: 'status', status: 200, body: reporting, times: 'always' },
		);
		const fallbackModels = { model: [{ model: chosen('second') }] };
		const run = { credential: chat.credential(), input: rows(6) };
		const failed = await runWorkflow(ask(limited({ maxCost: 9, fallbackModels })), run);
		expect(failed.error?.message).toBe(`${words('Max Cost', 'cost')} (row 4 of 6)`);
		expect(paid()).toBe(3);
		await retryRun(ask(limited({ maxCost: 9, fallbackModels })), failed, { ...run, executionId: '4500002' });
		expect(paid()).toBe(6);
	});
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
});

describe('A failure that stops the node', () => {
	it('names the rows of other answers that cannot be used, because a retry pays for them again', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: ['It is a complaint.'] } });
		const workflow = chat.workflow({
			operation: 'chatCompletion',
			prompt,
			output: 'json',
			schemaFrom: 'any',
		});
		const run = { credential: chat.credential(), input: rows(3) };
		const failed = await runWorkflow(workflow, run);
		expect(failed.error?.message).toBe("The model's answer contains no JSON (row 1 of 3)");
		expect(failed.error?.description).toContain(
			'Other failed requests (rows 2–3) may have been charged for.',
		);
		await retryRun(workflow, failed, { ...run, executionId: 'retry' });
		expect(paid()).toBe(6);
	});
});
