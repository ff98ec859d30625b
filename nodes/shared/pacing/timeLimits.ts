import type { Clock } from './clock';

/** How often the time limits are looked at, in milliseconds: one timer for all costs less than one for each. */
export const LOOK_EVERY_MS = 50;

/**
 * Looks after the time limits of all requests of a run. Its timer ends by itself a moment after the last of
 * them.
 */
export class TimeLimits {
	private readonly running = new Set<Stopwatch>();
	private looking = false;

	constructor(readonly clock: Clock) {}

	started(stopwatch: Stopwatch): void {
		this.running.add(stopwatch);
		if (!this.looking) void this.look();
	}

	stopped(stopwatch: Stopwatch): void {
		this.running.delete(stopwatch);
	}

	private async look(): Promise<void> {
		this.looking = true;
		while (this.running.size > 0) {
			await this.clock.sleep(LOOK_EVERY_MS);
			for (const stopwatch of this.running) stopwatch.check();
		}
		this.looking = false;
	}
}

/**
 * The signal of one attempt: aborted when the execution is cancelled or the time limit runs out. `stop`
 * removes the listener, so that nothing is left behind by a finished request.
 */
export class Stopwatch {
	/** Whether the time limit ran out. */
	timedOut = false;
	private readonly controller = new AbortController();
	private readonly cancel = () => this.controller.abort();
	private runsFrom: number;
	private held = false;

	/** @param limitMs how long it may run without being started anew */
	constructor(
		private readonly limits: TimeLimits,
		private readonly execution: AbortSignal | undefined,
		private readonly limitMs: number,
	) {
		this.runsFrom = limits.clock.now();
		if (execution?.aborted) this.cancel();
		execution?.addEventListener('abort', this.cancel, { once: true });
		limits.started(this);
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	stop(): void {
		this.limits.stopped(this);
		this.execution?.removeEventListener('abort', this.cancel);
	}

	/** Whether the time is up; the request is stopped then. Called by {@link TimeLimits}. */
	check(): void {
		if (this.held || this.limits.clock.now() < this.runsFrom + this.limitMs) return;
		this.timedOut = true;
		this.limits.stopped(this);
		this.controller.abort();
	}

	/**
	 * Hands on what comes from the network and counts only the time spent waiting for it, anew for each
	 * piece: for bodies that may rightly take long as long as they move.
	 */
	async *countSilence<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
		this.restart();
		for await (const chunk of chunks) {
			this.held = true;
			yield chunk;
			this.held = false;
			this.restart();
		}
	}

	/** Hands on what goes to the network; the time starts anew with each piece that it takes. */
	async *countUpload<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
		for await (const chunk of chunks) {
			this.restart();
			yield chunk;
		}
		this.restart();
	}

	private restart(): void {
		this.runsFrom = this.limits.clock.now();
	}
}
