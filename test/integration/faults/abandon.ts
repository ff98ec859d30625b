import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Emulator, Rule } from '../../../emulator';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { withEmulators } from './emulators';
import { operationCases, type OperationCase } from './operations';
import { titleOf } from './operationCase';

/** A moment at which a run is stopped; those in which no connection is open are simulated. */
interface Stage {
	name: string;
	rule: Rule;
	/** Resolves as soon as a run is in this stage. */
	reached(emulator: Emulator): Promise<unknown>;
}

/** Time for requests to arrive that were sent together with the first one or follow its answer. */
const MOMENT_MS = 50;
const firstRequest = async ({ journal }: Emulator) => {
	await journal.until(1);
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
];
const CHECK_INTERVAL_MS = 20;
/** A run that continues sends another request sooner or later, or waits for an answer longer than the guard. */
const TIMEOUT_SECONDS = 86_400;
/** Far above what stopping takes on any machine. */
const GUARD_MS = 300_000;
const AT_ONCE = 12;

let rate = 4e8;

/** Stops runs of operations, each in every stage. @returns what they left behind, in words */
export async function abandonAll(operations: readonly OperationCase[]): Promise<string[]> {
	const jobs = operations.flatMap((operation) => STAGES.map((stage) => ({ operation, stage })));
	const left = await withEmulators(jobs, AT_ONCE, async ({ operation, stage }, emulator) => {
		const ofRun = await abandon(operation, stage, emulator);
		return ofRun.map((what) => `${titleOf(operation)}, ${stage.name}: ${what}`);
	});
	return left.flat();
}

/** The operations that differ in how they wait for answers. */
export const abandonable = operationCases.filter(({ sharesReader = false }) => !sharesReader);

/** Stops one run in one stage. @returns what it left behind */
async function abandon(operation: OperationCase, stage: Stage, emulator: Emulator): Promise<string[]> {
	emulator.behaviour.reset();
	emulator.journal.clear();
	emulator.behaviour.set('/*', stage.rule);
	const { node, operation: value, parameters, input } = operation;
	const options = { ...(parameters.options as object), timeoutSeconds: TIMEOUT_SECONDS };
	const workflow = oneNode(node, { operation: value, ...parameters, options });
	const items = input?.(emulator) ?? [{ json: {} }];
	let cancel = () => {};
	let signal: AbortSignal | undefined;
	// Learned rates are kept per credential, so each run uses a different rate.
	rate += 1;
	const running = runWorkflow(workflow, {
		credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: rate },
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
	let followed = 0;
	const { host } = new URL(emulator.url);
	const onRequest = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		if (request.getHeader('host') === host) followed += 1;
	};
	// Counted at the client, because requests that were sent earlier may still arrive.
	subscribe('http.client.request.start', onRequest);
	cancel();
	const outcome = await Promise.race([running, pause(GUARD_MS, 'it continues' as const, { ref: false })]);
	const left: string[] = [];
	if (!reachedOrOver) left.push('it did not reach this stage');
	if (outcome instanceof Error && /leaked/.test(outcome.message)) left.push(outcome.message);
	if (outcome === 'it continues') left.push(outcome);
	await pause(CHECK_INTERVAL_MS);
	unsubscribe('http.client.request.start', onRequest);
	if (followed > 0) left.push('a request followed');
	// The emulator notices a closed connection a little later, and earlier requests may not have arrived yet.
	const open = () => emulator.journal.count(({ finishedAt }) => finishedAt === null);
	for (let waited = 0; open() > 0 && waited < GUARD_MS; waited += CHECK_INTERVAL_MS) {
		await pause(CHECK_INTERVAL_MS);
	}
	if (open() > 0) left.push('a connection remains open');
	if (signal && getEventListeners(signal, 'abort').length > 0) left.push('a listener remains');
	return left;
}
