import type { IExecuteFunctions } from 'n8n-workflow';
import { MAX_CONCURRENCY, OPTIONS, REUSE_RESULTS } from '../fields/options';
import { GatewayClient } from '../gateway/client';
import type { HostContext } from '../gateway/transport';
import type { Clock } from '../pacing/clock';
import type { Concurrency } from '../pacing/semaphore';
import { asRecord } from '../values';
import { PaidResults } from './paidResults';
import type { ParameterReader } from './parameterReader';

/** Max Concurrency of the first item, which applies to the whole run; undefined if the gateway decides. */
export function readMaxConcurrency(parameters: ParameterReader): number | undefined {
	const set = Number(asRecord(parameters.read(OPTIONS.name, 0))?.[MAX_CONCURRENCY.name]);
	return set >= 1 && Number.isFinite(set) ? Math.floor(set) : undefined;
}

/**
 * A client with the node's credential, and how many requests a run may have in progress: a fixed number, or as many as
 * suit the gateway.
 *
 * @throws GatewayFailure when the credential cannot be used
 */
export async function connect(
	context: HostContext,
	parameters: ParameterReader,
	clock?: Clock,
): Promise<{ client: GatewayClient; concurrency: Concurrency }> {
	const fixed = readMaxConcurrency(parameters);
	const client = await GatewayClient.of(context, clock, fixed === undefined);
	return { client, concurrency: () => fixed ?? client.lanes.width };
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
