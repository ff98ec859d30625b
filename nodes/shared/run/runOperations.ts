import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { cancelledFailure } from '../errors/errorMessages';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import type { GatewayClient } from '../send/client';
import { systemClock, type Clock } from '../limiter/clock';
import { type Concurrency, Semaphore, type Rest } from '../limiter/semaphore';
import { eitherOf } from '../send/timeLimits';
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
import { runPool } from './pool';
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
	const run = new Run(context, operations, clock);
	const results = await run.all();
	await run.report(results);
	const items = await deliver(run.exit, results, run.leftOut);
	run.end(items);
	return [answerOf(items, context, run.parameters)];
}

/** The slot of an item in the pool. */
interface ItemSlot {
	/** Gives it back, so that the next item starts. */
	release: () => void;
	/** Waits without it. */
	rest: Rest;
}

class Run {
	private readonly results: PaidResults | undefined;
	private payments: Payments | undefined;
	private resources: Promise<RunResources<IExecuteFunctions>> | undefined;
	/** How many items may be in progress at once. */
	private readonly concurrency: Concurrency;
	/** Limits the items that are in their download phase. */
	private readonly downloads: Semaphore;
	private readonly signal: AbortSignal | undefined;
	/** An item has failed, and the node does not continue on failure. */
	private readonly stopping = new AbortController();
	/** There is nothing to hide as long as the credential has not been read. */
	private redactor = new Redactor([]);
	readonly parameters: ParameterReader;
	private readonly count: number;
	private readonly progress: Progress;
	private client: GatewayClient | undefined;
	private limits: SpendingLimits | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operations: Operation[],
		private readonly clock: Clock,
	) {
		this.signal = context.getExecutionCancelSignal();
		this.parameters = new ParameterReader(context);
		const fixed = readMaxConcurrency(this.parameters);
		this.concurrency = () => fixed ?? this.client?.lanes.width ?? FIRST_WIDTH;
		this.downloads = new Semaphore(this.concurrency);
		this.results = openPaidResults(context, this.parameters);
		this.count = context.getInputData().length;
		this.progress = new Progress(this.count, clock);
	}

	get exit(): Exit {
		return { context: this.context, redactor: this.redactor };
	}

	get leftOut(): number[] {
		return [...(this.results?.leftOut ?? [])];
	}

	async all(): Promise<LinkedResult[]> {
		const { count } = this;
		const accounts = () =>
			this.client && this.payments && { ledger: this.client.ledger, paidItems: this.payments.paidItems };
		const chosen = Array.from({ length: count }, (_, itemIndex) => this.operationOf(itemIndex));
		const outcomes = new Array<LinkedResult[] | undefined>(count).fill(undefined);
		const stopsAt = this.context.continueOnFail() ? undefined : hasFailure;
		const reports = this.progress.report(() => this.exit, accounts);
		try {
			const single = [...chosen.keys()].filter((itemIndex) => 'run' in chosen[itemIndex]);
			const run = async (itemIndex: number, _index: number, release: () => void, rest: Rest) =>
				await this.one(chosen[itemIndex] as ItemOperation, itemIndex, { release, rest });
			const results = await runPool(single, run, {
				concurrency: this.concurrency,
				stopsAt,
				signal: this.signal,
			});
			single.forEach((itemIndex, place) => (outcomes[itemIndex] = results[place]));
			for (const operation of new Set(chosen)) {
				if (!('runAll' in operation)) continue;
				if (stopsAt && outcomes.some((linked) => linked && hasFailure(linked))) break;
				if (this.isStopped) break;
				const itemIndexes = [...chosen.keys()].filter((itemIndex) => chosen[itemIndex] === operation);
				for (const itemIndex of itemIndexes) outcomes[itemIndex] = [];
				outcomes[itemIndexes[0]] = await this.batch(operation, itemIndexes);
			}
		} finally {
			await reports.end();
		}
		const results = this.isStopped ? withCancelled(outcomes) : outcomes.flatMap((linked) => linked ?? []);
		return this.limits ? withReach(results, count, this.limits.count().requests) : results;
	}

	async report(results: LinkedResult[]): Promise<void> {
		const { payments, client, progress, count: total } = this;
		if (!payments || !client) return;
		// n8n shows no hints of a node that fails, and its failure names what a retry pays for again.
		const fails = !this.context.continueOnFail() && hasFailure(results);
		const facts = { total, tookMs: progress.tookMs, ledger: client.ledger, payments, fails };
		await reportRun(this.exit, results, { ...facts, leftOut: this.leftOut, isStopped: this.isStopped });
	}

	/** Forgets what was paid for, unless n8n is about to run the node again. */
	end(items: INodeExecutionData[]): void {
		// Any value counts for some version of n8n, even if the field comes from the input.
		const runsAgain = this.context.getNode().retryOnFail === true && items[0]?.json.error !== undefined;
		if (!runsAgain) this.results?.clear();
	}

	private async one(operation: ItemOperation, itemIndex: number, slot: ItemSlot): Promise<LinkedResult[]> {
		let results: LinkedResult[];
		try {
			const ended = [await operation.run(await this.call(itemIndex, slot))].flat();
			results = ended.map((one) => ({ from: itemIndex, ...('failure' in one ? one : { result: one }) }));
		} catch (error) {
			const failure = this.toFailure(error);
			results = this.wasNotSent(failure) ? [] : [{ from: itemIndex, failure }];
		}
		if (hasFailure(results) && !this.context.continueOnFail()) this.stopping.abort();
		this.progress.ended(itemIndex, results);
		return results;
	}

	/** Whether an item waited to be sent when another one failed, so that it never started. */
	private wasNotSent({ kind, facts }: GatewayFailure): boolean {
		return kind === 'cancelled' && !this.isStopped && facts.mayHaveBeenCarriedOut !== true;
	}

	private get isStopped(): boolean {
		return this.signal?.aborted === true;
	}

	private async batch(operation: BatchOperation, itemIndexes: number[]): Promise<LinkedResult[]> {
		try {
			const calls = await Promise.all(itemIndexes.map(async (itemIndex) => await this.call(itemIndex)));
			return await operation.runAll(calls);
		} catch (error) {
			return [{ from: itemIndexes, failure: this.toFailure(error) }];
		}
	}

	private async call(itemIndex: number, { release, rest }: Partial<ItemSlot> = {}): Promise<Call> {
		this.resources ??= this.connect();
		return new Call(
			await this.resources,
			itemIndex,
			async (work) =>
				await this.downloads.use(async () => {
					release?.();
					return await work();
				}),
			rest,
		);
	}

	private async connect(): Promise<RunResources<IExecuteFunctions>> {
		const { parameters, results, progress } = this;
		const spending = results?.spending(this.context.getExecutionId());
		const connection = await connect(this.context, parameters, this.clock, spending);
		this.client = connection.client;
		this.redactor = this.client.redactor;
		this.limits = connection.limits;
		const resources = runResources(this.context, connection, {
			parameters,
			results,
			progress,
			stop: eitherOf(this.signal, this.stopping.signal),
		});
		this.payments = resources.payments;
		return resources;
	}

	private operationOf(itemIndex: number): Operation {
		const value = this.parameters.read(OPERATION.name, itemIndex) as string;
		return chosenOperation(this.operations, value, this.context.getNode());
	}

	private toFailure(error: unknown): GatewayFailure {
		return this.isStopped && !(error instanceof GatewayFailure) ? cancelledFailure() : toFailure(error);
	}
}
