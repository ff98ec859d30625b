import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { GatewayClient } from '../../shared/gateway/client';
import { systemClock, type Clock } from '../../shared/pacing/clock';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { logTasksLeft } from '../tasks/awaitTasks';
import { Semaphore } from '../../shared/runtime/pool';
import { queryTask } from '../tasks/queryTask';
import { resultsOf } from '../tasks/results';
import { readMaxWaitMs, readOutputSettings, readTaskQuery } from '../tasks/settings';
import { TrackFiles } from '../tasks/trackFiles';
import { isLasting } from '../tasks/waitForTasks';
import { Call } from '../../shared/runtime/call';
import type { LinkedResult } from '../../shared/runtime/operation';
import { deliver, readMaxConcurrency } from '../../shared/runtime/runOperations';
import {
	DEFAULT_CHECK_INTERVAL_SECONDS,
	DEFAULT_LONGEST_INTERVAL_SECONDS,
	DEFAULT_MAX_WAIT_MINUTES,
} from './fields';
import { requireLoop } from './loop';
import { nextCheckAt, nextStep, type Rhythm } from './schedule';
import { fromItem, toItem, type WaitingItem } from './waitingItem';

/**
 * One pass of the durable wait: asks for the tasks that are due, then either puts everything out through "Done" or
 * lets the execution sleep and come back through "Check Again".
 *
 * @returns the items of "Check Again" and of "Done"; one of the two is empty
 * @throws NodeApiError when the loop is not wired, or for the first failing item if the node does not continue
 */
export async function waitDurably(
	context: IExecuteFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	let wait: DurableWait;
	try {
		requireLoop(context);
		wait = new DurableWait(context, await GatewayClient.of(context, clock));
	} catch (error) {
		throw toFailure(error).toNodeApiError(context.getNode(), 0);
	}
	return await wait.pass();
}

class DurableWait {
	private readonly clock: Clock;
	private readonly calls: Call[];
	private readonly items: WaitingItem[];
	private readonly places: Semaphore;
	private readonly rhythm: Rhythm;
	/** Whether the items hold something that the node's input does not. */
	private isNew = false;

	/** @throws GatewayFailure (kind `input`) for an interval that cannot be used */
	constructor(
		private readonly context: IExecuteFunctions,
		client: GatewayClient,
	) {
		this.clock = client.clock;
		const maxConcurrency = readMaxConcurrency(context);
		this.places = new Semaphore(maxConcurrency);
		const input = context.getInputData();
		this.calls = input.map((_item, index) => new Call(context, index, client, maxConcurrency, this.places));
		this.rhythm = readRhythm(this.calls[0]);
		const maxWaitMs = readMaxWaitMs(this.calls[0], DEFAULT_MAX_WAIT_MINUTES);
		this.items = input.map((item, index) => fromItem(item) ?? this.begin(this.calls[index], maxWaitMs));
	}

	async pass(): Promise<INodeExecutionData[][]> {
		const { signal } = this.calls[0];
		for (;;) {
			if (signal?.aborted) return [[], await this.stopped()];
			const now = this.clock.now();
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
					await this.context.putExecutionToWait(new Date(nextCheck));
					return [this.loopItems(), []];
			}
		}
	}

	private get pending(): WaitingItem[] {
		return this.items.filter(({ outcome }) => outcome === undefined);
	}

	private begin(call: Call, maxWaitMs: number): WaitingItem {
		this.isNew = true;
		const now = this.clock.now();
		const times = { since: now, until: now + maxWaitMs, nextCheck: now };
		try {
			readOutputSettings(call);
			return { ...times, taskId: call.requiredText('taskId', 'Task ID').trim() };
		} catch (error) {
			return { ...times, taskId: '', outcome: { kind: 'unknown', failure: toFailure(error) } };
		}
	}

	/** Asks once for each task that is due; a task that several items name is asked for once. */
	private async check(now: number): Promise<void> {
		const due = this.pending.filter(({ nextCheck }) => nextCheck <= now);
		const taskIds = [...new Set(due.map(({ taskId }) => taskId))];
		await Promise.all(
			taskIds.map(async (taskId) => {
				const asking = due.filter((item) => item.taskId === taskId);
				await this.places.use(async () => await this.look(taskId, asking));
			}),
		);
		const checkedAt = this.clock.now();
		for (const item of due.filter(({ outcome }) => outcome === undefined)) {
			if (item.until <= checkedAt) timeOut(item);
			else item.nextCheck = nextCheckAt(checkedAt, item, this.rhythm, this.clock.random());
		}
		this.isNew ||= due.some(({ outcome }) => outcome !== undefined);
	}

	private async look(taskId: string, items: WaitingItem[]): Promise<void> {
		const call = this.calls[this.items.indexOf(items[0])];
		try {
			const task = await queryTask(call.client, taskId, readTaskQuery(call));
			for (const item of items) {
				if (task.state === 'pending') Object.assign(item, { lastSeen: task, lastFailure: undefined });
				else item.outcome = { kind: 'over', task };
			}
		} catch (error) {
			const failure = toFailure(error);
			for (const item of items) {
				if (isLasting(failure)) item.outcome = { kind: 'unknown', failure };
				else item.lastFailure = failure;
			}
		}
	}

	private loopItems(): INodeExecutionData[] {
		return this.items.map((item, index) => toItem(item, index, !this.calls[index].flag('simplify')));
	}

	private async finished(): Promise<INodeExecutionData[]> {
		const files = new TrackFiles(this.places);
		const results = await Promise.all(
			this.items.map(async (item, index) => await this.resultsOf(item, this.calls[index], files)),
		);
		return deliver(this.context, results.flat());
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
			// The parameters are read anew in each pass, and an expression may give something else by now.
			return [{ from, failure: toFailure(error).with({ taskId }) }];
		}
	}

	private async stopped(): Promise<INodeExecutionData[]> {
		logTasksLeft(
			this.calls[0],
			this.pending.map(({ taskId }) => taskId),
		);
		for (const item of this.pending) {
			item.outcome = { kind: 'unfinished', because: 'cancelled', lastSeen: item.lastSeen };
		}
		return await this.finished();
	}
}

/** A task that could not be seen even once did not time out: why it was not seen is what matters. */
function timeOut(item: WaitingItem): void {
	const { lastSeen, lastFailure } = item;
	item.outcome =
		lastSeen === undefined && lastFailure
			? { kind: 'unknown', failure: lastFailure }
			: { kind: 'unfinished', because: 'timedOut', lastSeen };
}

function readRhythm(call: Call): Rhythm {
	const limits = { min: 5, max: 86_400 };
	const first = call.optionalNumber('checkIntervalSeconds', 'Check Interval (Seconds)', limits);
	const longest = call.optionalNumber('longestIntervalSeconds', 'Longest Interval (Seconds)', limits);
	return {
		firstIntervalMs: (first ?? DEFAULT_CHECK_INTERVAL_SECONDS) * 1000,
		longestIntervalMs: (longest ?? DEFAULT_LONGEST_INTERVAL_SECONDS) * 1000,
	};
}
