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
	polling: boolean;
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
	private readonly polls = new Set<Promise<void>>();
	private readonly handled: Array<Promise<void>> = [];
	private readonly allSettled = new AbortController();
	/** Aborted at the end of the wait; stops the polls in progress. */
	private readonly ended = new AbortController();

	constructor(
		taskIds: string[],
		private readonly wait: TaskWait,
	) {
		this.pending = new Map(taskIds.map((id) => [id, { id, polling: false, refusals: 0 }]));
	}

	async run(): Promise<void> {
		const { clock, signal, maxWaitMs, pollsImmediately } = this.wait;
		const deadline = clock.now() + maxWaitMs;
		let nextTick = clock.now() + (pollsImmediately ? 0 : this.interval());
		while (this.isWaiting()) {
			const at = Math.min(nextTick, deadline);
			await this.sleepUntil(at);
			if (!this.isWaiting()) break;
			this.pollAll();
			if (at === deadline) break;
			nextTick = clock.now() + this.interval();
		}
		if (!signal?.aborted) await this.finishPolls();
		this.ended.abort();
		for (const task of this.pending.values()) this.settle(task, this.outcomeOfUnfinished(task));
		await Promise.all(this.handled);
	}

	private isWaiting(): boolean {
		return this.pending.size > 0 && this.wait.signal?.aborted !== true;
	}

	private interval(): number {
		return this.wait.intervalMs * (1 + JITTER * this.wait.clock.random());
	}

	private async sleepUntil(time: number): Promise<void> {
		const { clock, signal } = this.wait;
		const ms = time - clock.now();
		if (ms > 0) await clock.sleep(ms, eitherOf(signal, this.allSettled.signal));
	}

	private pollAll(): void {
		for (const task of this.pending.values()) {
			if (task.polling) continue;
			task.polling = true;
			const poll = this.poll(task).finally(() => {
				task.polling = false;
				this.polls.delete(poll);
			});
			this.polls.add(poll);
		}
	}

	private async finishPolls(): Promise<void> {
		if (this.polls.size === 0) return;
		const finished = new AbortController();
		const { clock, signal } = this.wait;
		const timeLimit = clock.sleep(FINAL_POLLS_MS, eitherOf(signal, finished.signal));
		await Promise.race([Promise.all(this.polls), timeLimit]);
		finished.abort();
	}

	private async poll(task: PendingTask): Promise<void> {
		if (this.ended.signal.aborted) return;
		try {
			const seen = await this.wait.query(task.id, this.ended.signal);
			task.lastSeen = seen;
			task.refusals = 0;
			if (seen.state !== 'pending') this.settle(task, { kind: 'finished', task: seen });
		} catch (error) {
			this.noteFailure(task, toFailure(error));
		}
	}

	private noteFailure(task: PendingTask, failure: GatewayFailure): void {
		if (failure.kind === 'cancelled') return;
		task.lastFailure = failure;
		task.refusals = REFUSALS.includes(failure.kind) ? task.refusals + 1 : 0;
		if (PERMANENT.includes(failure.kind) || task.refusals > this.wait.toleratedRefusals) {
			this.settle(task, { kind: 'unknown', failure });
		}
	}

	private outcomeOfUnfinished(task: PendingTask): TaskOutcome {
		if (!this.wait.signal?.aborted) return timedOut(task);
		return { kind: 'unfinished', because: 'cancelled', lastSeen: task.lastSeen };
	}

	private settle(task: PendingTask, outcome: TaskOutcome): void {
		if (!this.pending.delete(task.id)) return;
		this.handled.push(this.wait.onOutcome(task.id, outcome));
		if (this.pending.size === 0) this.allSettled.abort();
	}
}

/**
 * The outcome of a task that is not finished after Max Wait. If no poll of it has succeeded, the reason for that is
 * more useful than the timeout.
 */
function timedOut({ lastSeen, lastFailure }: PendingTask): TaskOutcome {
	if (!lastSeen && lastFailure) return { kind: 'unknown', failure: lastFailure };
	return { kind: 'unfinished', because: 'timedOut', lastSeen };
}
