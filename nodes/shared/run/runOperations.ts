import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { cancelledFailure } from '../failure/words';
import { GatewayFailure, toFailure } from '../failure/failure';
import { systemClock, type Clock } from '../limiter/clock';
import { Redactor } from '../answer/redactor';
import { Call } from './call';
import { REPORT_EVERY_MS } from './progress';
import { type RunResources, openPaidResults, openRun } from './runResources';
import { deliver, MAX_ANSWER_LENGTH, toolAnswerOf } from './deliver';
import { OPERATION } from './describe';
import { logFaults, logProgress } from './exits';
import {
	type BatchOperation,
	chosenOperation,
	failedItems,
	isTool,
	type ItemOperation,
	type LinkedResult,
	type Operation,
} from './operation';
import { ParameterReader } from './parameterReader';
import { runPool } from './pool';
import { eitherOf } from '../send/timeLimits';
import { INCLUDE_INPUT_FIELDS } from '../fields/options';
import { reportRun } from './runReport';

/**
 * The `execute` of every action node. @param continues true to go on after a failure: a failing item becomes `{ error,
 * details }`. Otherwise, no further item starts, and those in progress are finished, because they are paid for. @throws
 * NodeApiError unless it continues
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: Operation[],
	continues: boolean,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const rows = [...context.getInputData().keys()];
	let opened: NodeRun | undefined;
	try {
		const parameters = new ParameterReader(context);
		const node = context.getNode();
		const chosen = rows.map((row) =>
			chosenOperation(operations, parameters.read(OPERATION.name, row) as string, node),
		);
		const failing = new AbortController();
		const stop = eitherOf(failing.signal, context.getExecutionCancelSignal())!;
		const results = openPaidResults(context, parameters);
		const run = await openRun(context, parameters, { clock, results, stop, total: rows.length });
		const nodeRun = (opened = new NodeRun(run, continues, failing));
		const reportingEnds = new AbortController();
		// A run must not fail because of a line in the log.
		const reporting = nodeRun.reportProgress(reportingEnds.signal).catch((error: unknown) => {
			logFaults(run, [{ failure: toFailure(error) }]);
		});
		try {
			const single = rows.filter((row) => 'run' in chosen[row]);
			await runPool(single, (row) => nodeRun.item(chosen[row] as ItemOperation, row), {
				capacity: run.capacity,
				signal: stop,
			});
			for (const operation of new Set(chosen)) {
				const itemIndexes = rows.filter((row) => chosen[row] === operation);
				if ('runAll' in operation && !stop.aborted) await nodeRun.batch(operation, itemIndexes);
			}
		} finally {
			reportingEnds.abort();
			await reporting;
		}
		const items = await nodeRun.end([...new Set(chosen.map(({ value }) => value))]);
		// Some versions of n8n take any value of this field for a failure, even one that comes from the input.
		const runsAgain = context.getNode().retryOnFail === true && items[0]?.json.error !== undefined;
		if (!runsAgain) results.clear();
		return [items];
	} catch (error) {
		const delivered = error instanceof NodeApiError ? error : undefined;
		if (delivered) throw delivered;
		const failure = toFailure(error);
		const payments = opened?.run.payments;
		const failed = rows.map((from) => ({ from, failure: payments?.withPayment(failure, [from]) ?? failure }));
		// There is no key to remove as long as the credential has not been read.
		return [await deliver(opened?.run ?? { context, redactor: new Redactor([]) }, failed)];
	}
}

class NodeRun {
	/** The results by item; those of a batch are at its first. Undefined for items that did not start or were not sent. */
	private readonly linkedResults: Array<LinkedResult[] | undefined>;
	private readonly keptFields = new Map<number, IDataObject>();
	private readonly isTool: boolean;
	private maxAnswerLength = 0;

	/** @param failing aborted when an item fails, unless the node continues on failure */
	constructor(
		readonly run: RunResources,
		private readonly continues: boolean,
		private readonly failing: AbortController,
	) {
		this.linkedResults = run.context.getInputData().map(() => undefined);
		// Asked only once, because n8n copies the node each time.
		this.isTool = isTool(run.context.getNode());
	}

	async reportProgress(ends: AbortSignal): Promise<void> {
		const { context, client, payments, progress } = this.run;
		for (;;) {
			await client.clock.sleep(REPORT_EVERY_MS, ends);
			if (ends.aborted) return;
			const line = progress.line(payments.paidItems.size, client.ledger.waitsUntil, context.getTimezone());
			logProgress(this.run, line);
		}
	}

	/** Runs one item; it never rejects. */
	async item(operation: ItemOperation, itemIndex: number): Promise<void> {
		let results: LinkedResult[];
		try {
			const ended = [await operation.run(this.call(itemIndex, operation))].flat();
			results = ended.map((one) => ({ from: itemIndex, ...one }));
		} catch (error) {
			const failure = this.failureFrom(error);
			// Another item has failed while this one waited to be sent.
			if (failure.wasHeldBack && !this.isCancelled) return;
			results = [{ from: itemIndex, failure }];
		}
		this.run.progress.ended(itemIndex, results);
		this.ended(itemIndex, results);
	}

	/** Runs items together; it never rejects. */
	async batch(operation: BatchOperation, itemIndexes: number[]): Promise<void> {
		const calls: Call[] = [];
		for (const itemIndex of itemIndexes) {
			this.linkedResults[itemIndex] = [];
			try {
				calls.push(this.call(itemIndex, operation));
			} catch (error) {
				this.ended(itemIndex, [{ from: itemIndex, failure: this.failureFrom(error) }]);
			}
		}
		if (calls.length === 0 || this.failing.signal.aborted) return;
		const [{ itemIndex: first }] = calls;
		try {
			this.ended(first, await operation.runAll(calls));
		} catch (error) {
			const from = calls.map(({ itemIndex }) => itemIndex);
			this.ended(first, [{ from, failure: this.failureFrom(error) }]);
		}
	}

	private ended(itemIndex: number, all: LinkedResult[]): void {
		const { payments } = this.run;
		const results = all.map((one) =>
			'failure' in one ? { ...one, failure: payments.withPayment(one.failure, [one.from].flat()) } : one,
		);
		this.linkedResults[itemIndex] = results;
		if (!this.continues && failedItems(results).size > 0) this.failing.abort();
	}

	/** Reports the run. @returns its output */
	async end(operations: string[]): Promise<INodeExecutionData[]> {
		const { isCancelled, keptFields, linkedResults, run } = this;
		const { context, payments } = run;
		const notStarted = (from: number): LinkedResult[] =>
			isCancelled ? [{ from, failure: cancelledFailure({ attempts: 0 }) }] : [];
		const results = linkedResults.flatMap((linked, itemIndex) => linked ?? notStarted(itemIndex));
		// n8n shows no hints of a node that fails, and its failure names what a retry pays for again.
		const fails = !this.continues && failedItems(results).size > 0;
		const unsent = isCancelled ? 0 : linkedResults.filter((linked) => linked === undefined).length;
		reportRun(run, results, { fails, isCancelled, operations, unsent });
		const items = await deliver(run, results, { payments, keptFields });
		return toolAnswerOf(items, context.getNode(), this.maxAnswerLength);
	}

	private get isCancelled(): boolean {
		return this.run.context.getExecutionCancelSignal()?.aborted === true;
	}

	private call(itemIndex: number, { answerFields }: Pick<Operation, 'answerFields'>): Call {
		const call = new Call(this.run, itemIndex);
		if (call.options.flag(INCLUDE_INPUT_FIELDS))
			this.keptFields.set(itemIndex, call.inputFields(answerFields));
		if (this.isTool) this.maxAnswerLength = call.number(MAX_ANSWER_LENGTH);
		return call;
	}

	private failureFrom(error: unknown): GatewayFailure {
		return this.isCancelled && !(error instanceof GatewayFailure) ? cancelledFailure() : toFailure(error);
	}
}
