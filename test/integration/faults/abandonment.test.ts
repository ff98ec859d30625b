import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startEmulator, type Emulator, type Rule } from '../../../emulator';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { runPool } from '../../../nodes/shared/runtime/pool';
import { operationCases, type OperationCase } from './operations';
import { titleOf } from './report';

/** A moment at which a run is stopped. */
interface Stage {
	name: string;
	rule: Rule;
	/** Resolves as soon as a run is in this stage. */
	reached(emulator: Emulator): Promise<unknown>;
	/** Default: no limit. */
	requestsPerMinute?: number;
}

/** Time for requests to arrive that were sent together with the first one or follow its answer. */
const MOMENT_MS = 50;
const firstRequest = async ({ journal }: Emulator) => {
	await journal.until(1);
	await pause(MOMENT_MS);
};
const firstAnswer = async ({ journal }: Emulator) => {
	await journal.until(1, ({ finishedAt }) => finishedAt !== null);
	await pause(MOMENT_MS);
};
const always = (fault: NonNullable<Rule['faults']>[number]): Rule => ({
	faults: [{ ...fault, times: 'always' }],
	music: { pendingMs: 0, processingMs: 600_000 },
});

const STAGES: Stage[] = [
	{ name: 'waiting for an answer', rule: always({ kind: 'stall' }), reached: firstRequest },
	{
		name: 'reading an answer',
		rule: always({ kind: 'stall', afterBytes: 20 }),
		reached: async ({ journal }) => {
			await journal.until(1, ({ status }) => status !== null);
			await pause(MOMENT_MS);
		},
	},
	{
		name: 'waiting for a retry',
		rule: always({ kind: 'status', status: 503, headers: { 'retry-after': '60' } }),
		reached: firstAnswer,
	},
	{
		name: 'pausing for a rate limit',
		rule: always({ kind: 'status', status: 429, headers: { 'retry-after': '60' } }),
		reached: firstAnswer,
	},
	{
		name: 'after the first answer',
		rule: { music: { pendingMs: 0, processingMs: 600_000 } },
		reached: firstAnswer,
		requestsPerMinute: 1,
	},
];
/** A guard in milliseconds, far above what stopping takes; a run that continues takes a minute or more in any stage. */
const STOPS_WITHIN = 30_000;
const CHECK_INTERVAL_MS = 100;
const CHECKS = 300;
const AT_ONCE = 12;

let emulators: Emulator[];
let rate = 4e8;
const broken: string[] = [];
let timersBefore = 0;

beforeAll(async () => {
	emulators = await Promise.all(
		Array.from(
			{ length: AT_ONCE },
			async (_, index) => await startEmulator({ apiKey: `canary-key-${index}-0123456789` }),
		),
	);
}, 60_000);
afterAll(async () => await Promise.all(emulators.map(async (emulator) => await emulator.close())));

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Stops one run in one stage. @returns what it left behind */
async function abandon(operation: OperationCase, stage: Stage, emulator: Emulator): Promise<string[]> {
	emulator.behaviour.reset();
	emulator.journal.clear();
	emulator.behaviour.set('/*', stage.rule);
	const { node, resource, operation: value, parameters, input, connections = {} } = operation;
	const chosen = { ...(resource ? { resource } : {}), ...(value ? { operation: value } : {}) };
	const workflow = { ...oneNode(node, { ...chosen, ...parameters }), connections };
	const items = input?.(emulator) ?? [{ json: {} }];
	let cancel = () => {};
	let signal: AbortSignal | undefined;
	// Learned rates are kept per credential, so each run uses a different rate.
	rate += 1;
	const requestsPerMinute = stage.requestsPerMinute ? stage.requestsPerMinute + rate * 1e-12 : rate;
	const running = runWorkflow(workflow, {
		credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute },
		input: [...items, ...items],
		onStart: (stop, itsSignal) => {
			cancel = stop;
			signal = itsSignal;
		},
	}).catch((error: Error) => error);
	const isReached = stage.reached(emulator).then(
		() => true,
		() => false,
	);
	const reachedOrOver = await Promise.race([isReached, running.then(() => true)]);
	const stoppedAt = performance.now();
	let followed = 0;
	const { host } = new URL(emulator.url);
	const onRequest = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		if (request.getHeader('host') === host) followed += 1;
	};
	// Counted at the client, because requests that were sent earlier may still arrive.
	subscribe('http.client.request.start', onRequest);
	cancel();
	const outcome = await running;
	const left: string[] = [];
	if (!reachedOrOver) left.push('it did not reach this stage');
	if (outcome instanceof Error && /leaked/.test(outcome.message)) left.push(outcome.message);
	if (performance.now() - stoppedAt > STOPS_WITHIN) left.push('it continues');
	await pause(CHECK_INTERVAL_MS);
	unsubscribe('http.client.request.start', onRequest);
	if (followed > 0) left.push('a request followed');
	// The emulator notices a closed connection a little later, and earlier requests may not have arrived yet.
	const open = () => emulator.journal.count(({ finishedAt }) => finishedAt === null);
	for (let checks = 0; open() > 0 && checks < CHECKS; checks++) await pause(CHECK_INTERVAL_MS);
	if (open() > 0) left.push('a connection remains open');
	if (signal && getEventListeners(signal, 'abort').length > 0) left.push('a listener remains');
	return left;
}

describe('A stopped run', () => {
	it('sends nothing more and leaves nothing behind, in any stage of any operation', async () => {
		timersBefore = timers();
		const jobs = operationCases
			.filter(({ sharesReader = false }) => !sharesReader)
			.flatMap((operation) => STAGES.map((stage) => ({ operation, stage })));
		const runJob = async ({ operation, stage }: (typeof jobs)[number]) => {
			const emulator = emulators.pop()!;
			const left = await abandon(operation, stage, emulator);
			broken.push(...left.map((what) => `${titleOf(operation)}, ${stage.name}: ${what}`));
			emulators.push(emulator);
		};
		await runPool(jobs, runJob, { concurrency: AT_ONCE });
		expect(broken).toEqual([]);
	}, 600_000);

	it('leaves no timer behind', async () => {
		// The emulator's own timers run for up to five seconds.
		for (let waits = 0; timers() > timersBefore && waits < 600; waits++) await pause(50);
		expect(timers()).toBeLessThanOrEqual(timersBefore);
	}, 60_000);
});

describe('Memory', () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const ITEMS_PER_RUN = 500;
	const RUNS = 4;
	/** In bytes; far below the memory of one item in progress times the number of items. */
	const MAX_GROWTH = 4_000_000;

	const subjects = [
		{ node: 'chat', operation: 'chatCompletion' },
		{ node: 'chat', operation: 'chatCompletion', variant: 'streamed' },
		{ node: 'embed', operation: 'embedText' },
		{ node: 'speech', operation: 'create' },
		{ node: 'utilities', operation: 'quote' },
	].map(({ node, operation, variant }) =>
		operationCases.find(
			(one) => one.node === node && one.operation === operation && one.variant === variant,
		)!,
	);

	it.each(subjects.map((subject) => ({ title: titleOf(subject), ...subject })))(
		'does not grow over 2,000 items of $title',
		async ({ node, operation, resource, parameters }) => {
			const [emulator] = emulators;
			emulator.behaviour.reset();
			const chosen = { ...(resource ? { resource } : {}), operation };
			const options = { maxConcurrency: 20 };
			const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: ++rate };
			const used: number[] = [];
			for (let run = 0; run <= RUNS; run++) {
				const input = Array.from({ length: ITEMS_PER_RUN }, (_, index) => ({
					json: { text: `${run} ${index}` },
				}));
				const workflow = oneNode(node, { ...chosen, ...parameters, options });
				const { error } = await runWorkflow(workflow, { credential, input });
				expect(error).toBeUndefined();
				emulator.journal.clear();
				await pause(10);
				collect();
				used.push(process.memoryUsage().heapUsed);
			}
			// The first run fills caches.
			expect(used[RUNS] - used[1]).toBeLessThan(MAX_GROWTH);
		},
		600_000,
	);
});
