import type { IExecuteFunctions, INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';
import { cancelledFailure } from '../errors/errorMessages';
import { GatewayClient } from '../gateway/client';
import { systemClock, type Clock } from '../pacing/clock';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { Call } from './call';
import type { BatchOperation, ItemOperation, LinkedResult, Operation } from './operation';
import { finishedResults, toErrorOutputItem, toOutputItem } from './output';
import { Parameters } from './parameterReader';
import { Places, runPool } from './pool';

export const DEFAULT_MAX_CONCURRENCY = 5;

/**
 * The `execute` of every action node: runs the chosen operation on all input items, at most Max Concurrency
 * at a time, and gives the results in the order of the input, each linked to its item.
 *
 * When the node continues on failure, a failing item becomes `{ error, details }`. Otherwise no further
 * item is started, those under way are finished (they are paid for), and the first failure is thrown.
 *
 * @throws NodeApiError with the finished results in its context
 */
export async function runOperations(
	context: IExecuteFunctions,
	operations: Operation[],
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	return [deliver(context, await new Run(context, operations, clock).all(count))];
}

/**
 * Results as output items; a failure becomes `{ error, details }` when the node continues on failure.
 *
 * @throws NodeApiError for the first failure otherwise, with the finished results in its context
 */
export function deliver(context: IExecuteFunctions, results: LinkedResult[]): INodeExecutionData[] {
	if (!context.continueOnFail()) throwFirstFailure(context, results);
	return results.map((linked) =>
		'result' in linked ? toOutputItem(linked.result, linked.from) : toErrorOutputItem(linked, linked.from),
	);
}

/** Max Concurrency of the first item, which counts for the whole run. */
export function readMaxConcurrency(context: IExecuteFunctions | ISupplyDataFunctions): number {
	const set = context.getNodeParameter('options.maxConcurrency', 0, DEFAULT_MAX_CONCURRENCY) as number;
	return Number.isFinite(set) && set >= 1 ? Math.floor(set) : DEFAULT_MAX_CONCURRENCY;
}

function throwFirstFailure(context: IExecuteFunctions, results: LinkedResult[]): void {
	const failures = results.filter((linked) => 'failure' in linked);
	// A cancelled item says less than the one that really failed.
	const first = failures.find(({ failure }) => failure.kind !== 'cancelled') ?? failures[0];
	if (!first) return;
	const itemIndex = Array.isArray(first.from) ? first.from[0] : first.from;
	throw first.failure.toNodeApiError(context.getNode(), itemIndex, finishedResults(results, first.failure));
}

class Run {
	private client: Promise<GatewayClient> | undefined;
	private readonly maxConcurrency: number;
	private readonly places: Places;
	/** For items that only have their files fetched. */
	private readonly placesBeside: Places;
	private readonly signal: AbortSignal | undefined;
	private readonly parameters: Parameters;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operations: Operation[],
		private readonly clock: Clock,
	) {
		this.signal = context.getExecutionCancelSignal();
		this.parameters = new Parameters(context);
		this.maxConcurrency = readMaxConcurrency(context);
		this.places = new Places(this.maxConcurrency);
		this.placesBeside = new Places(this.maxConcurrency);
	}

	async all(count: number): Promise<LinkedResult[]> {
		const batches = new Map<BatchOperation, number[]>();
		const outcomes = new Array<LinkedResult[] | undefined>(count).fill(undefined);
		let stopped = false;
		const settle = (itemIndex: number, linked: LinkedResult[]) => {
			outcomes[itemIndex] = linked;
			stopped ||= !this.context.continueOnFail() && linked.some((one) => 'failure' in one);
		};
		await runPool(
			count,
			this.maxConcurrency,
			async (itemIndex, leave) => {
				const operation = this.operationOf(itemIndex);
				if ('runAll' in operation) {
					const itemIndexes = batches.get(operation) ?? [];
					itemIndexes.push(itemIndex);
					batches.set(operation, itemIndexes);
				} else {
					settle(itemIndex, await this.one(operation, itemIndex, leave));
				}
			},
			() => !stopped && !this.signal?.aborted,
		);
		for (const [operation, itemIndexes] of batches) {
			if (stopped) break;
			const results = await this.batch(operation, itemIndexes);
			for (const itemIndex of itemIndexes) settle(itemIndex, []);
			settle(itemIndexes[0], results);
		}
		return this.signal?.aborted ? withCancelled(outcomes) : outcomes.flatMap((linked) => linked ?? []);
	}

	private async one(operation: ItemOperation, itemIndex: number, leave: () => void): Promise<LinkedResult[]> {
		try {
			const results = await operation.run(await this.call(itemIndex, leave));
			return [results]
				.flat()
				.map((one) => ('failure' in one ? { from: itemIndex, ...one } : { from: itemIndex, result: one }));
		} catch (error) {
			return [{ from: itemIndex, failure: this.toFailure(error) }];
		}
	}

	private async batch(operation: BatchOperation, itemIndexes: number[]): Promise<LinkedResult[]> {
		try {
			const calls = await Promise.all(itemIndexes.map(async (itemIndex) => await this.call(itemIndex)));
			return await operation.runAll(calls);
		} catch (error) {
			return [{ from: itemIndexes, failure: this.toFailure(error) }];
		}
	}

	private async call(itemIndex: number, leave: () => void = () => {}): Promise<Call> {
		this.client ??= GatewayClient.of(this.context, this.clock);
		return new Call(
			this.context,
			itemIndex,
			await this.client,
			this.maxConcurrency,
			this.places,
			this.parameters,
			async (work) =>
				await this.placesBeside.use(async () => {
					leave();
					return await work();
				}),
		);
	}

	private operationOf(itemIndex: number): Operation {
		const chosen = (name: string) => this.parameters.read(name, itemIndex) as string;
		const value = chosen('operation');
		const candidates = this.operations.filter((operation) => operation.value === value);
		if (candidates.length === 1) return candidates[0];
		const resource = chosen('resource');
		const found = candidates.find((operation) => operation.resource === resource);
		return found ?? unknownOperation(value);
	}

	private toFailure(error: unknown): GatewayFailure {
		return this.signal?.aborted && !(error instanceof GatewayFailure) ? cancelledFailure() : toFailure(error);
	}
}

/** Stands in for an operation that this version of the node does not have. */
function unknownOperation(value: string): ItemOperation {
	const failure = new GatewayFailure(
		'input',
		`Operation "${value}" does not exist in this node`,
		'Choose an operation from the list. If the workflow was made with a newer version of this package, update the package.',
	);
	return {
		value,
		name: value,
		action: value,
		description: failure.description,
		fields: [],
		run: async () => await Promise.reject(failure),
	};
}

function withCancelled(outcomes: Array<LinkedResult[] | undefined>): LinkedResult[] {
	return Array.from(
		outcomes,
		(linked, itemIndex) => linked ?? [{ from: itemIndex, failure: cancelledFailure({ attempts: 0 }) }],
	).flat();
}
