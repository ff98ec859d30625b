import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ADD_SUMMARY, MAX_CONCURRENCY, OPTIONS, REUSE_RESULTS, SHARE_EQUAL } from '../fields/options';
import { GatewayClient } from '../gateway/client';
import type { HostContext } from '../gateway/transport';
import type { Clock } from '../pacing/clock';
import type { Concurrency } from '../pacing/semaphore';
import { asRecord } from '../values';
import { PaidResults } from './paidResults';
import { flagOf, OptionValues, type ParameterReader } from './parameterReader';

/** The switches of a run. */
export interface RunSwitches {
	addsSummary: boolean;
	sharesEqual: boolean;
}

/** What a run needs of its credential and of the first item's options, which apply to all items. */
export interface Connection {
	client: GatewayClient;
	concurrency: Concurrency;
	options: IDataObject;
	switches: RunSwitches;
}

function runOptions(parameters: ParameterReader): IDataObject {
	return (asRecord(parameters.read(OPTIONS.name, 0)) ?? {}) as IDataObject;
}

/** Max Concurrency of the run; undefined if the gateway decides. {@link connect} checks the value. */
export function readMaxConcurrency(parameters: ParameterReader): number | undefined {
	const set = Number(runOptions(parameters)[MAX_CONCURRENCY.name]);
	return set >= 1 && Number.isFinite(set) ? Math.floor(set) : undefined;
}

/** Checks all options of the run, so that none is refused after something was paid for. */
function readSwitches(values: OptionValues): RunSwitches {
	values.number(MAX_CONCURRENCY);
	values.flag(REUSE_RESULTS);
	return { addsSummary: values.flag(ADD_SUMMARY), sharesEqual: values.flag(SHARE_EQUAL) };
}

/**
 * A client with the node's credential, and how many requests a run may have in progress: a fixed number, or as many as
 * suit the gateway.
 *
 * @throws GatewayFailure when the credential or an option of the run cannot be used
 */
export async function connect(
	context: HostContext,
	parameters: ParameterReader,
	clock?: Clock,
): Promise<Connection> {
	const options = runOptions(parameters);
	const switches = readSwitches(new OptionValues(options));
	const fixed = readMaxConcurrency(parameters);
	const client = await GatewayClient.of(context, clock, fixed === undefined);
	return { client, concurrency: () => fixed ?? client.lanes.width, options, switches };
}

/**
 * What earlier tries of this run have paid for; undefined when n8n cannot run the node again for the same items.
 * {@link connect} rejects a value of Reuse Results that is neither on nor off.
 */
export function openPaidResults(
	context: IExecuteFunctions,
	parameters: ParameterReader,
): PaidResults | undefined {
	if (context.continueOnFail() && context.getNode().retryOnFail !== true) return undefined;
	return new PaidResults(context.getContext('node'), {
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
		keepsValues: flagOf(runOptions(parameters)[REUSE_RESULTS.name]) ?? REUSE_RESULTS.default,
	});
}
