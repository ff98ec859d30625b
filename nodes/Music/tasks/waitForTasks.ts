import type { FailureKind } from '../../shared/failure/kinds';
import { type GatewayFailure, toFailure } from '../../shared/failure/failure';
import type { Clock } from '../../shared/limiter/clock';
import { groupBy } from '../../shared/plain/values';
import type { Call } from '../../shared/run/call';
import { logWarning } from '../../shared/run/exits';
import type { LinkedResult } from '../../shared/run/operation';
import type { Paid } from '../../shared/run/payments';
import { eitherOf } from '../../shared/send/timeLimits';
import type { WaitSettings } from '../fields';
import { type MusicTask, queryTask, type TaskOutcome } from './musicTask';
import { ofSubmitted, resultsAsBefore, resultsOf, type TaskResult } from './results';

export interface TaskItem {
	call: Call;
	results: TaskResult[];
	/** The task that the gateway has; undefined if the item has failed. */
	taskId?: string;
	/** The settings for the wait; undefined if the node does not wait for the task. */
	wait?: WaitSettings;
	/** What the gateway reports as the cost of a task that this node has submitted; the first result has it. */
	cost?: number;
	/** Lets only a retry that a person starts submit the song again; undefined if this node has not submitted it. */
	noteUnusable?: Paid<unknown>['noteUnusable'];
}

/**
 * Waits for the tasks of many items together, and downloads their tracks as soon as one is finished. The wait settings
 * of the first item apply to all. If the execution is stopped, n8n's log has the IDs of tasks that may continue.
 */
export async function finishTasks(
	items: TaskItem[],
	polling: Pick<TaskWait, 'pollsImmediately' | 'toleratedRefusals'>,
): Promise<LinkedResult[]> {
	const unsettled: WaitingItem[] = [];
	for (const item of items.filter(isWaiting)) {
		const before = await resultsAsBefore(item.call, item.taskId, item.wait.output);
		if (before) end(item, before);
		else unsettled.push(item);
	}
	const groups = new Map(groupBy(unsettled, ({ taskId }) => taskId).map((group) => [group[0].taskId, group]));
	const [first] = [...groups.values()].flat();
	if (first) {
		const { client, signal } = first.call;
		await waitForTasks([...groups.keys()], {
			...polling,
			...first.wait.times,
			clock: client.clock,
			signal,
			query: async (taskId, ended) => {
				const options = groups.get(taskId)?.[0].wait.request;
				// A failed poll is repeated after the next interval.
				const once = { ...options, maxRetries: 0, maxRateLimitRetries: 0, signal: ended };
				return await queryTask(client, taskId, once);
			},
			onOutcome: async (taskId, outcome) => {
				await Promise.all((groups.get(taskId) ?? []).map(async (item) => await settle(item, outcome)));
			},
		});
	}
	const taskIds = [...new Set(items.flatMap(({ taskId }) => taskId ?? []))];
	const call = items[0]?.call;
	if (call?.signal?.aborted && taskIds.length > 0) {
		logWarning(
			call,
			`The execution was stopped. Music tasks that were submitted continue at the gateway: ${taskIds.join(', ')}`,
		);
	}
	return items.flatMap(linkedResults);
}

async function settle(item: WaitingItem, outcome: TaskOutcome): Promise<void> {
	const seen = item.noteUnusable ? ofSubmitted(outcome) : outcome;
	const results = await resultsOf(item.call, item.taskId, seen, item.wait.output);
	const [first] = results;
	const isTaskFailure = 'failure' in first && first.failure.kind === 'task';
	if (isTaskFailure) await item.noteUnusable?.(first.failure);
	end(item, results);
}

function end(item: WaitingItem, results: TaskResult[]): void {
	item.results = results;
	const paid = results.find((result) => 'json' in result);
	if (paid && item.wait.output.simplify) paid.json.cost = item.cost;
	item.call.progress.ended(item.call.itemIndex, linkedResults(item));
}

function linkedResults({ call: { itemIndex: from }, results }: TaskItem): LinkedResult[] {
	return results.map((result) => ({ from, ...result }));
}

type WaitingItem = TaskItem & Required<Pick<TaskItem, 'taskId' | 'wait'>>;

function isWaiting(item: TaskItem): item is WaitingItem {
	return item.taskId !== undefined && item.wait !== undefined;
}

export interface TaskWait {
	clock: Clock;
	signal: AbortSignal | undefined;
	/** Queries a task once. @throws GatewayFailure */
	query(taskId: string, signal: AbortSignal): Promise<MusicTask>;
	intervalMs: number;
	/** Counted from the beginning of the wait. At the end, the tasks are polled once more. */
	maxWaitMs: number;
	/** True to poll at the start; a task that was just submitted cannot be finished yet. */
	pollsImmediately: boolean;
	/** The number of consecutive refusals ("no such task") that may mean that the gateway does not find the task yet. */
	toleratedRefusals: number;
	/** Called as soon as a task is settled, while the wait for the other tasks continues. */
	onOutcome(taskId: string, outcome: TaskOutcome): Promise<void>;
}

/** Intervals are randomly longer by up to this fraction, so that tasks and executions are not polled in step. */
const JITTER = 0.05;
/** The time that the final polls may take after Max Wait. */
const FINAL_POLLS_MS = 10_000;

/** The longest interval after polls that were refused because of a rate limit, unless the gateway asks for more. */
const LONGEST_BACK_OFF_MS = 60_000;

/** Failures for which another poll cannot help. */
const PERMANENT: FailureKind[] = ['authentication', 'permission', 'settings', 'input', 'bug'];
/** Failures of a gateway that does not know the task, or not yet. */
const REFUSALS: FailureKind[] = ['request', 'notFound'];

/** Waits until every task is settled. A failed poll does no harm, because the task is polled again. */
export async function waitForTasks(taskIds: string[], wait: TaskWait): Promise<void> {
	const { clock, maxWaitMs, signal } = wait;
	const settled = new AbortController();
	const ended = new AbortController();
	void clock.sleep(maxWaitMs + FINAL_POLLS_MS, eitherOf(signal, settled.signal)).then(() => ended.abort());
	const finish = async (id: string) => await wait.onOutcome(id, await waitForTask(id, wait, ended.signal));
	await Promise.all(taskIds.map(finish));
	settled.abort();
}

/** @param ended aborted at the end of the wait; stops the poll in progress */
async function waitForTask(taskId: string, wait: TaskWait, ended: AbortSignal): Promise<TaskOutcome> {
	const { clock, maxWaitMs } = wait;
	const signal = eitherOf(wait.signal);
	const deadline = clock.now() + maxWaitMs;
	const nextPoll = (ms = wait.intervalMs) => clock.now() + ms * (1 + JITTER * clock.random());
	let pollAt = wait.pollsImmediately ? clock.now() : nextPoll();
	let isLast = false;
	let refusals = 0;
	let limited = 0;
	let lastSeen: MusicTask | undefined;
	let lastFailure: GatewayFailure | undefined;
	while (!isLast && !ended.aborted) {
		isLast = pollAt >= deadline;
		const waitMs = Math.min(pollAt, deadline) - clock.now();
		if (waitMs > 0) await clock.sleep(waitMs, signal);
		if (signal?.aborted) break;
		try {
			lastSeen = await wait.query(taskId, ended);
			if (lastSeen.state !== 'pending') return { kind: 'finished', task: lastSeen };
			refusals = limited = 0;
			pollAt = nextPoll();
		} catch (error) {
			const failure = toFailure(error);
			if (failure.kind !== 'cancelled') lastFailure = failure;
			refusals = REFUSALS.includes(failure.kind) ? refusals + 1 : 0;
			if (PERMANENT.includes(failure.kind) || refusals > wait.toleratedRefusals) {
				return { kind: 'unknown', failure };
			}
			limited = failure.kind === 'rateLimit' ? limited + 1 : 0;
			pollAt = nextPoll(Math.max(backOffOf(wait, limited), failure.verdict.waitMs ?? 0));
		}
	}
	const because = signal?.aborted ? 'cancelled' : 'timedOut';
	// If no poll has succeeded, the reason for that is more useful than the timeout.
	if (because === 'timedOut' && !lastSeen && lastFailure) return { kind: 'unknown', failure: lastFailure };
	return { kind: 'unfinished', because, lastSeen };
}

/** Returns the next interval, which doubles with each consecutive refusal after the first. */
function backOffOf({ intervalMs }: TaskWait, limited: number): number {
	const backOffMs = Math.min(intervalMs * 2 ** (limited - 1), LONGEST_BACK_OFF_MS);
	return Math.max(intervalMs, backOffMs);
}
