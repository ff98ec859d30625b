import type { Clock } from '../limiter/clock';

/** The longest time between two checks of the limits of a request, in milliseconds. */
export const CHECK_EVERY_MS = 250;

/** How long making a connection may take. A firewall that drops packets gives no answer at all. */
export const CONNECTION_LIMIT_MS = 10_000;

/** Ends one attempt at a time limit. */
export class Stopwatch {
	/** The limit that has ended it, except for that of its connection: the error of the request says that it had none. */
	exceeded: 'silence' | 'total' | undefined;
	/** Aborted at a stop or a time limit. */
	readonly signal: AbortSignal;
	private readonly controller = new AbortController();
	private readonly stopped = new AbortController();
	private readonly startedAt: number;
	private runsFrom: number;
	private held = false;
	private countsBytes = true;
	private connection: { since: number; isMissing: () => boolean; isOverdue?: true } | undefined;

	/** @param limitMs how long it may run without a restart @param totalMs with all restarts */
	constructor(
		private readonly clock: Clock,
		execution: AbortSignal | undefined,
		readonly limitMs: number,
		private readonly totalMs = Number.POSITIVE_INFINITY,
	) {
		this.signal = eitherOf(this.controller.signal, execution)!;
		this.startedAt = clock.now();
		this.runsFrom = this.startedAt;
		void this.watch();
	}

	stop(): void {
		// Without an error, whose stack would take a while for each attempt.
		this.stopped.abort(null);
	}

	/** From now on, the request gets a connection, or it ends. @param isMissing whether it still has none */
	limitConnection(isMissing: () => boolean): void {
		this.connection = { since: this.clock.now(), isMissing };
	}

	private async watch(): Promise<void> {
		while (!this.stopped.signal.aborted) {
			const now = this.clock.now();
			const silenceMs = this.held ? Number.POSITIVE_INFINITY : this.runsFrom + this.limitMs - now;
			const totalMs = this.startedAt + this.totalMs - now;
			if (silenceMs <= 0) this.exceeded = 'silence';
			else if (totalMs <= 0) this.exceeded = 'total';
			if (this.exceeded || this.hasNoConnection(now)) return this.controller.abort();
			await this.clock.sleep(Math.min(silenceMs, totalMs, CHECK_EVERY_MS), this.stopped.signal);
		}
	}

	/** A connection may be there of which nothing is known yet, after a long turn of the event loop: it is asked for twice. */
	private hasNoConnection(now: number): boolean {
		const { connection } = this;
		if (!connection || now < connection.since + CONNECTION_LIMIT_MS) return false;
		if (!connection.isMissing()) this.connection = undefined;
		else if (connection.isOverdue) return true;
		else connection.isOverdue = true;
		return false;
	}

	/** Passes chunks from the network through and counts only the time spent waiting for each of them. */
	async *countSilence<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
		this.restart();
		for await (const chunk of chunks) {
			const from = this.clock.now();
			this.held = true;
			yield chunk;
			this.held = false;
			if (this.countsBytes) this.restart();
			else this.runsFrom += this.clock.now() - from;
		}
	}

	/** From now on, only the returned function restarts the time: an event stream may consist of comments. */
	countOnlyProgress(): () => void {
		this.countsBytes = false;
		return () => this.restart();
	}

	/** Passes chunks to the network through; the time restarts with each chunk that the network accepts. */
	async *countUpload<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
		for await (const chunk of chunks) {
			this.restart();
			yield chunk;
		}
		this.restart();
	}

	private restart(): void {
		this.runsFrom = this.clock.now();
	}
}

/** A signal that is aborted when one of some is; a new one, because Node 20 warns of ten listeners at one. */
export function eitherOf(...some: Array<AbortSignal | undefined>): AbortSignal | undefined {
	const signals = some.filter((signal) => signal !== undefined);
	return signals.length > 0 ? AbortSignal.any(signals) : undefined;
}
