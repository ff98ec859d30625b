import type { Clock } from '../../shared/pacing/clock';
import { type FailureKind, type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import type { MusicTask } from './musicTask';
import type { Semaphore } from '../../shared/runtime/pool';

/** How the wait for a task ended. */
export type TaskOutcome =
	| { kind: 'over'; task: MusicTask }
	/** The task goes on at the gateway. */
	| { kind: 'unfinished'; because: 'timedOut' | 'cancelled'; lastSeen: MusicTask | undefined }
	/** The task could not be asked for; `failure` holds its id. */
	| { kind: 'unknown'; failure: GatewayFailure };

/** What a wait needs. */
export interface TaskWait {
	clock: Clock;
	/** Cancels the wait. */
	signal: AbortSignal | undefined;
	/** Limits the polls that are under way at once. */
	places: Semaphore;
	/** Asks for a task once. @throws GatewayFailure */
	look(taskId: string, signal: AbortSignal): Promise<MusicTask>;
	intervalMs: number;
	/** Counted from now; the tasks are looked at once more when it is over. */
	maxWaitMs: number;
	/** Whether the first look is taken at once; a task that was just submitted cannot be over yet. */
	lookAtOnce: boolean;
	/** How many refusals in a row ("no such task") are still put down to a gateway that lags behind. */
	refusalsTolerated: number;
	/** Called as soon as a task is settled; the wait for the other tasks goes on meanwhile. */
	onOutcome(taskId: string, outcome: TaskOutcome): Promise<void>;
}

/** Intervals are longer by up to this part, by chance, so that several executions do not poll in step. */
const JITTER = 0.05;
/** How long the last looks may take when the wait is over. */
const LAST_LOOK_MS = 10_000;

/** These say that asking again is in vain. */
const LASTING: FailureKind[] = ['authentication', 'permission', 'settings', 'input'];
const REFUSALS: FailureKind[] = ['request', 'notFound'];

/** Whether asking for the task again cannot help, because the gateway does not know it or not the key. */
export function isLasting({ kind }: GatewayFailure): boolean {
	return LASTING.includes(kind) || REFUSALS.includes(kind);
}

interface PendingTask {
	id: string;
	polling: boolean;
	refusals: number;
	lastSeen?: MusicTask;
	lastFailure?: GatewayFailure;
}

/**
 * Waits for many tasks together: at every tick of one clock each pending task that is not being polled is polled
 * once. A poll that fails does no harm; the task is asked for again at the next tick.
 *
 * @param taskIds each only once
 * @returns when every task is settled and every `onOutcome` has ended
 */
export async function waitForTasks(taskIds: string[], wait: TaskWait): Promise<void> {
	await new Watch(taskIds, wait).run();
}

class Watch {
	private readonly pending: Map<string, PendingTask>;
	private readonly underWay = new Set<Promise<void>>();
	private readonly handled: Array<Promise<void>> = [];
	/** Aborted when nothing is pending any more, or waiting has ended: ends sleeps and polls. */
	private readonly over = new AbortController();
	private readonly allSettled = new AbortController();

	constructor(
		taskIds: string[],
		private readonly wait: TaskWait,
	) {
		this.pending = new Map(taskIds.map((id) => [id, { id, polling: false, refusals: 0 }]));
	}

	async run(): Promise<void> {
		const { clock, signal, maxWaitMs, lookAtOnce } = this.wait;
		const deadline = clock.now() + maxWaitMs;
		let nextTick = clock.now() + (lookAtOnce ? 0 : this.interval());
		while (this.isGoingOn()) {
			const at = Math.min(nextTick, deadline);
			await this.sleepUntil(at);
			if (!this.isGoingOn()) break;
			this.pollAll();
			if (at === deadline) break;
			nextTick = clock.now() + this.interval();
		}
		if (!signal?.aborted) await this.lastLooks();
		this.over.abort();
		for (const task of this.pending.values()) this.settle(task, this.unfinished(task));
		await Promise.all(this.handled);
	}

	private isGoingOn(): boolean {
		return this.pending.size > 0 && this.wait.signal?.aborted !== true;
	}

	private interval(): number {
		return this.wait.intervalMs * (1 + JITTER * this.wait.clock.random());
	}

	private async sleepUntil(time: number): Promise<void> {
		const { clock, signal } = this.wait;
		const ms = time - clock.now();
		if (ms <= 0) return;
		const signals = [this.allSettled.signal, ...(signal ? [signal] : [])];
		await clock.sleep(ms, AbortSignal.any(signals));
	}

	private pollAll(): void {
		for (const task of this.pending.values()) {
			if (task.polling) continue;
			task.polling = true;
			const poll = this.wait.places
				.use(async () => await this.poll(task))
				.finally(() => {
					task.polling = false;
					this.underWay.delete(poll);
				});
			this.underWay.add(poll);
		}
	}

	private async lastLooks(): Promise<void> {
		if (this.underWay.size === 0) return;
		const { clock, signal } = this.wait;
		const done = new AbortController();
		const signals = [done.signal, ...(signal ? [signal] : [])];
		const patience = clock.sleep(LAST_LOOK_MS, AbortSignal.any(signals));
		await Promise.race([Promise.all(this.underWay), patience]);
		done.abort();
	}

	private async poll(task: PendingTask): Promise<void> {
		if (this.over.signal.aborted) return;
		try {
			const seen = await this.wait.look(task.id, this.over.signal);
			task.lastSeen = seen;
			task.refusals = 0;
			if (seen.state !== 'pending') this.settle(task, { kind: 'over', task: seen });
		} catch (error) {
			this.noteFailure(task, toFailure(error));
		}
	}

	private noteFailure(task: PendingTask, failure: GatewayFailure): void {
		if (failure.kind === 'cancelled') return;
		task.lastFailure = failure;
		task.refusals = REFUSALS.includes(failure.kind) ? task.refusals + 1 : 0;
		if (LASTING.includes(failure.kind) || task.refusals > this.wait.refusalsTolerated) {
			this.settle(task, { kind: 'unknown', failure });
		}
	}

	/** A task that could not be seen even once did not time out: why it was not seen is what matters. */
	private unfinished({ lastSeen, lastFailure }: PendingTask): TaskOutcome {
		const cancelled = this.wait.signal?.aborted === true;
		if (!cancelled && !lastSeen && lastFailure) return { kind: 'unknown', failure: lastFailure };
		return { kind: 'unfinished', because: cancelled ? 'cancelled' : 'timedOut', lastSeen };
	}

	private settle(task: PendingTask, outcome: TaskOutcome): void {
		if (!this.pending.delete(task.id)) return;
		this.handled.push(this.wait.onOutcome(task.id, outcome));
		if (this.pending.size === 0) this.allSettled.abort();
	}
}
