import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions, INodeProperties } from 'n8n-workflow';
import { MAX_COST, MAX_REQUESTS, MAX_TOTAL_TOKENS, PARALLEL_REQUESTS, PAY_AGAIN } from '../fields/options';
import { GatewayClient } from '../send/client';
import { Ledger, NO_SPENDING, type Spending, SpendingLimits } from '../send/ledger';
import { type Clock, systemClock } from '../limiter/clock';
import type { Redactor } from '../answer/redactor';
import { hasFile } from '../files/storeFile';
import { PaidResults } from './paidResults';
import { flagOf, OptionValues, ParameterReader, toNumber } from './parameterReader';
import { Payments, type PaymentSettings } from './payments';
import { Capacity } from './pool';
import { amount, durationInWords, joined, momentInWords } from '../plain/inWords';

/** Shares between the calls of one run what they need. */
export class RunResources<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	readonly redactor: Redactor;
	readonly payments: Payments;
	readonly capacity: Capacity;
	readonly progress: Progress;
	readonly done = new Map<string, Promise<unknown>>();
	/** Hints to show beside the output after the run, and the items that they are about. */
	readonly hints = new Map<string, Set<number>>();
	/** Those of them that somebody should look at. */
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
	/** Number of items. */
	total?: number;
}

/** Opens what the calls of a run share: the gateway with the node's credential, within Spending Limits. */
export async function openRun<Context extends IExecuteFunctions | ISupplyDataFunctions>(
	context: Context,
	parameters: ParameterReader,
	{ clock = systemClock, total, ...paid }: RunSettings = {},
): Promise<RunResources<Context>> {
	const options = parameters.options(0);
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

/** Opens what earlier tries of this run have paid for; nothing when n8n cannot run the node again for the same items. */
export function openPaidResults(context: IExecuteFunctions, parameters: ParameterReader): PaidResults {
	if (context.continueOnFail() && context.getNode().retryOnFail !== true) return new PaidResults();
	return new PaidResults(context.getContext('node'), {
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
		startsAnew: flagOf(parameters.options(0)[PAY_AGAIN.name]) === true,
	});
}

const SPENT = 'spent';

/** Finds what the node has spent in this execution: in all passes of a loop, tries, and calls by an agent. */
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

/** Undefined without any limit. @param spendingOf what the node has spent in the execution so far */
export function openSpendingLimits(
	options: IDataObject,
	spendingOf?: () => Spending,
): SpendingLimits | undefined {
	if (![MAX_REQUESTS, MAX_TOTAL_TOKENS, MAX_COST].some(({ name }) => name in options)) return undefined;
	// A value that is missing in a row must not take the limit away.
	const read = (definition: INodeProperties) =>
		definition.name in options ? toNumber(options[definition.name], definition) : 0;
	const limits = {
		requests: read(MAX_REQUESTS),
		tokens: read(MAX_TOTAL_TOKENS),
		cost: read(MAX_COST),
	};
	return new SpendingLimits(limits, spendingOf?.());
}

export const REPORT_EVERY_MS = 15_000;

/** After how many items, or what part of all of them (a quarter), the time for the rest can be estimated. */
const MEANINGFUL_ITEMS = 5;
const MEANINGFUL_SHARE = 4;

export class Progress {
	private readonly failed = new Map<number, boolean>();
	private readonly startedAt: number;

	constructor(
		readonly total: number,
		private readonly clock: Clock,
	) {
		this.startedAt = clock.now();
	}

	/** These items need no further work. @param results what became of them, if any of them may have failed */
	ended(items: number | number[], results: object[] = []): void {
		const hasFailed = results.some((linked) => 'failure' in linked);
		for (const item of [items].flat()) this.failed.set(item, hasFailed);
	}

	get tookMs(): number {
		return this.clock.now() - this.startedAt;
	}

	/** Says how far the run is, in one line. @param paid how many items have paid for something @param until when it waits for a limit */
	line(paid: number, until: number | undefined, timeZone: string): string {
		const ended = this.failed.size;
		const failed = [...this.failed.values()].filter(Boolean).length;
		const done = `${ended - failed} of ${amount(this.total, 'item')} done`;
		const counts = [done, failed > 0 && `${failed} failed`, paid > 0 && `${paid} paid for`];
		const moment =
			until === undefined ? undefined : momentInWords(until, { now: this.clock.date(), timeZone });
		// A pause says nothing about the rest, and neither do the first few items.
		const isKnown = !moment && (ended >= MEANINGFUL_ITEMS || ended * MEANINGFUL_SHARE >= this.total);
		const leftMs = isKnown && ended > 0 ? (this.tookMs / ended) * (this.total - ended) : 0;
		const waiting = moment && `waiting for a limit of the gateway until ${moment}`;
		const left = leftMs >= 1000 && `about ${durationInWords(leftMs)} left`;
		return joined([joined(counts, ', '), waiting, left], '; ');
	}
}
