import type { Clock } from '../limiter/clock';

/** What one answer has used, as far as the gateway reports it. */
export interface TokenUsage {
	inputTokens?: number | null;
	outputTokens?: number | null;
	totalTokens?: number | null;
	/** In the currency of the gateway. */
	cost?: number;
}

/** What the requests of a run have cost so far. Downloads do not count. */
export class Ledger {
	/** How many requests were sent to the gateway, repeated ones included. */
	requests = 0;
	/** How many of them repeated an earlier one. */
	retries = 0;
	/** How many of them nobody is charged for, such as status checks. */
	free = 0;
	readonly tokens = { input: 0, output: 0 };
	/** As far as the gateway reports it. */
	cost = 0;
	private waiting = 0;
	private waitsSince = 0;
	private waitedBefore = 0;
	private until = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	/** @param attempts how often the request was sent, including this time */
	sent(attempts: number, isPaid = true): void {
		this.requests += 1;
		if (attempts > 1) this.retries += 1;
		if (!isPaid) this.free += 1;
	}

	/** Counts the tokens, and the cost, of an answer that this run has paid for. */
	used({ inputTokens, outputTokens, totalTokens, cost }: TokenUsage): void {
		this.tokens.input += inputTokens ?? (outputTokens ? 0 : (totalTokens ?? 0));
		this.tokens.output += outputTokens ?? 0;
		this.cost += cost ?? 0;
	}

	/**
	 * Does something that waits for a limit of the gateway, as far as it waits at all.
	 *
	 * @param forMs how long it will wait, if that is known
	 */
	async waitForLimit<T>(wait: () => Promise<T>, forMs = 0): Promise<T> {
		if (forMs > 0) this.until = Math.max(this.until, this.clock.date() + forMs);
		this.waiting += 1;
		if (this.waiting === 1) this.waitsSince = this.clock.now();
		try {
			return await wait();
		} finally {
			this.waiting -= 1;
			if (this.waiting === 0) this.waitedBefore += this.clock.now() - this.waitsSince;
		}
	}

	/** How long at least one request has waited for a limit, in milliseconds. */
	get waitedMs(): number {
		return this.waitedBefore + (this.waiting > 0 ? this.clock.now() - this.waitsSince : 0);
	}

	/** Until when requests wait for a limit, in milliseconds since the epoch; undefined while none does. */
	get waitsUntil(): number | undefined {
		return this.waiting > 0 && this.until > this.clock.date() ? this.until : undefined;
	}
}
