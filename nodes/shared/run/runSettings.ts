import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions, INodeProperties } from 'n8n-workflow';
import {
	MAX_RUN_COST,
	MAX_RUN_REQUESTS,
	MAX_RUN_TOKENS,
	PARALLEL_REQUESTS,
	PAY_AGAIN,
} from '../fields/options';
import { GatewayClient } from '../send/client';
import type { Aside } from '../send/layer';
import { Ledger, type Spending } from '../send/ledger';
import type { HostContext } from '../send/transport';
import { type Clock, systemClock } from '../limiter/clock';
import { PaidResults } from './paidResults';
import { flagOf, OptionValues, type ParameterReader, toNumber } from './parameterReader';
import { SpendingLimits } from '../send/spend';

/** A client with the node's credential. @param run `spending` counts for Spending Limits besides the run */
export async function connect(
	context: HostContext,
	parameters: ParameterReader,
	{ clock = systemClock, spending, aside }: { clock?: Clock; spending?: Spending; aside?: Aside } = {},
): Promise<GatewayClient> {
	const options = parameters.options(0);
	// All options of the run are checked here, so that none is refused after something was paid for.
	const values = new OptionValues(options);
	const mostRequests = values.number(PARALLEL_REQUESTS);
	values.flag(PAY_AGAIN);
	const ledger = new Ledger(clock, spending);
	const limits = openSpendingLimits(options, ledger);
	return await GatewayClient.of(context, { clock, mostRequests, aside, ledger, limits });
}

/** What earlier tries of this run have paid for; nothing when n8n cannot run the node again for the same items. */
export function openPaidResults(context: IExecuteFunctions, parameters: ParameterReader): PaidResults {
	if (context.continueOnFail() && context.getNode().retryOnFail !== true) return new PaidResults();
	return new PaidResults(context.getContext('node'), {
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
		startsAnew: flagOf(parameters.options(0)[PAY_AGAIN.name]) === true,
	});
}

/** What a sub-node has spent in this execution: agents and chains create it anew for each item and each turn. */
export function spendingOfSubNode(context: ISupplyDataFunctions): Spending {
	// n8n's type of the context lacks what its class has.
	const inNode = (context as unknown as IExecuteFunctions).getContext('node');
	return new PaidResults(inNode).spending(context.getExecutionId());
}

/** The limits of a run; undefined without any of them. */
export function openSpendingLimits(options: IDataObject, ledger: Ledger): SpendingLimits | undefined {
	if (![MAX_RUN_REQUESTS, MAX_RUN_TOKENS, MAX_RUN_COST].some(({ name }) => name in options)) return undefined;
	// A value that is missing in a row must not take the limit away.
	const read = (definition: INodeProperties) =>
		definition.name in options ? toNumber(options[definition.name], definition) : 0;
	const limits = {
		requests: read(MAX_RUN_REQUESTS),
		tokens: read(MAX_RUN_TOKENS),
		cost: read(MAX_RUN_COST),
	};
	return new SpendingLimits(limits, ledger);
}
