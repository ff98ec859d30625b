import { GatewayFailure, toFailure } from '../failure/failure';
import type { Clock } from '../limiter/clock';

/** The longest time between two checks of the limits of a request, in milliseconds. */
export const CHECK_EVERY_MS = 250;

/** The time that a connection may take, in milliseconds. A firewall that drops packets gives no answer at all. */
export const CONNECTION_LIMIT_MS = 10_000;

/** Ends attempts at their time limits, and when they are stopped: with one timer, and one listener at each signal. */
export class Watch {
	private readonly watched = new Set<Stopwatch>();
	private readonly heard = new Set<AbortSignal>();
	private isOn = false;

	constructor(readonly clock: Clock) {}

	add(one: Stopwatch): void {
		this.watched.add(one);
		for (const signal of one.stops) {
			if (this.heard.has(signal)) continue;
			this.heard.add(signal);
			signal.addEventListener('abort', this.checkAll, { once: true });
		}
		one.check();
		if (!this.isOn) void this.run();
	}

	delete(one: Stopwatch): void {
		this.watched.delete(one);
	}

	/** Checks until nothing is watched any more. The last timer runs out, because ending it would cost more. */
	private async run(): Promise<void> {
		this.isOn = true;
		try {
			while (this.watched.size > 0) await this.clock.sleep(Math.min(CHECK_EVERY_MS, this.checkAll()));
		} catch (error) {
			this.endAll(error);
		}
		for (const signal of this.heard) signal.removeEventListener('abort', this.checkAll);
		this.heard.clear();
		this.isOn = false;
	}

	/** @returns milliseconds until one of them may be over */
	private readonly checkAll = (): number => {
		try {
			return Math.min(...[...this.watched].map((one) => one.check()));
		} catch (error) {
			this.endAll(error);
			return CHECK_EVERY_MS;
		}
	};

	/** Ends all attempts after a fault: nobody else would learn of it, and they would have no time limit. */
	private endAll(error: unknown): void {
		for (const one of this.watched) one.end(toFailure(error));
	}
}

/** Ends one attempt at a time limit. */
export class Stopwatch {
	/** The limit that ended the attempt, except for that of its connection, which the error of the request reveals. */
	exceeded: 'silence' | 'total' | undefined;
	private readonly controller = new AbortController();
	private readonly startedAt: number;
	private runsFrom: number;
	private held = false;
	private countsBytes = true;
	private connection: { since: number; isMissing: () => boolean; isOverdue?: true } | undefined;

	/** @param limitMs the time without a restart @param totalMs the time with restarts @param stops signals that end it */
	constructor(
		private readonly clock: Clock,
		readonly limitMs: number,
		private readonly totalMs = Number.POSITIVE_INFINITY,
		readonly stops: AbortSignal[] = [],
	) {
		this.startedAt = clock.now();
		this.runsFrom = this.startedAt;
	}

	/** The signal for the request, aborted at a stop or a time limit. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** The fault of this package that has ended the attempt. */
	get fault(): GatewayFailure | undefined {
		const reason: unknown = this.signal.reason;
		return reason instanceof GatewayFailure ? reason : undefined;
	}

	end(fault?: GatewayFailure): void {
		this.controller.abort(fault);
	}

	/** Ends the attempt if a limit is exceeded, or if it is stopped. @returns milliseconds until the next limit */
	check(): number {
		if (this.signal.aborted) return Number.POSITIVE_INFINITY;
		const now = this.clock.now();
		const silenceMs = this.held ? Number.POSITIVE_INFINITY : this.runsFrom + this.limitMs - now;
		const totalMs = this.startedAt + this.totalMs - now;
		if (silenceMs <= 0) this.exceeded = 'silence';
		else if (totalMs <= 0) this.exceeded = 'total';
		const isOver = this.exceeded !== undefined || this.stops.some(({ aborted }) => aborted);
		if (isOver || this.hasNoConnection(now)) this.end();
		return Math.min(silenceMs, totalMs);
	}

	/** Starts the time limit for a connection. @param isMissing tells whether there is still none */
	limitConnection(isMissing: () => boolean): void {
		this.connection = { since: this.clock.now(), isMissing };
	}

	/** Tells whether there is no connection. It asks twice, because a long turn of the event loop may hide a new one. */
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

	/** Lets only the returned function restart the time from now on: an event stream may consist of comments. */
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

/** Returns a signal that is aborted with any of these. Node warns of eleven listeners at one, so wrap it for each. */
export function eitherOf(...some: Array<AbortSignal | undefined>): AbortSignal | undefined {
	const signals = some.filter((signal) => signal !== undefined);
	return signals.length > 1 ? AbortSignal.any(signals) : signals.at(0);
}
