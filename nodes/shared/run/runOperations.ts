import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { cancelledFailure } from '../errors/errorMessages';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { systemClock, type Clock } from '../limiter/clock';
import { Redactor } from '../answer/redactor';
import { Call, RunResources } from './call';
import { deliver } from './deliver';
import { OPERATION } from './describe';
import { type Exit, logProgress } from './exits';
import {
	type BatchOperation,
	chosenOperation,
	failedItems,
	type ItemOperation,
	type LinkedResult,
	type Operation,
} from './operation';
import type { PaidResults } from './paidResults';
import { ParameterReader } from './parameterReader';
import { Capacity, runPool } from './pool';
import { Progress, REPORT_EVERY_MS } from './progress';
import { eitherOf } from '../send/timeLimits';
import { INCLUDE_INPUT_FIELDS } from '../fields/options';
import { connect, openPaidResults } from './runSettings';
import { reportRun } from './runReport';
import { answerOf } from './toolAnswer';

/**
 * The `execute` of every action node. @param continues on failure: a failing item becomes `{ error, details }`.
 * Otherwise no further item starts, those in progress are finished, because they are paid for, and it @throws
 * NodeApiError
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: Operation[],
	continues: boolean,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context, continues, clock);
	const chosen = context.getInputData().map((_, itemIndex) => run.operationOf(operations, itemIndex));
	const reportingEnds = new AbortController();
	const reporting = run.reportProgress(reportingEnds.signal);
	try {
		const single = [...chosen.keys()].filter((itemIndex) => 'run' in chosen[itemIndex]);
		await runPool(single, (item) => run.item(chosen[item] as ItemOperation, item), run.pool);
		for (const operation of new Set(chosen)) {
			const itemIndexes = [...chosen.keys()].filter((itemIndex) => chosen[itemIndex] === operation);
			if ('runAll' in operation && !run.isStopped) await run.batch(operation, itemIndexes);
		}
	} finally {
		reportingEnds.abort();
		await reporting;
	}
	return await run.end([...new Set(chosen.map(({ value }) => value))]);
}

class NodeRun {
	private readonly results: PaidResults;
	private connecting: Promise<RunResources> | undefined;
	private connected: RunResources | undefined;
	private readonly capacity: Capacity;
	private readonly signal: AbortSignal | undefined;
	private readonly failing = new AbortController();
	/** The execution is stopped, or an item has failed and the node does not continue on failure. */
	private readonly stop: AbortSignal;
	private readonly parameters: ParameterReader;
	/** By item; those of a batch are at its first item. Undefined for items that did not start, or were not sent. */
	private readonly linkedResults: Array<LinkedResult[] | undefined>;
	private readonly progress: Progress;
	private readonly keepInput = new Set<number>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly continues: boolean,
		private readonly clock: Clock,
	) {
		this.signal = context.getExecutionCancelSignal();
		this.stop = eitherOf(this.failing.signal, this.signal)!;
		this.parameters = new ParameterReader(context);
		// The others start when the first one has connected.
		this.capacity = new Capacity(() => this.connected?.client.lanes.width ?? 1);
		this.results = openPaidResults(context, this.parameters);
		this.linkedResults = context.getInputData().map(() => undefined);
		this.progress = new Progress(this.linkedResults.length, clock);
	}

	get pool() {
		return { capacity: this.capacity, signal: this.stop };
	}

	get isStopped(): boolean {
		return this.stop.aborted;
	}

	operationOf(operations: Operation[], itemIndex: number): Operation {
		const value = this.parameters.read(OPERATION.name, itemIndex) as string;
		return chosenOperation(operations, value, this.context.getNode());
	}

	async reportProgress(ends: AbortSignal): Promise<void> {
		for (;;) {
			await this.clock.sleep(REPORT_EVERY_MS, ends);
			if (ends.aborted) return;
			const { connected, context, exit, progress } = this;
			logProgress(exit, progress.line(connected, context.getTimezone()));
		}
	}

	/** Runs one item; it never rejects. */
	async item(operation: ItemOperation, itemIndex: number): Promise<void> {
		let results: LinkedResult[];
		try {
			const ended = [await operation.run(await this.call(itemIndex))].flat();
			results = ended.map((one) => ({ from: itemIndex, ...('failure' in one ? one : { result: one }) }));
		} catch (error) {
			const failure = this.failureFrom(error);
			if (this.wasNotSent(failure)) return;
			results = [{ from: itemIndex, failure }];
		}
		this.progress.ended(itemIndex, results);
		this.ended(itemIndex, results);
	}

	/** Runs items together; it never rejects. */
	async batch(operation: BatchOperation, itemIndexes: number[]): Promise<void> {
		const [first] = itemIndexes;
		for (const itemIndex of itemIndexes) this.linkedResults[itemIndex] = [];
		try {
			const calls = await Promise.all(itemIndexes.map(async (itemIndex) => await this.call(itemIndex)));
			this.ended(first, await operation.runAll(calls));
		} catch (error) {
			this.ended(first, [{ from: itemIndexes, failure: this.failureFrom(error) }]);
		}
	}

	private ended(itemIndex: number, results: LinkedResult[]): void {
		this.linkedResults[itemIndex] = results;
		if (!this.continues && failedItems(results).size > 0) this.failing.abort();
	}

	/** Reports the run, and forgets what was paid for, unless n8n is about to run the node again. */
	async end(operations: string[]): Promise<INodeExecutionData[][]> {
		const { connected, context, exit, isCancelled, keepInput, linkedResults, parameters } = this;
		const notStarted = (from: number): LinkedResult[] =>
			isCancelled ? [{ from, failure: cancelledFailure({ attempts: 0 }) }] : [];
		const results = linkedResults.flatMap((linked, itemIndex) => linked ?? notStarted(itemIndex));
		// n8n shows no hints of a node that fails, and its failure names what a retry pays for again.
		const fails = !this.continues && failedItems(results).size > 0;
		const unsent = isCancelled ? 0 : linkedResults.filter((linked) => linked === undefined).length;
		if (connected) reportRun(connected, results, { fails, isCancelled, operations, unsent });
		const items = await deliver(exit, results, { payments: connected?.payments, keepInput });
		// Some version of n8n takes any value of this field for a failure, even one that comes from the input.
		const runsAgain = context.getNode().retryOnFail === true && items[0]?.json.error !== undefined;
		if (!runsAgain) this.results.clear();
		return [answerOf(items, context, parameters)];
	}

	private get exit(): Exit {
		// There is nothing to hide as long as the credential has not been read.
		return { context: this.context, redactor: this.connected?.redactor ?? new Redactor([]) };
	}

	/** Whether an item waited to be sent when another one failed, so that it was never sent. */
	private wasNotSent({ kind, facts }: GatewayFailure): boolean {
		return kind === 'cancelled' && !this.isCancelled && facts.mayHaveBeenCarriedOut !== true;
	}

	private get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	private async call(itemIndex: number): Promise<Call> {
		this.connecting ??= this.connect();
		const call = new Call(await this.connecting, itemIndex);
		if (call.options.flag(INCLUDE_INPUT_FIELDS)) this.keepInput.add(itemIndex);
		return call;
	}

	private async connect(): Promise<RunResources> {
		const { capacity, clock, context, parameters, results, progress } = this;
		const client = await connect(context, parameters, { clock, aside: () => capacity.setAside() });
		const paid = { results, stop: this.stop };
		this.connected = new RunResources(context, client, paid, parameters, capacity, progress);
		capacity.admit();
		return this.connected;
	}

	private failureFrom(error: unknown): GatewayFailure {
		return this.isCancelled && !(error instanceof GatewayFailure) ? cancelledFailure() : toFailure(error);
	}
}
