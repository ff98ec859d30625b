import type { INodeParameters } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator(4.5e7);
const { credential } = gateway;
const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ json: { row } }));
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const ceiling = (limits: INodeParameters) => ({ runCeiling: { limits } });
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

describe('Run Ceiling', () => {
	it.each([0, 1, 7, 50, 100])(
		'sends no request too many with Max Concurrency %i, whatever the gateway refuses',
		async (maxConcurrency) => {
			gateway.emulator.behaviour.set('POST /v1/*', {
				latencyMs: [1, 20],
				faults: [{ kind: 'status', status: 400, times: 8, skip: 5, body: { error: { message: 'No.' } } }],
			});
			const options = { maxConcurrency, ...ceiling({ maxRequests: 40 }) };
			const { items } = await runWorkflow(chat(options, CONTINUES), {
				credential: credential(),
				input: rows(120),
			});
			expect(paid()).toHaveLength(40);
			expect(items).toHaveLength(120);
			const failures = failedItems(items).map(
				({ json }) => (json as { details: { kind: string } }).details.kind,
			);
			expect(failures.filter((kind) => kind === 'ceiling')).toHaveLength(72);
			expect(gateway.emulator.journal.count()).toBe(48);
		},
	);

	it('leaves failures that say so, and a retry with a higher ceiling goes on from there', async () => {
		const run = { credential: credential(), input: rows(6) };
		const failed = await runWorkflow(chat({ maxConcurrency: 1, ...ceiling({ maxRequests: 4 }) }), run);
		expect(failed.error?.message).toContain(
			'The run has reached Max Requests (4), so this item was not sent [item 4]',
		);
		expect(failed.error?.description).toContain('under Run Ceiling');
		expect(paid()).toHaveLength(4);
		const { items } = await retryRun(chat({ ...ceiling({ maxRequests: 10 }) }), failed, run);
		expect(failedItems(items)).toEqual([]);
		expect(paid()).toHaveLength(6);
	});

	it('stops at the tokens that answers have used', async () => {
		const options = { maxConcurrency: 1, ...ceiling({ maxTokens: 300 }) };
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

	it.each([
		[
			'image',
			{
				operation: 'generate',
				model: byId('image-2'),
				prompt: '={{ "Row " + $json.row }}',
				downloadImages: false,
			},
			{ maxCost: 1, pricePerRequest: 0.3 },
			3,
		],
		[
			'speech',
			{
				operation: 'create',
				model: byId('svc-tts'),
				text: '={{ "Row number " + $json.row }}',
				voice: byId('Anders'),
			},
			{ maxCost: 0.1, pricePerThousandCharacters: 2 },
			4,
		],
		[
			'music',
			{
				operation: 'generate',
				model: byId('music-v5'),
				prompt: '={{ "A song about row " + $json.row }}',
				waitForCompletion: false,
			},
			{ maxCost: 2, pricePerRequest: 1 },
			2,
		],
		['utilities', { resource: 'news', operation: 'worldNews', encoding: 'json' }, { maxRequests: 3 }, 3],
	])('is never exceeded by %s', async (type, parameters, limits, expected) => {
		const workflow = oneNode(
			type,
			{ ...parameters, options: { maxConcurrency: 10, ...ceiling(limits) } },
			CONTINUES,
		);
		const { items } = await runWorkflow(workflow, { credential: credential(), input: rows(10) });
		const kinds = failedItems(items).map(
			({ json }) => (json as { details?: { kind: string } }).details?.kind,
		);
		expect(kinds).toEqual(kinds.map(() => 'ceiling'));
		expect(kinds).toHaveLength(10 - expected);
		const charged = type === 'utilities' ? gateway.emulator.journal.entries() : paid();
		expect(charged).toHaveLength(expected);
	});
});
