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
import { Ledger, NO_SPENDING, type Spending } from '../send/ledger';
import { type Clock, systemClock } from '../limiter/clock';
import { PaidResults } from './paidResults';
import { flagOf, OptionValues, type ParameterReader, toNumber } from './parameterReader';
import { SpendingLimits } from '../send/spend';

/** A client with the node's credential, which stays within Spending Limits. */
export async function connect(
	context: IExecuteFunctions | ISupplyDataFunctions,
	parameters: ParameterReader,
	{ clock = systemClock, aside }: { clock?: Clock; aside?: Aside } = {},
): Promise<GatewayClient> {
	const options = parameters.options(0);
	// All options of the run are checked here, so that none is refused after something was paid for.
	const values = new OptionValues(options);
	const mostRequests = values.number(PARALLEL_REQUESTS);
	values.flag(PAY_AGAIN);
	const ledger = new Ledger(clock, hasLimits(options) ? spendingOf(context) : undefined);
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

const SPENT = 'spent';

/** What the node has spent in this execution: in all passes of a loop, tries, and calls by an agent. */
function spendingOf(context: IExecuteFunctions | ISupplyDataFunctions): Spending {
	// n8n's type of the context of a sub-node lacks what its class has.
	const inNode = (context as IExecuteFunctions).getContext('node');
	const executionId = context.getExecutionId();
	const earlier = inNode[SPENT] as (Spending & { executionId: string }) | undefined;
	if (earlier?.executionId === executionId) return earlier;
	const spent = { executionId, ...NO_SPENDING };
	inNode[SPENT] = spent;
	return spent;
}

function hasLimits(options: IDataObject): boolean {
	return [MAX_RUN_REQUESTS, MAX_RUN_TOKENS, MAX_RUN_COST].some(({ name }) => name in options);
}

/** Undefined without any limit. */
export function openSpendingLimits(options: IDataObject, ledger: Ledger): SpendingLimits | undefined {
	if (!hasLimits(options)) return undefined;
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
