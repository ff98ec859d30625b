import { getEventListeners } from 'node:events';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { Emulator, JournalEntry } from '../../../emulator';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import type { FaultCase } from './faults';
import type { FaultServers } from './faultServers';
import type { OperationCase } from './operations';

/** How long a fault lasts: for one request, or for all of them. */
export type Duration = 'once' | 'always';

/** The outcome of one run under one fault. */
export interface Outcome {
	/** `works`, `still waiting`, or the kind of the failure. */
	result: string;
	/** How many requests reached the emulator. */
	requests: number;
	/** Promises that did not hold; there should be none. */
	broken: string[];
}

const MAX_RETRIES = 2;
/** In the nodes' time, for faults that end by themselves. */
const PATIENCE_SECONDS = 300;
/** In real time. Only a guard, far away: on a busy machine, unpacking a bomb three times may take a minute. */
const HANG_MS = 300_000;
/** Statuses after which a request may have been carried out. */
const DOUBTFUL_STATUSES = [408, 502, 504];
/** Faults after which the answer to a paid request can still be used, or at least read as text. */
const ARRIVED = [null, 'wrongContentType', 'drip', 'invalidUtf8', 'truncatedJson', 'deepJson'];

let runs = 0;

/** Runs an operation under a fault and checks the promises of the package. */
export async function runCell(
	operation: OperationCase,
	fault: FaultCase,
	duration: Duration,
	emulator: Emulator,
	servers: FaultServers,
): Promise<Outcome> {
	await readPendingRequests();
	emulator.journal.clear();
	emulator.behaviour.reset();
	const rule = fault.fault?.({ emulator, servers });
	const times = duration === 'always' ? 'always' : 1;
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	const pattern = operation.route ?? '/*';
	if (rule) emulator.behaviour.set(pattern, { faults: [{ ...rule, times }] });

	const address = fault.credential?.({ emulator, servers }) ?? { baseUrl: emulator.url };
	// A different rate makes each run's credential a different one, so that nothing is learned from earlier runs.
	const credential = { ...address, apiKey: emulator.apiKey, requestsPerMinute: 1e8 + ++runs };
	const broken: string[] = [];
	const result = await attempt(operation, fault, credential, emulator, broken);
	if (!result) return { result: 'no result', requests: emulator.journal.count(), broken };

	const entries = emulator.journal.entries();
	const failure = failureOf(result, operation, broken);
	if (hasRepeatedPaid(entries, operation)) broken.push('a paid request was repeated');
	if (failure && !keepsPaid(failure.details, entries)) broken.push('a paid result was lost');
	return {
		result: failure ? (failure.details.kind as string) : isUnfinished(result) ? 'still waiting' : 'works',
		requests: entries.length,
		broken,
	};
}

/** Turns of the event loop in which a server accepts a connection and reads the request in it, with some to spare. */
const TURNS_TO_READ = 10;

/**
 * On a busy machine, a run may give up a request before the emulator, which is in the same process, has read it. The
 * request must not count for the next run.
 */
async function readPendingRequests(): Promise<void> {
	for (let turn = 0; turn < TURNS_TO_READ; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function attempt(
	{ node, resource, operation, parameters, input, connections = {} }: OperationCase,
	{ timeoutSeconds = PATIENCE_SECONDS }: FaultCase,
	credential: ICredentialDataDecryptedObject,
	emulator: Emulator,
	broken: string[],
): Promise<RunResult | undefined> {
	const own = (parameters.options ?? {}) as object;
	const options = { ...own, maxRetries: MAX_RETRIES, timeoutSeconds };
	const chosen = { ...(resource ? { resource } : {}), ...(operation ? { operation } : {}) };
	const all = { ...chosen, ...parameters, options };
	const workflow = { ...oneNode(node, all, { onError: 'continueRegularOutput' }), connections };
	let signal: AbortSignal | undefined;
	let timer: NodeJS.Timeout | undefined;
	const running = runWorkflow(workflow, {
		credential,
		input: input?.(emulator),
		onStart: (_cancel, itsSignal) => (signal = itsSignal),
	});
	const hang = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), HANG_MS);
	});
	try {
		const result = await Promise.race([running, hang]);
		if (!result) broken.push('the run hangs');
		else if (signal && getEventListeners(signal, 'abort').length > 0) broken.push('a listener was left');
		return result;
	} catch (error) {
		broken.push(error instanceof Error ? error.message : String(error));
		return undefined;
	} finally {
		clearTimeout(timer);
	}
}

interface Failure {
	message: string;
	details: IDataObject;
}

/** The failure of the first item that failed. It must be a GatewayFailure with words. */
function failureOf(
	{ outputs, error }: RunResult,
	{ findsNothing = false }: OperationCase,
	broken: string[],
): Failure | undefined {
	const items = outputs.flat();
	if (error) {
		broken.push(`the node does not continue: ${error.message}`);
		return { message: error.message, details: { kind: 'stopped' } };
	}
	const failed = items.find(({ json }) => 'error' in json && 'details' in json);
	if (!failed) {
		if (items.length === 0 && !findsNothing) broken.push('neither a result nor a failure');
		return undefined;
	}
	const { error: message, details } = failed.json as unknown as { error: string; details: IDataObject };
	// Any other error becomes a failure of kind "input" with the message of that error.
	if (details.kind === 'input') broken.push(`an unexpected failure: ${message}`);
	if (!message || !details.description) broken.push('a failure without words');
	return { message, details };
}

/** Whether a task continues after the run. That is not a failure, because its ID is in the output. */
function isUnfinished({ outputs, run }: RunResult): boolean {
	return run.waitTill !== undefined || outputs.flat().some(({ json }) => json.timedOut === true);
}

/** Whether a POST was sent again although the previous one may have been carried out. */
function hasRepeatedPaid(entries: JournalEntry[], { creates }: OperationCase): boolean {
	const seen = new Map<string, JournalEntry>();
	for (const entry of entries.filter(({ method }) => method === 'POST')) {
		const identity = JSON.stringify([entry.path, entry.body]);
		const before = seen.get(identity);
		if (before && mayHaveBeenCarriedOut(before, creates)) return true;
		seen.set(identity, entry);
	}
	return false;
}

function mayHaveBeenCarriedOut({ status, fault }: JournalEntry, creates = false): boolean {
	if (status === null || status < 300 || DOUBTFUL_STATUSES.includes(status)) return true;
	return status === 500 && (creates || fault === 'html');
}

/** Whether a failure keeps something of each answer that was paid for and arrived. */
function keepsPaid({ partial, taskId }: IDataObject, entries: JournalEntry[]): boolean {
	const arrived = entries.some(
		({ method, status, fault, closedByClient }) =>
			method === 'POST' && status === 200 && ARRIVED.includes(fault) && !closedByClient,
	);
	return !arrived || taskId !== undefined || partial !== undefined;
}
