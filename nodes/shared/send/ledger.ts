import type { Clock } from '../limiter/clock';
import type { TokenUsage } from '../answer/answerReaders';
import { addedTo, type Amounts, amountsOf, type SpendingLimits } from './spendingLimits';

const MAX_MODELS = 5;

/** What the requests of a run have cost so far. Downloads do not count. */
export class Ledger {
	requests = 0;
	/** How many of them repeated an earlier one. */
	retries = 0;
	/** How many of them cost nothing, such as status checks. */
	free = 0;
	readonly tokens = { input: 0, output: 0 };
	/** As far as the gateway reports it. */
	cost = 0;
	/** Which models were asked, if not too many. */
	readonly models = new Set<string>();
	private waiting = 0;
	private waitsSince = 0;
	private waitedBefore = 0;
	private until = Number.NEGATIVE_INFINITY;

	/** @param limits what the node may spend in the execution; undefined without Spending Limits */
	constructor(
		private readonly clock: Clock,
		readonly limits?: SpendingLimits,
	) {}

	/** @param attempts how often the request was sent, including this time */
	sent(attempts: number, { model, free = false }: { model?: string; free?: boolean } = {}): void {
		this.requests += 1;
		if (attempts > 1) this.retries += 1;
		if (free) this.free += 1;
		if (model !== undefined && this.models.size < MAX_MODELS) this.models.add(model);
	}

	/**
	 * Counts the tokens, and the cost, that this run may have paid for. @param isWhole false for an answer that has not arrived
	 * completely, or reports a failure with its status: it need not report anything @param counted of this request already
	 */
	used(usage: TokenUsage, isWhole = true, counted?: Amounts): void {
		const all = amountsOf(usage);
		const more = counted ? addedTo(counted, all) : all;
		this.tokens.input += more.input;
		this.tokens.output += more.output;
		this.cost += more.cost;
		this.limits?.used(more);
		if (isWhole) this.limits?.answered(usage);
	}

	/** Does something that waits for a limit of the gateway, as far as it waits at all. @param forMs if it is known */
	async waitForLimit<T>(wait: () => Promise<T>, forMs = 0): Promise<T> {
		this.until = Math.max(this.until, this.clock.date() + forMs);
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
