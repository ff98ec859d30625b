import type { INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import type { OperationCase } from '../faults/operationCase';
import type { Exchange } from '../../simulation/requestFates';
import { deleteFilesOf } from '../engine/retry';
import type { SentAnswers } from './sentAnswers';

/** Where a cell runs. */
export interface Place {
	/** Nobody else uses it meanwhile. */
	emulator: Emulator;
	answers: SentAnswers;
}

/** What runs in a cell. */
export interface CellPlan {
	operation: OperationCase;
	/** Names of the dialects in which the emulator answers; default: none. */
	dialect?: string[];
}

/** What happened in a cell. */
export interface CellRun {
	executionId: string;
	/** Undefined if the run throws. */
	result: RunResult | undefined;
	/** The requests that reached the emulator. */
	exchanges: Exchange[];
	/** Promises that did not hold. */
	broken: string[];
}

const MAX_RETRIES = 2;

let runs = 0;

/** Runs an operation. */
export async function runPlan({ operation, dialect }: CellPlan, place: Place): Promise<CellRun> {
	const { emulator, answers } = place;
	emulator.journal.clear();
	emulator.voices.clear();
	answers.forget(emulator.port);
	emulator.behaviour.reset();
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 }, ...operation.rule });
	if (dialect) emulator.behaviour.set(operation.route ?? '/*', { dialect });
	runs += 1;
	const executionId = `cell-${runs}`;
	const { url: baseUrl, apiKey } = emulator;
	const broken: string[] = [];
	const result = await runWorkflow(workflowOf(operation), {
		// A different rate makes each run's credential a different one, so that nothing is learned from earlier runs.
		credential: { baseUrl, apiKey, requestsPerMinute: 1e8 + runs },
		input: operation.input?.(emulator),
		executionId,
	}).catch((error: Error) => {
		broken.push(error.message);
		return undefined;
	});
	const sent = answers.of(emulator.port);
	const exchanges = emulator.journal.entries().map((entry, index) => ({ entry, answer: sent[index] }));
	return { executionId, result, exchanges, broken };
}

/** Deletes what a run has left in n8n's binary store. */
export async function forgetFiles({ executionId }: CellRun): Promise<void> {
	await deleteFilesOf(executionId);
}

function workflowOf({ node, operation, parameters }: OperationCase) {
	const limits = { maxRetries: MAX_RETRIES, maxRateLimitRetries: MAX_RETRIES, timeoutSeconds: 300 };
	const options = { ...(parameters.options as object), ...limits };
	const all: INodeParameters = { operation, ...parameters, options };
	return oneNode(node, all, { onError: 'continueRegularOutput' });
}
