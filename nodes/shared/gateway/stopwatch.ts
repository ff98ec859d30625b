import type { Clock } from './clock';

/** Made once: without it, abort() would make an error with a stack for each request. */
const STOPPED = new Error('stopped');

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
	private runsFrom: number;
	private held = false;

	/** @param limitMs how long it may run without being started anew */
	constructor(
		private readonly clock: Clock,
		private readonly execution: AbortSignal | undefined,
		private readonly limitMs: number,
	) {
		this.runsFrom = clock.now();
		if (execution?.aborted) this.cancel();
		execution?.addEventListener('abort', this.cancel, { once: true });
		void this.expire();
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	stop(): void {
		this.stopped.abort(STOPPED);
		this.execution?.removeEventListener('abort', this.cancel);
	}

	/**
	 * Hands on what comes from the network and counts only the time spent waiting for it, anew for each
	 * piece: for bodies that may rightly take long as long as they move.
	 */
	async *countSilence<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
		this.runsFrom = this.clock.now();
		for await (const chunk of chunks) {
			this.held = true;
			yield chunk;
			this.held = false;
			this.runsFrom = this.clock.now();
		}
	}

	/** Hands on what goes to the network; the time starts anew with each piece that it takes. */
	async *countUpload<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
		for await (const chunk of chunks) {
			this.runsFrom = this.clock.now();
			yield chunk;
		}
		this.runsFrom = this.clock.now();
	}

	private async expire(): Promise<void> {
		for (let left = this.limitMs; left > 0;) {
			await this.clock.sleep(left, this.stopped.signal);
			if (this.stopped.signal.aborted) return;
			left = this.held ? this.limitMs : this.runsFrom + this.limitMs - this.clock.now();
		}
		this.timedOut = true;
		this.controller.abort();
	}
}
