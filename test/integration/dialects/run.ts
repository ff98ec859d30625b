import type { INodeParameters } from 'n8n-workflow';
import type { Emulator, JournalEntry } from '../../../emulator';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import type { OperationCase } from '../faults/operationCase';

/** What happened in a cell. */
export interface CellRun {
	executionId: string;
	/** Undefined if the run throws. */
	result: RunResult | undefined;
	/** The requests that reached the emulator. */
	entries: JournalEntry[];
	/** Promises that did not hold. */
	broken: string[];
}

const MAX_RETRIES = 2;

let runs = 0;

/**
 * Runs an operation.
 *
 * @param emulator nobody else uses it meanwhile
 * @param dialect names of the dialects in which it answers
 */
export async function runPlan(
	operation: OperationCase,
	emulator: Emulator,
	dialect?: string[],
): Promise<CellRun> {
	emulator.journal.clear();
	emulator.voices.clear();
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
	return { executionId, result, entries: [...emulator.journal.entries()], broken };
}

function workflowOf({ node, operation, parameters }: OperationCase) {
	const limits = { maxRetries: MAX_RETRIES, maxRateLimitRetries: MAX_RETRIES, timeoutSeconds: 300 };
	const options = { ...(parameters.options as object), ...limits };
	const all: INodeParameters = { operation, ...parameters, options };
	return oneNode(node, all, { onError: 'continueRegularOutput' });
}
