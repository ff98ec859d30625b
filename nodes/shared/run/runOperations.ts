import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { cancelledFailure } from '../errors/errorMessages';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import type { GatewayClient } from '../send/client';
import type { Aside } from '../send/layer';
import { systemClock, type Clock } from '../limiter/clock';
import { FIRST_WIDTH } from '../limiter/width';
import { Redactor } from '../answer/redactor';
import { Call } from './call';
import { deliver } from './deliver';
import { OPERATION } from './describe';
import type { Exit } from './exits';
import {
	type BatchOperation,
	chosenOperation,
	hasFailure,
	type ItemOperation,
	type LinkedResult,
	type Operation,
	withCancelled,
} from './operation';
import type { PaidResults } from './paidResults';
import { ParameterReader } from './parameterReader';
import type { Payments } from './payments';
import { Capacity, runPool } from './pool';
import { Progress } from './progress';
import { runResources, type RunResources } from './resources';
import { withReach } from './retryReport';
import { connect, openPaidResults, readMaxConcurrency } from './runSettings';
import { reportRun } from './runReport';
import type { SpendingLimits } from '../send/spend';
import { answerOf } from './toolAnswer';

/**
 * The `execute` of every action node: runs the chosen operation on all input items, at most Max Concurrency at a
 * time, and returns the results in the order of the input, each linked to its item.
 *
 * When the node continues on failure, a failing item becomes `{ error, details }`. Otherwise no further item starts,
 * items in progress are finished (they are paid for), and the first failure is thrown.
 *
 * @throws NodeApiError with the finished results in its context
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: Operation[],
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const run = new Run(context, clock);
	const chosen = context.getInputData().map((_, itemIndex) => run.operationOf(operations, itemIndex));
	const reports = run.reports();
	try {
		const single = [...chosen.keys()].filter((itemIndex) => 'run' in chosen[itemIndex]);
		await runPool(single, (item) => run.item(chosen[item] as ItemOperation, item), run.pool);
		for (const operation of new Set(chosen)) {
			const itemIndexes = [...chosen.keys()].filter((itemIndex) => chosen[itemIndex] === operation);
			if ('runAll' in operation && !run.isOver) await run.batch(operation, itemIndexes);
		}
	} finally {
		await reports.end();
		run.detach();
	}
	return await run.end();
}

/** One run of a node. */
class Run {
	private readonly results: PaidResults | undefined;
	private payments: Payments | undefined;
	private resources: Promise<RunResources<IExecuteFunctions>> | undefined;
	private readonly capacity: Capacity;
	private readonly signal: AbortSignal | undefined;
	/** The execution is stopped, or an item has failed and the node does not continue on failure. */
	private readonly stopping = new AbortController();
	// Node warns of more than ten listeners at a signal of AbortSignal.any.
	private readonly stop = () => this.stopping.abort();
	/** There is nothing to hide as long as the credential has not been read. */
	private redactor = new Redactor([]);
	private readonly parameters: ParameterReader;
	/** What became of each item; undefined for those that did not start. */
	private readonly outcomes: Array<LinkedResult[] | undefined>;
	private readonly progress: Progress;
	private client: GatewayClient | undefined;
	private limits: SpendingLimits | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly clock: Clock,
	) {
		this.signal = context.getExecutionCancelSignal();
		this.signal?.addEventListener('abort', this.stop, { once: true });
		if (this.signal?.aborted) this.stop();
		this.parameters = new ParameterReader(context);
		const most = readMaxConcurrency(this.parameters);
		this.capacity = new Capacity(() => this.client?.lanes.width ?? most ?? FIRST_WIDTH);
		this.results = openPaidResults(context, this.parameters);
		this.outcomes = context.getInputData().map(() => undefined);
		this.progress = new Progress(this.outcomes.length, clock);
	}

	get pool() {
		const { capacity, signal } = this;
		return { capacity, signal, stopsAt: this.context.continueOnFail() ? undefined : hasFailure };
	}

	operationOf(operations: Operation[], itemIndex: number): Operation {
		const value = this.parameters.read(OPERATION.name, itemIndex) as string;
		return chosenOperation(operations, value, this.context.getNode());
	}

	/** Says regularly how far the run is. */
	reports(): { end: () => Promise<void> } {
		const accounts = () =>
			this.client && this.payments && { ledger: this.client.ledger, paidItems: this.payments.paidItems };
		return this.progress.report(() => this.exit, accounts);
	}

	/** Runs one item; it never rejects. */
	async item(operation: ItemOperation, itemIndex: number): Promise<LinkedResult[]> {
		let results: LinkedResult[];
		try {
			const ended = [await operation.run(await this.call(itemIndex))].flat();
			results = ended.map((one) => ({ from: itemIndex, ...('failure' in one ? one : { result: one }) }));
		} catch (error) {
			const failure = this.toFailure(error);
			results = this.wasNotSent(failure) ? [] : [{ from: itemIndex, failure }];
		}
		if (hasFailure(results) && !this.context.continueOnFail()) this.stop();
		this.progress.ended(itemIndex, results);
		this.outcomes[itemIndex] = results;
		return results;
	}

	/** Runs items together; it never rejects. */
	async batch(operation: BatchOperation, itemIndexes: number[]): Promise<void> {
		const [first] = itemIndexes;
		for (const itemIndex of itemIndexes) this.outcomes[itemIndex] = [];
		try {
			const calls = await Promise.all(itemIndexes.map(async (itemIndex) => await this.call(itemIndex)));
			this.outcomes[first] = await operation.runAll(calls);
		} catch (error) {
			this.outcomes[first] = [{ from: itemIndexes, failure: this.toFailure(error) }];
		}
	}

	/** Whether nothing more may start. */
	get isOver(): boolean {
		const stopsAtFailure = !this.context.continueOnFail();
		return this.isStopped || (stopsAtFailure && this.outcomes.some((linked) => linked && hasFailure(linked)));
	}

	/** Nothing of the run is left at the signal of the execution. */
	detach(): void {
		this.signal?.removeEventListener('abort', this.stop);
	}

	/**
	 * Reports the run, and forgets what was paid for, unless n8n is about to run the node again.
	 *
	 * @returns the output items
	 * @throws NodeApiError with the finished results in its context
	 */
	async end(): Promise<INodeExecutionData[][]> {
		const { context, exit, limits, outcomes, parameters } = this;
		const ended = this.isStopped ? withCancelled(outcomes) : outcomes.flatMap((linked) => linked ?? []);
		const results = limits ? withReach(ended, outcomes.length, limits.count().requests) : ended;
		await this.report(results);
		const items = await deliver(exit, results, this.leftOut);
		// Any value counts for some version of n8n, even if the field comes from the input.
		const runsAgain = context.getNode().retryOnFail === true && items[0]?.json.error !== undefined;
		if (!runsAgain) this.results?.clear();
		return [answerOf(items, context, parameters)];
	}

	private async report(results: LinkedResult[]): Promise<void> {
		const { payments, client, progress, leftOut, isStopped } = this;
		if (!payments || !client) return;
		// n8n shows no hints of a node that fails, and its failure names what a retry pays for again.
		const fails = !this.context.continueOnFail() && hasFailure(results);
		const { tookMs } = progress;
		const total = this.outcomes.length;
		await reportRun(this.exit, results, {
			total,
			tookMs,
			ledger: client.ledger,
			payments,
			fails,
			leftOut,
			isStopped,
		});
	}

	private get exit(): Exit {
		return { context: this.context, redactor: this.redactor };
	}

	private get leftOut(): number[] {
		return [...(this.results?.leftOut ?? [])];
	}

	/** Whether an item waited to be sent when another one failed, so that it never started. */
	private wasNotSent({ kind, facts }: GatewayFailure): boolean {
		return kind === 'cancelled' && !this.isStopped && facts.mayHaveBeenCarriedOut !== true;
	}

	private get isStopped(): boolean {
		return this.signal?.aborted === true;
	}

	private async call(itemIndex: number): Promise<Call> {
		this.resources ??= this.connect();
		return new Call(await this.resources, itemIndex);
	}

	private async connect(): Promise<RunResources<IExecuteFunctions>> {
		const { capacity, clock, context, parameters, results, progress } = this;
		const spending = results?.spending(context.getExecutionId());
		const aside: Aside = () => capacity.setAside();
		const { client, limits } = await connect(context, parameters, { clock, spending, aside });
		this.client = client;
		this.redactor = client.redactor;
		this.limits = limits;
		const stop = this.stopping.signal;
		const resources = runResources(context, client, { parameters, results, capacity, progress, stop });
		this.payments = resources.payments;
		return resources;
	}

	private toFailure(error: unknown): GatewayFailure {
		return this.isStopped && !(error instanceof GatewayFailure) ? cancelledFailure() : toFailure(error);
	}
}
