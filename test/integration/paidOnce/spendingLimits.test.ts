import type { INodeParameters } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator(4.5e7);
const { credential } = gateway;
const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ json: { row } }));
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const CONTINUES = { onError: 'continueRegularOutput' } as const;
const paid = () =>
	gateway.emulator.journal.entries().filter(({ method, status }) => method === 'POST' && status === 200);
const failedItems = (items: Array<{ json: object }>) => items.filter(({ json }) => 'error' in json);

const chat = (options: INodeParameters, settings: object = {}) =>
	oneNode(
		'chat',
		{ operation: 'chatCompletion', model: byId('aurora-4'), prompt: '={{ "Row " + $json.row }}', options },
		settings,
	);

describe('Spending Limits', () => {
	it.each([undefined, 1, 7, 50, 100])(
		'sends no request too many with Parallel Requests %s, whatever the gateway refuses',
		async (parallelRequests) => {
			gateway.emulator.behaviour.set('POST /v1/*', {
				latencyMs: [1, 20],
				faults: [{ kind: 'status', status: 400, times: 8, skip: 5, body: { error: { message: 'No.' } } }],
			});
			const options = { parallelRequests, maxRunRequests: 40 };
			const { items } = await runWorkflow(chat(options, CONTINUES), {
				credential: credential(),
				input: rows(120),
			});
			expect(paid()).toHaveLength(40);
			expect(items).toHaveLength(120);
			const failures = failedItems(items).map(({ json }) => (json as { error: string }).error);
			const atLimit = failures.filter((message) => message.startsWith('Max Requests (40) is reached'));
			expect(atLimit).toHaveLength(72);
			expect(new Set(atLimit)).toEqual(new Set(['Max Requests (40) is reached: 40 of 120 items done']));
			expect(gateway.emulator.journal.count()).toBe(48);
		},
	);

	it('leaves failures that say so, and a retry with a higher limit goes on from there', async () => {
		const run = { credential: credential(), input: rows(6) };
		const failed = await runWorkflow(chat({ parallelRequests: 1, maxRunRequests: 4 }), run);
		expect(failed.error?.message).toContain('Max Requests (4) is reached: 4 of 6 items done [item 4]');
		expect(failed.error?.description).toContain('in Spending Limits');
		expect(paid()).toHaveLength(4);
		const { items } = await retryRun(chat({ maxRunRequests: 10 }), failed, run);
		expect(failedItems(items)).toEqual([]);
		expect(paid()).toHaveLength(6);
	});

	it('stops at the tokens that answers have used', async () => {
		const options = { parallelRequests: 1, maxRunTokens: 300 };
		const { items } = await runWorkflow(chat(options, CONTINUES), {
			credential: credential(),
			input: rows(30),
		});
		const tokens = items.map(({ json }) => Number(json.totalTokens ?? 0));
		const used = tokens.reduce((sum, count) => sum + count, 0);
		expect(used).toBeGreaterThanOrEqual(300);
		expect(used - Math.max(...tokens)).toBeLessThan(300);
		expect(failedItems(items).length).toBeGreaterThan(0);
	});

	it.each<[string, INodeParameters]>([
		[
			'image',
			{
				operation: 'generate',
				model: byId('image-2'),
				prompt: '={{ "Row " + $json.row }}',
				downloadImages: false,
			},
		],
		[
			'speech',
			{
				operation: 'create',
				model: byId('svc-tts'),
				text: '={{ "Row number " + $json.row }}',
				voice: byId('Anders'),
			},
		],
		[
			'music',
			{
				operation: 'generate',
				model: byId('music-v5'),
				prompt: '={{ "A song about row " + $json.row }}',
				waitForCompletion: false,
			},
		],
		['utilities', { operation: 'worldNews', encoding: 'json' }],
	])('are never exceeded by %s', async (type, parameters) => {
		const workflow = oneNode(
			type,
			{ ...parameters, options: { parallelRequests: 10, maxRunRequests: 3 } },
			CONTINUES,
		);
		const { items } = await runWorkflow(workflow, { credential: credential(), input: rows(10) });
		const kinds = failedItems(items).map(
			({ json }) => (json as { details?: { kind: string } }).details?.kind,
		);
		expect(kinds).toEqual(kinds.map(() => 'spendingLimit'));
		expect(kinds).toHaveLength(7);
		const charged = type === 'utilities' ? gateway.emulator.journal.entries() : paid();
		expect(charged).toHaveLength(3);
	});
});

describe('Max Cost', () => {
	const image = { created: 1, data: [{ b64_json: 'R0lGODlhAQABAAAAACw=' }], usage: { cost: 0.5 } };
	const vectors = { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 3, cost: 0.5 } };
	const scores = {
		results: [{ index: 0, relevance_score: 0.5 }],
		usage: { total_tokens: 3, cost: { total_cost: 0.5 } },
	};

	it.each([
		[
			'image',
			'images/generations',
			image,
			{ operation: 'generate', model: byId('image-2'), prompt: '={{ "Row " + $json.row }}' },
		],
		[
			'embed',
			'embeddings',
			vectors,
			{ operation: 'embedText', model: byId('embed-text-3'), text: '={{ "Row " + $json.row }}' },
		],
		[
			'rerank',
			'rerank',
			scores,
			{
				operation: 'rerankList',
				model: byId('rerank-2'),
				query: '={{ "Row " + $json.row }}',
				documents: '=["one"]',
			},
		],
	])('counts the cost that answers to %s report', async (type, path, body, parameters) => {
		gateway.emulator.behaviour.set(`POST /v1/${path}`, {
			faults: [{ kind: 'status', status: 200, body, times: 9 }],
		});
		const options = { parallelRequests: 1, batchSize: 1, maxRunCost: 1 };
		const workflow = oneNode(type, { ...parameters, options }, CONTINUES);
		const { items, hints } = await runWorkflow(workflow, { credential: credential(), input: rows(4) });
		expect(gateway.emulator.journal.count(`POST /v1/${path}`)).toBe(2);
		expect(failedItems(items)).toHaveLength(2);
		expect(hints.join(' ')).toContain('Cost reported by the gateway: 1.');
	});
});

describe('Spending Limits at a gateway that refuses and fails', () => {
	const busy = (times: number, skip = 0) => ({
		kind: 'status' as const,
		status: 429,
		headers: { 'retry-after': '1' },
		times,
		skip,
	});

	it.each([
		[1, 1, 1],
		[1, 3, 0],
		[5, 10, 0],
		[undefined, 10, 0],
		[undefined, 3, 10],
	])(
		'ends, with Parallel Requests %s and %i refusals after %i requests',
		async (parallelRequests, times, skip) => {
			gateway.emulator.behaviour.set('POST /v1/*', { faults: [busy(times, skip)] });
			const options = { parallelRequests, maxRunRequests: 12 };
			const { items } = await runWorkflow(chat(options, CONTINUES), {
				credential: credential(),
				input: rows(30),
			});
			expect(items).toHaveLength(30);
			expect(failedItems(items)).toHaveLength(18);
			expect(paid()).toHaveLength(12);
		},
	);

	it('counts a request as paid each time it is repeated although its outcome is unclear', async () => {
		gateway.emulator.behaviour.set('POST /v1/*', {
			faults: [{ kind: 'status', status: 504, times: 5, carriedOut: true }],
		});
		const options = { parallelRequests: 3, retryUnclear: true, maxRunRequests: 10 };
		const { items } = await runWorkflow(chat(options, CONTINUES), {
			credential: credential(),
			input: rows(20),
		});
		expect(gateway.emulator.journal.count()).toBe(10);
		const kinds = failedItems(items).map(({ json }) => (json as { details: { kind: string } }).details.kind);
		expect(kinds).toEqual(Array.from({ length: 15 }, () => 'spendingLimit'));
	});

	it('holds for all tries of Retry On Fail together, and not for a retry of the execution', async () => {
		gateway.emulator.behaviour.set('POST /v1/*', {
			faults: [{ kind: 'status', status: 400, body: { error: { message: 'No.' } }, skip: 3, times: 1 }],
		});
		const run = { credential: credential(), input: rows(12) };
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const options = { parallelRequests: 1, maxRunRequests: 5 };
		const failed = await runWorkflow(chat(options, settings), run);
		expect(failed.error?.message).toContain('Max Requests (5)');
		expect(paid()).toHaveLength(5);
		await retryRun(chat(options), failed, { ...run, executionId: '4500001' });
		expect(paid()).toHaveLength(10);
	});
});
