import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions, INodeProperties } from 'n8n-workflow';
import {
	MAX_COST,
	MAX_REQUESTS,
	MAX_TOTAL_TOKENS,
	PARALLEL_REQUESTS,
	PAY_AGAIN,
	RUN_LISTS,
} from '../fields/options';
import { GatewayClient } from '../send/client';
import { Ledger, NO_SPENDING, type Spending, SpendingLimits } from '../send/ledger';
import { type Clock, systemClock } from '../limiter/clock';
import type { Redactor } from '../answer/redactor';
import { hasFile } from '../files/storeFile';
import { PaidResults } from './paidResults';
import { flagOf, OptionValues, ParameterReader, toNumber } from './parameterReader';
import { Payments, type PaymentSettings } from './payments';
import { Capacity } from './pool';
import { Progress } from './progress';

/** The resources that the calls of one run share. */
export class RunResources<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	readonly redactor: Redactor;
	readonly payments: Payments;
	readonly capacity: Capacity;
	readonly progress: Progress;
	readonly done = new Map<string, Promise<unknown>>();
	/** The hints to show beside the output after the run, and the items that they are about. */
	readonly hints = new Map<string, Set<number>>();
	/** The hints that somebody should look at. */
	readonly warnings = new Set<string>();

	/** @param paid what earlier tries have paid for, and what ends the run @param total number of items */
	constructor(
		readonly context: Context,
		readonly client: GatewayClient,
		{ results = new PaidResults(), stop }: Partial<Pick<PaymentSettings, 'results' | 'stop'>> = {},
		readonly parameters = new ParameterReader(context),
		total = 1,
	) {
		this.progress = new Progress(total, client.clock);
		this.redactor = client.redactor;
		this.capacity = new Capacity(() => client.lanes.width);
		const executionId = context.getExecutionId();
		const isThere: PaymentSettings['hasFile'] = async (file) => await hasFile(context, file);
		this.payments = new Payments(client, { results, stop, executionId, hasFile: isThere });
	}
}

interface RunSettings extends Partial<Pick<PaymentSettings, 'results' | 'stop'>> {
	clock?: Clock;
	total?: number;
}

/** Opens what the calls of a run share: the gateway with the node's credential, within Spending Limits. */
export async function openRun<Context extends IExecuteFunctions | ISupplyDataFunctions>(
	context: Context,
	parameters: ParameterReader,
	{ clock = systemClock, total, ...paid }: RunSettings = {},
): Promise<RunResources<Context>> {
	const options = parameters.options(0, RUN_LISTS);
	// All options of the run are checked here, so that none is refused after something was paid for.
	const values = new OptionValues(options);
	const mostRequests = values.number(PARALLEL_REQUESTS);
	values.flag(PAY_AGAIN);
	const limits = openSpendingLimits(options, () => spendingOf(context));
	const ledger = new Ledger(clock, limits);
	const aside = () => run.capacity.setAside();
	const client = await GatewayClient.of(context, { clock, mostRequests, aside, ledger });
	const run = new RunResources(context, client, paid, parameters, total);
	return run;
}

/** Opens the paid results of earlier tries of this run; none when n8n cannot run the node again for the same items. */
export function openPaidResults(context: IExecuteFunctions, parameters: ParameterReader): PaidResults {
	const inNode = context.getContext('node');
	const runsAgain = !context.continueOnFail() || context.getNode().retryOnFail === true;
	// In an earlier try, the node may have been set to stop on failure.
	if (!runsAgain && !PaidResults.areIn(inNode)) return new PaidResults();
	return new PaidResults(inNode, {
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
		startsAnew: flagOf(parameters.options(0, RUN_LISTS)[PAY_AGAIN.name]) === true,
	});
}

const SPENT = 'spent';

/** Finds what the node has spent in this execution: in all passes of a loop, tries, and calls by an agent. */
function spendingOf(context: IExecuteFunctions | ISupplyDataFunctions): Spending {
	// n8n's type of a sub-node's context lacks this method, which its class has.
	const inNode = (context as IExecuteFunctions).getContext('node');
	const executionId = context.getExecutionId();
	const earlier = inNode[SPENT] as (Spending & { executionId: string }) | undefined;
	if (earlier?.executionId === executionId) return earlier;
	const spent = { executionId, ...NO_SPENDING };
	inNode[SPENT] = spent;
	return spent;
}

/** Reads Spending Limits; undefined if there are none. @param spendingOf what the node has spent in the execution */
export function openSpendingLimits(
	options: IDataObject,
	spendingOf?: () => Spending,
): SpendingLimits | undefined {
	if (![MAX_REQUESTS, MAX_TOTAL_TOKENS, MAX_COST].some(({ name }) => name in options)) return undefined;
	// A value that is missing in a row must not remove the limit.
	const read = (definition: INodeProperties) =>
		definition.name in options ? toNumber(options[definition.name], definition) : 0;
	const limits = {
		requests: read(MAX_REQUESTS),
		tokens: read(MAX_TOTAL_TOKENS),
		cost: read(MAX_COST),
	};
	return new SpendingLimits(limits, spendingOf?.());
}
