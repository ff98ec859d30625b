import type { Clock } from './clock';

/**
 * The signal of one attempt: aborted when the execution is cancelled or the time limit runs out. `stop`
 * removes the timer and the listener, so that nothing is left behind by a finished request.
 */
export class Stopwatch {
	/** Whether the time limit ran out. */
	timedOut = false;
	private readonly controller = new AbortController();
	private readonly stopped = new AbortController();
	private readonly cancel = () => this.controller.abort();

	/** @param limitMs undefined for no limit */
	constructor(
		clock: Clock,
		private readonly execution: AbortSignal | undefined,
		limitMs: number | undefined,
	) {
		if (execution?.aborted) this.cancel();
		execution?.addEventListener('abort', this.cancel, { once: true });
		if (limitMs !== undefined) void this.expire(clock, limitMs);
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	stop(): void {
		this.stopped.abort();
		this.execution?.removeEventListener('abort', this.cancel);
	}

	private async expire(clock: Clock, limitMs: number): Promise<void> {
		await clock.sleep(limitMs, this.stopped.signal);
		if (this.stopped.signal.aborted) return;
		this.timedOut = true;
		this.controller.abort();
	}
}
