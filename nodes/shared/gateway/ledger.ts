import type { Clock } from '../pacing/clock';

/** Tokens of one answer, as far as the gateway reports them. */
export interface TokenUsage {
	inputTokens?: number | null;
	outputTokens?: number | null;
	totalTokens?: number | null;
	/** Input tokens that were read from, and written to, the prompt cache. */
	cachedInputTokens?: number;
	cacheWriteTokens?: number;
	audioInputTokens?: number;
	/** Output tokens for reasoning. */
	reasoningTokens?: number;
	audioOutputTokens?: number;
	/** In the currency of the gateway. */
	cost?: number;
}

/** What a run has used of one model, or of an endpoint that names none. What nobody has counted is missing. */
export interface Account {
	model: string;
	/** How many requests were sent, repeated ones included. */
	requests: number;
	/** How many of them the gateway refused because of a limit. */
	refusals: number;
	[amount: string]: number | string;
}

/** Amounts that are tokens, or a cost. */
const AMOUNTS = [
	...(['inputTokens', 'outputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'audioInputTokens'] as const),
	...(['reasoningTokens', 'audioOutputTokens', 'cost'] as const),
];

/** What the requests of a run have cost so far. Downloads do not count. */
export class Ledger {
	/** How many requests were sent to the gateway, repeated ones included. */
	requests = 0;
	/** How many of them repeated an earlier one. */
	retries = 0;
	readonly tokens = { input: 0, output: 0 };
	/** As far as the gateway reports it. */
	cost = 0;
	/** Tokens of answers without a cost. */
	readonly unpriced = { input: 0, output: 0 };
	private readonly accountOf = new Map<string, Account>();
	private waiting = 0;
	private waitsSince = 0;
	private waitedBefore = 0;
	private until = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	/**
	 * @param attempts how often the request was sent, including this time
	 * @param model that it names, or its path
	 */
	sent(attempts: number, model = ''): void {
		this.requests += 1;
		if (attempts > 1) this.retries += 1;
		this.account(model).requests += 1;
	}

	/** The gateway refused a request because of a limit. */
	refused(model: string): void {
		this.account(model).refusals += 1;
	}

	/** What was used, by model. */
	get accounts(): Account[] {
		return [...this.accountOf.values()].map((account) =>
			typeof account.cost === 'number' ? { ...account, cost: withoutRounding(account.cost) } : account,
		);
	}

	/** Counts things of any kind that this run has paid for, such as images. */
	made(model: string, what: string, amount: number): void {
		const account = this.account(model);
		account[what] = Number(account[what] ?? 0) + amount;
	}

	/** Counts the tokens, and the cost, of an answer that this run has paid for. */
	used(usage: TokenUsage, model = ''): void {
		const { inputTokens, outputTokens, totalTokens, cost } = usage;
		const input = inputTokens ?? (outputTokens ? 0 : (totalTokens ?? 0));
		const output = outputTokens ?? 0;
		const counted = { ...usage, inputTokens: input || inputTokens };
		for (const name of AMOUNTS) {
			const amount = counted[name];
			if (typeof amount === 'number') this.made(model, name, amount);
		}
		this.cost += cost ?? 0;
		for (const tokens of cost === undefined ? [this.tokens, this.unpriced] : [this.tokens]) {
			tokens.input += input;
			tokens.output += output;
		}
	}

	private account(model: string): Account {
		const known = this.accountOf.get(model) ?? { model, requests: 0, refusals: 0 };
		this.accountOf.set(model, known);
		return known;
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

/** Without the digits of rounding errors. */
export function withoutRounding(cost: number): number {
	return Number(cost.toPrecision(12));
}
