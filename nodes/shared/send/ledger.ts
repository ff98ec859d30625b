import type { Clock } from '../limiter/clock';
import { type TokenUsage, addedTo, type Amounts, amountsOf } from '../answer/usage';
import type { GatewayFailure } from '../failure/failure';
import { spendingFailure, unreportedFailure } from '../failure/words';

const MAX_MODELS = 5;

/** Counts what the requests of a run have cost so far. Downloads do not count. */
export class Ledger {
	requests = 0;
	/** The number of them that repeated an earlier one. */
	retries = 0;
	/** The number of them that cost nothing, such as status checks. */
	free = 0;
	readonly tokens = { input: 0, output: 0 };
	/** The sum of the costs that the gateway reports. */
	cost = 0;
	/** The models that were asked, up to a limit. */
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
	 * Counts tokens and cost that this run may have paid for. @param isWhole false for an answer that is incomplete, or
	 * reports a failure by its status: it need not report usage @param counted what is already counted of this request
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

	/** Measures the time for which something waits for a limit of the gateway. @param forMs the expected time, if known */
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

	/** The time during which at least one request has waited for a limit, in milliseconds. */
	get waitedMs(): number {
		return this.waitedBefore + (this.waiting > 0 ? this.clock.now() - this.waitsSince : 0);
	}

	/** The time until which requests wait for a limit, in milliseconds since the epoch; undefined while none waits. */
	get waitsUntil(): number | undefined {
		return this.waiting > 0 && this.until > this.clock.date() ? this.until : undefined;
	}
}

/** Paid requests, tokens, and reported costs. Plain data, because n8n keeps what was spent for the next try. */
export interface Spending {
	requests: number;
	tokens: number;
	cost: number;
	/** The limit about which an answer reported nothing. */
	unreported?: 'Max Total Tokens' | 'Max Cost';
}

export const NO_SPENDING: Spending = { requests: 0, tokens: 0, cost: 0 };

/** The share by which sums of costs may be off, due to rounding. */
const ROUNDING = 1e-9;

/** Stops a node at Max Requests, and after an answer that reaches Max Total Tokens or Max Cost, or reports neither. */
export class SpendingLimits {
	/** Requests that are already counted, although nobody knows yet whether they are paid for. */
	private inProgress = 0;
	private waiting: Array<() => void> = [];
	private readonly end = new AbortController();
	readonly reached = this.end.signal;
	/** True if an answer has shown what the gateway reports; until then, one request is sent at a time. */
	private isKnown: boolean;

	/** @param limits what may be spent; 0 for no limit @param spending what the node spent in the execution; updated */
	constructor(
		private readonly limits: Spending,
		readonly spending: Spending = { ...NO_SPENDING },
	) {
		this.isKnown = spending.tokens + spending.cost > 0;
	}

	/** Waits until a request certainly stays within the limits. @returns must be called with whether it may be paid for */
	async reserve(): Promise<(isPaid: boolean) => void> {
		this.check();
		while (this.mustWait) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
			this.check();
		}
		this.inProgress += 1;
		this.spending.requests += 1;
		return (isPaid) => {
			if (!isPaid) this.spending.requests -= 1;
			this.inProgress -= 1;
			this.wake();
		};
	}

	/** Counts what a request has used. @param more the part that is not counted yet */
	used(more: Pick<Amounts, 'tokens' | 'cost'>): void {
		this.spending.tokens += more.tokens;
		this.spending.cost += more.cost;
		if (this.usedUp) this.end.abort();
	}

	/** Checks that an answer reports what a limit counts; otherwise, nobody would know what later ones cost. */
	answered(usage: TokenUsage): void {
		const { limits, spending } = this;
		const { tokens, cost } = amountsOf(usage);
		// Free models cost 0 (OpenRouter, Usage Accounting); but with no tokens either, nothing was counted.
		const hasCost = cost > 0 || (usage.cost === 0 && tokens > 0);
		if (limits.cost > 0 && !hasCost) spending.unreported ??= 'Max Cost';
		if (limits.tokens > 0 && tokens === 0) spending.unreported ??= 'Max Total Tokens';
		this.isKnown = true;
		if (this.usedUp) this.end.abort();
		this.wake();
	}

	private get mustWait(): boolean {
		const { requests, tokens, cost } = this.limits;
		// A request in progress may turn out to be free.
		if (requests > 0 && this.spending.requests >= requests) return true;
		return !this.isKnown && tokens + cost > 0 && this.inProgress > 0;
	}

	private wake(): void {
		for (const wake of this.waiting.splice(0)) wake();
	}

	/** @throws GatewayFailure (kind `spendingLimit`) if a limit is reached, whatever becomes of requests in progress */
	check(): void {
		const { requests } = this.limits;
		if (requests > 0 && this.spending.requests - this.inProgress >= requests)
			throw spendingFailure('Max Requests', requests);
		if (this.usedUp) throw this.usedUp;
	}

	private get usedUp(): GatewayFailure | undefined {
		const { tokens, cost } = this.limits;
		const { spending } = this;
		if (spending.unreported) return unreportedFailure(spending.unreported);
		if (tokens > 0 && spending.tokens >= tokens) return spendingFailure('Max Total Tokens', tokens);
		if (cost > 0 && spending.cost >= cost * (1 - ROUNDING)) return spendingFailure('Max Cost', cost);
		return undefined;
	}
}
