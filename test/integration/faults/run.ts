import { getEventListeners } from 'node:events';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { HIT_ROW, ROWS } from './batches';
import { removeStored, storedSizes } from './binaryStore';
import type { FaultCase } from './faultCase';
import type { FaultServers } from './faultServers';
import type { OperationCase } from './operationCase';
import type { Exchange } from './requestFates';
import type { SentAnswer, SentAnswers } from './sentAnswers';
import { BROKEN_HEADER } from './tlsFront';

/** Where a cell runs. */
export interface Place {
	/** Nobody else uses it meanwhile. */
	emulator: Emulator;
	servers: FaultServers;
	answers: SentAnswers;
}

/** What runs in a cell. */
export interface CellPlan {
	operation: OperationCase;
	/** Undefined to see the output without a fault. */
	fault: FaultCase | undefined;
	/** Names of the dialects in which the emulator answers; default: none. */
	dialect?: string[];
	/** How many requests the fault hits. */
	times: 1 | 'always';
	/** Whether many rows run, of which the fault hits one. */
	isBatch: boolean;
}

/** What happened in a cell. */
export interface CellRun {
	executionId: string;
	/** Undefined if there is none: the run hangs or throws. */
	result: RunResult | undefined;
	/** The requests that reached the emulator. */
	exchanges: Exchange[];
	/** The texts in the requests of each row; undefined for a run of a single row or of rows that share requests. */
	contents: string[] | undefined;
	/** Sizes of the files in n8n's binary store, in bytes. */
	stored: number[];
	/** Promises that did not hold. */
	broken: string[];
}

const MAX_RETRIES = 2;
/** In the nodes' time, for faults that end by themselves. */
const PATIENCE_SECONDS = 300;
/** In real time. Only guards, far away: on a busy machine, unpacking a bomb three times may take a minute. */
const HANG_MS = 300_000;
const ENDLESS_MS = 60_000;
const BATCH_PATIENCE = 10;
const CANCEL_MS = 10_000;

let runs = 0;

/** Runs an operation. */
export async function runPlan(plan: CellPlan, place: Place): Promise<CellRun> {
	const { operation, fault, dialect, times, isBatch } = plan;
	const { emulator, answers } = place;
	await readPendingRequests();
	emulator.journal.clear();
	emulator.voices.clear();
	answers.forget(emulator.port);
	emulator.behaviour.reset();
	const rows = isBatch
		? Array.from({ length: ROWS }, (_, index) => operation.batch!.row(index, emulator))
		: undefined;
	const hits = rows?.[HIT_ROW].content;
	const surroundings = { ...place, operation, times, hits };
	const rule = fault?.fault?.(surroundings);
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 }, ...operation.rule });
	const when = hits === undefined ? {} : { when: hits };
	if (rule) emulator.behaviour.set(operation.route ?? '/*', { faults: [{ ...rule, ...when, times }] });
	if (dialect) emulator.behaviour.set(operation.route ?? '/*', { dialect });

	runs += 1;
	const executionId = `cell-${runs}`;
	const address = fault?.credential?.(surroundings) ?? { baseUrl: emulator.url };
	const broken: string[] = [];
	const result = await attempt(plan, {
		// A different rate makes each run's credential a different one, so that nothing is learned from earlier runs.
		credential: { ...address, apiKey: emulator.apiKey, requestsPerMinute: 1e8 + runs },
		input: rows ? rows.map(({ item }) => item) : operation.input?.(emulator),
		executionId,
		broken,
	});
	const stored = await storedSizes(executionId);
	return {
		executionId,
		result,
		exchanges: exchangesOf(place, fault),
		contents: rows?.map(({ content }) => content),
		stored,
		broken,
	};
}

/** Deletes what a run has left in n8n's binary store. */
export async function forgetFiles({ executionId }: CellRun): Promise<void> {
	await removeStored(executionId);
}

function exchangesOf({ emulator, answers }: Place, fault: FaultCase | undefined): Exchange[] {
	const sent = answers.of(emulator.port);
	return emulator.journal.entries().map((entry, index) => {
		const isHidden = BROKEN_HEADER in entry.headers || (entry.fault !== null && fault?.hidesAnswer);
		const answer = isHidden ? undefined : sent[index];
		return { entry, answer: answer && !answer.isComplete && fault?.neverEnds ? certainPart(answer) : answer };
	});
}

/** The end of an endless answer is still under way when the client gives up. */
function certainPart({ beginning, digest, isComplete }: SentAnswer): SentAnswer {
	return { beginning: beginning.subarray(0, beginning.length / 2), digest, isComplete };
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

interface Attempt {
	credential: Record<string, string | number>;
	input: INodeExecutionData[] | undefined;
	executionId: string;
	broken: string[];
}

async function attempt(plan: CellPlan, { broken, ...run }: Attempt): Promise<RunResult | undefined> {
	let signal: AbortSignal | undefined;
	let cancel = () => {};
	const running = runWorkflow(workflowOf(plan), {
		...run,
		onStart: (cancelRun, itsSignal) => {
			cancel = cancelRun;
			signal = itsSignal;
		},
	});
	try {
		const result = await within(plan.fault?.neverEnds ? ENDLESS_MS : HANG_MS, running);
		if (!result) {
			broken.push('the run hangs');
			cancel();
			await within(CANCEL_MS, running);
		} else if (signal && getEventListeners(signal, 'abort').length > 0) broken.push('a listener was left');
		return result;
	} catch (error) {
		broken.push(error instanceof Error ? error.message : String(error));
		return undefined;
	}
}

function workflowOf({ operation: operationCase, fault, isBatch }: CellPlan) {
	const { node, operation, parameters, batch } = operationCase;
	const { timeoutSeconds = PATIENCE_SECONDS, totalMinutes } = fault ?? {};
	// Twenty rows need more time on a busy machine.
	const limitSeconds = isBatch ? timeoutSeconds * BATCH_PATIENCE : timeoutSeconds;
	const more = isBatch ? (batch?.parameters ?? {}) : {};
	const options = {
		...(parameters.options as object),
		...(more.options as object),
		maxRetries: MAX_RETRIES,
		maxRateLimitRetries: MAX_RETRIES,
		timeoutSeconds: limitSeconds,
		...(totalMinutes === undefined ? {} : { totalTimeLimitMinutes: totalMinutes }),
	};
	const all: INodeParameters = { operation, ...parameters, ...more, options };
	return oneNode(node, all, { onError: 'continueRegularOutput' });
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const end = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), milliseconds);
	});
	try {
		return await Promise.race([promise, end]);
	} finally {
		clearTimeout(timer);
	}
}
