import type { INodeParameters } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { chosen } from '../engine/chosen';
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
		const failed = await runWorkflow(ask(limited({ maxRunRequests: 5 }), settings), run);
		expect(failed.error?.message).toContain('Max Requests (5) is reached: 5 of 12 items done (row 6 of 12)');
		expect(failed.error?.description).toBe(
			'Nothing more was sent. Increase Max Requests in Spending Limits. 5 of 12 rows done; a retry in Executions (with the currently saved workflow, if you change something) reuses their results. Execute step requests everything again.',
		);
		expect(paid()).toBe(5);
		await retryRun(ask(limited({ maxRunRequests: 5 })), failed, { ...run, executionId: '4500001' });
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
		const options = { batchSize: 1, ...limited({ maxRunCost: 1 }) };
		const workflow = oneNode(type, { ...parameters, options }, { onError: 'continueRegularOutput' });
		const { items, hints } = await runWorkflow(workflow, { credential: chat.credential(), input: rows(4) });
		expect(paid()).toBe(2);
		const failed = items.filter(({ json }) => 'error' in json);
		// A retry would not reuse the results of a node that goes on.
		const description = 'Nothing more was sent. Increase Max Cost in Spending Limits.';
		expect(failed).toMatchObject([{ json: { details: { description } } }, { json: {} }]);
		expect(hints.join(' ')).toContain('Cost reported by the gateway: 1.');
		expect(hints.join(' ')).not.toContain('had no effect');
	});

	it.each([
		['Max Cost', 'costs', { maxRunCost: 0.01 }, { total_tokens: 3, prompt_tokens: 2, completion_tokens: 1 }],
		['Max Total Tokens', 'tokens', { maxRunTokens: 1 }, { cost: 0.5 }],
	])('say that %s had no effect when the gateway reports no %s', async (limit, what, limits, usage) => {
		const choices = [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
		chat.fail('POST /v1/*', { kind: 'status', status: 200, body: { choices, usage }, times: 1 });
		const { hints, error } = await runWorkflow(ask(limits), {
			credential: chat.credential(),
			input: rows(1),
		});
		expect(error).toBeUndefined();
		expect(hints).toEqual([`${limit} had no effect, because the gateway reported no ${what}.`]);
	});
});
