import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import type { ClientRequest } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@n8n/backend-common';
import type { Rule } from '../../../emulator';
import { chosen } from '../engine/chosen';
import { eventually } from '../engine/eventually';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { onePerReader, titleOf, workflowOf } from './operations';

const gateway = useEmulator();
const TEXT = '={{ $json.text }}';
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const always = (fault: NonNullable<Rule['faults']>[number]): Rule => ({
	faults: [{ ...fault, times: 'always' }],
	music: { pendingMs: 0, processingMs: 600_000 },
});
/** The moments in which a connection is open; the simulation stops a run in all others. */
const STAGES: Record<string, Rule> = {
	'waiting for an answer': always({ kind: 'stall' }),
	'reading an answer': always({ kind: 'stall', afterBytes: 20 }),
};
const CASES = onePerReader.flatMap((operation) =>
	Object.keys(STAGES).map((stage) => ({ operation, stage, title: titleOf(operation) })),
);
/** Time for requests to arrive that were sent together with the first one or follow its answer. */
const MOMENT_MS = 50;

describe('A stopped run', () => {
	let timersBefore = 0;
	beforeAll(async () => {
		// Some engines start a timer of their own with their first execution.
		await runWorkflow(oneNode('account', { operation: 'getSubscription' }), { credential: {} });
		timersBefore = timers();
	});

	it.each(CASES)(
		'of $title, $stage: sends nothing more, leaves nothing open',
		async ({ operation, stage }) => {
			const { journal, behaviour, url } = gateway.emulator;
			behaviour.set('/*', STAGES[stage]);
			// A run that went on would send another request, or wait longer than this test.
			const workflow = workflowOf(operation, { options: { timeoutSeconds: 86_400 } });
			const items = operation.input?.(gateway.emulator) ?? [{ json: {} }];
			let cancel = () => {};
			let signal: AbortSignal | undefined;
			const running = runWorkflow(workflow, {
				credential: gateway.credential(),
				input: [...items, ...items],
				onStart: (stop, itsSignal) => {
					cancel = stop;
					signal = itsSignal;
				},
			}).catch(() => undefined);
			const isReached =
				stage === 'reading an answer' ? ({ status }: { status: number | null }) => status !== null : '/*';
			await journal.until(1, isReached);
			await pause(MOMENT_MS);
			let followed = 0;
			const { host } = new URL(url);
			const onRequest = (message: unknown) => {
				const { request } = message as { request: ClientRequest };
				if (request.getHeader('host') === host) followed += 1;
			};
			// Counted at the client, because requests that were sent earlier may still arrive.
			subscribe('http.client.request.start', onRequest);
			cancel();
			await running;
			await pause(MOMENT_MS);
			unsubscribe('http.client.request.start', onRequest);
			expect(followed).toBe(0);
			// The emulator notices a closed connection a little later.
			await eventually(() => journal.count(({ finishedAt }) => finishedAt === null) === 0);
			expect(getEventListeners(signal!, 'abort')).toEqual([]);
		},
	);

	it('leaves no timer', async () => {
		// Those of the emulator run for up to five seconds.
		await eventually(() => timers() <= timersBefore);
	});
});

it.each<[string, INodeParameters]>([
	['chat', { operation: 'chatCompletion', model: chosen('aurora-4'), prompt: TEXT }],
	['chat', { operation: 'chatCompletion', model: chosen('aurora-4'), prompt: TEXT, output: 'columns' }],
	['embed', { operation: 'embedText', model: chosen('embedding-3-small'), text: TEXT }],
	['rerank', { operation: 'rerankInputItems', model: chosen('reranker-v2-m3'), text: TEXT, query: 'Row' }],
])(
	'The log of a stopped execution names finished and possibly paid items, not their texts: %s (case %#)',
	async (type, own) => {
		const warnings: string[] = [];
		jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => void warnings.push(message));
		// The answers to rows 1 and 2 arrive; those to rows 3 and 4 do not.
		gateway.emulator.behaviour.set('POST /*', { faults: [{ kind: 'stall', skip: 2, times: 'always' }] });
		const options = { parallelRequests: 2, ...(type === 'chat' ? {} : { batchSize: 1 }) };
		let cancel = () => {};
		const running = runWorkflow(oneNode(type, { ...own, options }), {
			credential: gateway.credential(),
			input: [0, 1, 2, 3].map((row) => ({ json: { text: `Row ${row}`, name: 'Alice' } })),
			onStart: (stopIt) => (cancel = stopIt),
		}).catch(() => undefined);
		await gateway.emulator.journal.until(4, 'POST /*');
		cancel();
		await running;
		await eventually(() => warnings.length > 0);
		expect(warnings).toEqual([
			'"Node" (execution test-execution): The execution was stopped. Finished and paid for: rows 1–2. In progress, and possibly paid for: rows 3–4.',
		]);
		jest.restoreAllMocks();
	},
);
