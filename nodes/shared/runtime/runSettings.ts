import type { IExecuteFunctions } from 'n8n-workflow';
import { MAX_CONCURRENCY, OPTIONS, REUSE_RESULTS } from '../fields/options';
import { asRecord } from '../values';
import { PaidResults } from './paidResults';
import type { ParameterReader } from './parameterReader';

/** Max Concurrency of the first item, which applies to the whole run. */
export function readMaxConcurrency(parameters: ParameterReader): number {
	const set = Number(asRecord(parameters.read(OPTIONS.name, 0))?.[MAX_CONCURRENCY.name] ?? Number.NaN);
	return set >= 1 && Number.isFinite(set) ? Math.floor(set) : MAX_CONCURRENCY.default;
}

/**
 * What earlier tries of this run have paid for; undefined when n8n cannot run the node again for the same items.
 * Options of the first item apply to the whole run.
 */
export function openPaidResults(
	context: IExecuteFunctions,
	parameters: ParameterReader,
): PaidResults | undefined {
	if (context.continueOnFail() && context.getNode().retryOnFail !== true) return undefined;
	const reuse = asRecord(parameters.read(OPTIONS.name, 0))?.[REUSE_RESULTS.name] ?? REUSE_RESULTS.default;
	return new PaidResults(context.getContext('node'), {
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
		keepsValues: reuse !== false,
	});
}
