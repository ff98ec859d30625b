import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { MAX_CONCURRENCY, OPTIONS, REUSE_RESULTS } from '../fields/options';
import { GatewayClient } from '../send/client';
import type { Aside } from '../send/layer';
import { Ledger, type Spending } from '../send/ledger';
import type { HostContext } from '../send/transport';
import { type Clock, systemClock } from '../limiter/clock';
import { asRecord } from '../plain/values';
import { PaidResults } from './paidResults';
import { openSpendingLimits } from './spendingLimits';
import { flagOf, OptionValues, type ParameterReader } from './parameterReader';

function runOptions(parameters: ParameterReader): IDataObject {
	return (asRecord(parameters.read(OPTIONS.name, 0)) ?? {}) as IDataObject;
}

/** Max Concurrency of the run; undefined if the gateway decides. {@link connect} checks the value. */
export function readMaxConcurrency(parameters: ParameterReader): number | undefined {
	const set = Number(runOptions(parameters)[MAX_CONCURRENCY.name]);
	return set >= 1 && Number.isFinite(set) ? Math.floor(set) : undefined;
}

/** Checks all options of the run, so that none is refused after something was paid for. */
function checkOptions(options: IDataObject): void {
	const values = new OptionValues(options);
	values.number(MAX_CONCURRENCY);
	values.flag(REUSE_RESULTS);
}

/**
 * A client with the node's credential.
 *
 * @param run `spending` is what counts for Spending Limits besides the run
 * @throws GatewayFailure when the credential or an option of the run cannot be used
 */
export async function connect(
	context: HostContext,
	parameters: ParameterReader,
	{ clock = systemClock, spending, aside }: { clock?: Clock; spending?: Spending; aside?: Aside } = {},
): Promise<GatewayClient> {
	const options = runOptions(parameters);
	checkOptions(options);
	const mostRequests = readMaxConcurrency(parameters);
	const ledger = new Ledger(clock, spending);
	const limits = openSpendingLimits(options, ledger);
	return await GatewayClient.of(context, { clock, mostRequests, aside, ledger, limits });
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

/** What a sub-node has spent in this execution: agents and chains create it anew for each item and each turn. */
export function spendingOfSubNode(context: ISupplyDataFunctions): Spending {
	// n8n's type of the context lacks what its class has.
	const inNode = (context as unknown as IExecuteFunctions).getContext('node');
	const results = new PaidResults(inNode, { runIndex: 0, keepsValues: false });
	return results.spending(context.getExecutionId());
}
