import type { Rule } from '../../../emulator';
import { retryRun } from '../engine/retry';
import { chosen } from '../engine/chosen';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { runSubNode } from '../engine/runSubNode';
import { useEmulator } from '../engine/useEmulator';
import { useFastClock } from '../faults/fastClock';
import { LOST, paidOperations, workflowOf } from './paidOperations';

const HEADER = 'Idempotency-Key';
useFastClock(20);
const gateway = useEmulator({ idempotencyHeader: HEADER });
const credential = () => ({ ...gateway.credential(), idempotencyHeader: HEADER });

const sent = () => gateway.emulator.journal.entries();
const keyOf = ({ headers }: { headers: Record<string, unknown> }) => headers[HEADER.toLowerCase()];
const keys = () =>
	sent()
		.filter(({ method }) => method === 'POST')
		.map(keyOf);
const payments = () => gateway.emulator.journal.count((entry) => entry.method === 'POST' && entry.carriedOut);
const fail = (...faults: NonNullable<Rule['faults']>) =>
	gateway.emulator.behaviour.set('POST /*', { faults });

/** One of each node, and what sends several requests. */
const OPERATIONS = paidOperations.filter(
	({ node, variant }, index) =>
		variant === 'two parts, joined' || paidOperations.findIndex((one) => one.node === node) === index,
);

describe('The idempotency key', () => {
	it.each(OPERATIONS)(
		'lets the gateway charge once for each request of $title, also in a retry',
		async (operation) => {
			fail(
				LOST,
				{ kind: 'status', status: 504, carriedOut: true },
				{ kind: 'resetBeforeHeaders', carriedOut: true },
			);
			const input = operation.input?.(gateway.emulator);
			const options = { credential: credential(), input };
			const parts = operation.variant === 'two parts, joined' ? 2 : 1;
			const workflow = workflowOf(operation, { maxRetries: 0, parallelRequests: 1 });
			const failed = await runWorkflow(workflow, { ...options, executionId: 'first' });
			expect(keys()).toHaveLength(1);
			const retried = await retryRun(workflowOf(operation), failed, { ...options, executionId: 'second' });
			expect(retried.error).toBeUndefined();
			expect([keys().length, payments()]).toEqual([3 + parts, parts]);
			// All attempts of a request have the same key, and each request has another one.
			expect(new Set(keys()).size).toBe(parts);
			expect(keys().every((key) => /^[\da-f-]{36}$/.test(String(key)))).toBe(true);
		},
	);

	it('is in the requests of the sub-nodes', async () => {
		fail(LOST);
		const { error } = await runSubNode(
			'embeddingsModel',
			{ model: chosen('embedding-3-small'), options: {} },
			async (model: { embedQuery(text: string): Promise<number[]> }) => await model.embedQuery('The sky'),
			{ credential: credential() },
		);
		expect(error).toBeUndefined();
		expect([keys().length, new Set(keys()).size, payments()]).toEqual([2, 1, 1]);
	});

	it.each([
		['of utilities, which are charged for as well', 'utilities', { operation: 'aiNews' }, [true]],
		[
			'of songs, but not when they are polled and downloaded',
			'music',
			{ files: ['audio', 'cover'] },
			undefined,
		],
		['of images, but not when they are downloaded', 'image', { size: '512' }, [true, false]],
		['of nothing that only reads', 'account', { operation: 'getManyModels', returnAll: true }, [false]],
	])('is in the requests %s', async (_what, node, parameters, hasKey) => {
		gateway.emulator.behaviour.set('POST /*', { music: { pendingMs: 0, processingMs: 0 } });
		const model = chosen(node === 'music' ? 'music-v5' : 'image-2');
		const all = { operation: 'generate', model, prompt: 'A fox', ...parameters };
		await runWorkflow(oneNode(node, all), { credential: credential() });
		const [first, ...others] = sent().map((entry) => keyOf(entry) !== undefined);
		expect([first, ...new Set(others)]).toEqual(hasKey ?? [true, false]);
	});
});
