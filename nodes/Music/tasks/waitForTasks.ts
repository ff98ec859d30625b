import { type FailureKind, type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import type { Clock } from '../../shared/limiter/clock';
import { eitherOf } from '../../shared/send/timeLimits';
import type { MusicTask } from './musicTask';

/** How the wait for a task ended. */
export type TaskOutcome =
	/** The task has succeeded or failed. */
	| { kind: 'finished'; task: MusicTask }
	/** The task continues at the gateway. */
	| { kind: 'unfinished'; because: 'timedOut' | 'cancelled'; lastSeen: MusicTask | undefined }
	/** The task could not be queried. */
	| { kind: 'unknown'; failure: GatewayFailure };

/** What {@link waitForTasks} needs. */
export interface TaskWait {
	clock: Clock;
	/** Cancels the wait. */
	signal: AbortSignal | undefined;
	/** Queries a task once. @throws GatewayFailure */
	query(taskId: string, signal: AbortSignal): Promise<MusicTask>;
	intervalMs: number;
	/** Counted from now. At the end, the tasks are polled once more. */
	maxWaitMs: number;
	/** Whether to poll at the start; a task that was just submitted cannot be finished yet. */
	pollsImmediately: boolean;
	/** How many consecutive refusals ("no such task") may be due to a gateway that does not find the task yet. */
	toleratedRefusals: number;
	/** Called as soon as a task is settled, while the wait for the other tasks continues. */
	onOutcome(taskId: string, outcome: TaskOutcome): Promise<void>;
}

/** Intervals are randomly longer by up to this fraction, so that several executions do not poll in step. */
const JITTER = 0.05;
/** How long the final polls may take after Max Wait. */
const FINAL_POLLS_MS = 10_000;

/** Another poll cannot help. */
const PERMANENT: FailureKind[] = ['authentication', 'permission', 'settings', 'input'];
/** The gateway does not know the task, or not yet. */
const REFUSALS: FailureKind[] = ['request', 'notFound'];

interface PendingTask {
	id: string;
	isPolled: boolean;
	refusals: number;
	lastSeen?: MusicTask;
	lastFailure?: GatewayFailure;
}

/**
 * Waits for many tasks together: at every tick of one clock, each pending task that is not being polled is polled once.
 * A failed poll does no harm, because the task is polled again at the next tick.
 *
 * @param taskIds without duplicates
 * @returns when every task is settled and every `onOutcome` has ended
 */
export async function waitForTasks(taskIds: string[], wait: TaskWait): Promise<void> {
	await new TaskWatcher(taskIds, wait).run();
}

class TaskWatcher {
	private readonly pending: Map<string, PendingTask>;
	private readonly handled: Array<Promise<void>> = [];
	private readonly allSettled = new AbortController();
	/** The polls in progress are the last. */
	private isLastTick = false;
	/** Aborted at the end of the wait; stops the polls in progress. */
	private readonly ended = new AbortController();

	constructor(
		taskIds: string[],
		private readonly wait: TaskWait,
	) {
		this.pending = new Map(taskIds.map((id) => [id, { id, isPolled: false, refusals: 0 }]));
	}

	async run(): Promise<void> {
		const { clock, maxWaitMs, pollsImmediately } = this.wait;
		const deadline = clock.now() + maxWaitMs;
		let tick = clock.now() + (pollsImmediately ? 0 : this.interval());
		while (!this.isLastTick) {
			const at = Math.min(tick, deadline);
			await this.sleep(at - clock.now());
			if (this.isOver) break;
			this.isLastTick = at === deadline;
			for (const task of this.pending.values()) void this.poll(task);
			tick = clock.now() + this.interval();
		}
		await this.sleep(FINAL_POLLS_MS);
		this.ended.abort();
		for (const task of this.pending.values()) this.settleUnfinished(task);
		await Promise.all(this.handled);
	}

	private get isOver(): boolean {
		return this.pending.size === 0 || this.wait.signal?.aborted === true;
	}

	private interval(): number {
		return this.wait.intervalMs * (1 + JITTER * this.wait.clock.random());
	}

	private async sleep(ms: number): Promise<void> {
		const { clock, signal } = this.wait;
		if (ms > 0) await clock.sleep(ms, eitherOf(signal, this.allSettled.signal));
	}

	private async poll(task: PendingTask): Promise<void> {
		if (task.isPolled) return;
		task.isPolled = true;
		try {
			const seen = await this.wait.query(task.id, this.ended.signal);
			task.lastSeen = seen;
			task.refusals = 0;
			if (seen.state !== 'pending') this.settle(task, { kind: 'finished', task: seen });
		} catch (error) {
			this.noteFailure(task, toFailure(error));
		}
		task.isPolled = false;
		if (this.isLastTick) this.settleUnfinished(task);
	}

	private noteFailure(task: PendingTask, failure: GatewayFailure): void {
		if (failure.kind === 'cancelled') return;
		task.lastFailure = failure;
		task.refusals = REFUSALS.includes(failure.kind) ? task.refusals + 1 : 0;
		if (PERMANENT.includes(failure.kind) || task.refusals > this.wait.toleratedRefusals) {
			this.settle(task, { kind: 'unknown', failure });
		}
	}

	/** If no poll of a task has succeeded, the reason for that is more useful than the timeout. */
	private settleUnfinished(task: PendingTask): void {
		const { lastSeen, lastFailure } = task;
		const because = this.wait.signal?.aborted ? 'cancelled' : 'timedOut';
		const hasReason = because === 'timedOut' && !lastSeen && lastFailure;
		this.settle(
			task,
			hasReason ? { kind: 'unknown', failure: lastFailure } : { kind: 'unfinished', because, lastSeen },
		);
	}

	private settle(task: PendingTask, outcome: TaskOutcome): void {
		if (!this.pending.delete(task.id)) return;
		this.handled.push(this.wait.onOutcome(task.id, outcome));
		if (this.pending.size === 0) this.allSettled.abort();
	}
}
