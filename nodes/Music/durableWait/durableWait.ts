import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { SIMPLIFY } from '../../shared/fields/options';
import { systemClock, type Clock } from '../../shared/pacing/clock';
import { Call } from '../../shared/runtime/call';
import type { LinkedResult } from '../../shared/runtime/operation';
import { flagOf, ParameterReader } from '../../shared/runtime/parameterReader';
import { nodeError, outputItems } from '../../shared/runtime/exits';
import { deliver } from '../../shared/runtime/deliver';
import { runResources, type RunResources } from '../../shared/runtime/resources';
import { connect } from '../../shared/runtime/runSettings';
import { Redactor } from '../../shared/secrets/redactor';
import { groupBy } from '../../shared/values';
import { readOutputSettings, readTaskId, readTaskQuery } from '../fields';
import { logUnfinishedTasks } from '../tasks/awaitTasks';
import { queryTask } from '../tasks/queryTask';
import { resultsOf } from '../tasks/results';
import { TrackFiles } from '../tasks/trackFiles';
import { isPermanent, timedOut } from '../tasks/waitForTasks';
import { readWaitLimits, type WaitLimits } from './fields';
import { requireLoop } from './loop';
import { nextCheckAt, nextStep } from './schedule';
import { fromItem, toItem, type WaitingItem } from './waitingItem';

/**
 * One pass of the durable wait: checks the tasks that are due, and then either outputs everything through "Done" or lets
 * the execution sleep and come back through "Check Again".
 *
 * @returns the items of "Check Again" and of "Done"; one of the two is empty
 * @throws NodeApiError when "Check Again" does not lead back to the node, or for the first failing item unless the node
 *   continues on failure
 */
export async function waitDurably(
	context: IExecuteFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const exit = { context, redactor: new Redactor([]) };
	let wait: DurableWait;
	try {
		requireLoop(context);
		const parameters = new ParameterReader(context);
		const connection = await connect(context, parameters, clock);
		exit.redactor = connection.client.redactor;
		wait = new DurableWait(runResources(context, connection, { parameters }));
	} catch (error) {
		throw await nodeError(exit, error, 0);
	}
	const [again, done] = await wait.pass();
	return [await outputItems(exit, again), await outputItems(exit, done)];
}

class DurableWait {
	private readonly clock: Clock;
	private readonly calls: Call[];
	private readonly items: WaitingItem[];
	private readonly limits: WaitLimits;
	/** Whether the items contain something that is not in the node's input yet. */
	private isNew = false;

	/** @throws GatewayFailure (kind `input`) when an interval or Max Wait cannot be used */
	constructor(private readonly resources: RunResources<IExecuteFunctions>) {
		const { client, context } = resources;
		const input = context.getInputData();
		this.clock = client.clock;
		this.calls = input.map((_item, index) => new Call(resources, index));
		this.limits = readWaitLimits(this.calls[0]);
		this.items = input.map((item, index) => fromItem(item) ?? this.begin(this.calls[index]));
	}

	async pass(): Promise<INodeExecutionData[][]> {
		const { signal } = this.calls[0];
		for (;;) {
			if (signal?.aborted) return [[], await this.stopped()];
			const now = this.clock.date();
			const nextCheck = Math.min(...this.pending.map((item) => item.nextCheck));
			switch (nextStep(now, { pending: this.pending.length, nextCheck, isNew: this.isNew })) {
				case 'finish':
					return [[], await this.finished()];
				case 'check':
					await this.check(now);
					break;
				case 'stay':
					await this.clock.sleep(nextCheck - now, signal);
					break;
				case 'handOver':
					return [this.loopItems(), []];
				case 'sleep':
					await this.resources.context.putExecutionToWait(new Date(nextCheck));
					return [this.loopItems(), []];
			}
		}
	}

	private get pending(): WaitingItem[] {
		return this.items.filter(({ outcome }) => outcome === undefined);
	}

	private begin(call: Call): WaitingItem {
		this.isNew = true;
		const now = this.clock.date();
		const times = { since: now, until: now + this.limits.maxWaitMs, nextCheck: now };
		try {
			readOutputSettings(call);
			return { ...times, taskId: readTaskId(call) };
		} catch (error) {
			return { ...times, taskId: '', outcome: { kind: 'unknown', failure: toFailure(error) } };
		}
	}

	/** Queries each task that is due once, even if several items name it. */
	private async check(now: number): Promise<void> {
		const due = this.pending.filter(({ nextCheck }) => nextCheck <= now);
		const { slots } = this.resources;
		await Promise.all(
			groupBy(due, ({ taskId }) => taskId).map(
				async (items) => await slots.use(async () => await this.query(items)),
			),
		);
		const checkedAt = this.clock.date();
		for (const item of due.filter(({ outcome }) => outcome === undefined)) {
			if (item.until <= checkedAt) item.outcome = timedOut(item);
			else item.nextCheck = nextCheckAt(checkedAt, item, this.limits.intervals, this.clock.random());
		}
		this.isNew ||= due.some(({ outcome }) => outcome !== undefined);
	}

	/** @param items which name the same task */
	private async query(items: WaitingItem[]): Promise<void> {
		const [first] = items;
		const call = this.calls[this.items.indexOf(first)];
		try {
			const task = await queryTask(call.client, first.taskId, readTaskQuery(call));
			for (const item of items) {
				if (task.state === 'pending') Object.assign(item, { lastSeen: task, lastFailure: undefined });
				else item.outcome = { kind: 'finished', task };
			}
		} catch (error) {
			const failure = toFailure(error);
			for (const item of items) {
				if (isPermanent(failure)) item.outcome = { kind: 'unknown', failure };
				else item.lastFailure = failure;
			}
		}
	}

	private loopItems(): INodeExecutionData[] {
		// A value that cannot be used becomes a failure when the item leaves the loop.
		const keepsPrompts = (index: number) => flagOf(this.calls[index].value(SIMPLIFY)) === false;
		return this.items.map((item, index) => toItem(item, index, keepsPrompts(index)));
	}

	private async finished(): Promise<INodeExecutionData[]> {
		const files = new TrackFiles(this.resources.slots);
		const results = await Promise.all(
			this.items.map(async (item, index) => await this.resultsOf(item, this.calls[index], files)),
		);
		return await deliver(this.resources, results.flat());
	}

	private async resultsOf(
		{ taskId, outcome }: WaitingItem,
		call: Call,
		files: TrackFiles,
	): Promise<LinkedResult[]> {
		const from = call.itemIndex;
		if (outcome === undefined) return [];
		if (outcome.kind === 'unknown') return [{ from, failure: outcome.failure.with({ taskId }) }];
		try {
			return await resultsOf(call, taskId, outcome, readOutputSettings(call), files);
		} catch (error) {
			// Each pass reads the parameters again, and an expression may have another value by now.
			return [{ from, failure: toFailure(error).with({ taskId }) }];
		}
	}

	private async stopped(): Promise<INodeExecutionData[]> {
		await logUnfinishedTasks(
			this.calls[0],
			this.pending.map(({ taskId }) => taskId),
		);
		for (const item of this.pending) {
			item.outcome = { kind: 'unfinished', because: 'cancelled', lastSeen: item.lastSeen };
		}
		return await this.finished();
	}
}
