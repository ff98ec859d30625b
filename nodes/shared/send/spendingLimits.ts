import type { TokenUsage } from '../answer/answerReaders';
import type { GatewayFailure } from '../failure/failure';
import { spendingFailure, unreportedFailure } from '../failure/words';

/** Paid requests, tokens, and reported costs. Plain data, because n8n keeps what was spent for the next try. */
export interface Spending {
	requests: number;
	tokens: number;
	cost: number;
	/** The limit that an answer did not report anything for. */
	unreported?: 'Max Total Tokens' | 'Max Cost';
}

export const NO_SPENDING: Spending = { requests: 0, tokens: 0, cost: 0 };

/** No answer gives back what others have cost. */
const spent = (amount?: number | null) => Math.max(0, amount ?? 0);

/** The numbers of a usage, 0 for what is not reported. */
export type Amounts = Record<'input' | 'output' | 'tokens' | 'cost', number>;

export function amountsOf({ inputTokens, outputTokens, totalTokens, cost }: TokenUsage): Amounts {
	const input = spent(inputTokens ?? (outputTokens ? 0 : totalTokens));
	const output = spent(outputTokens);
	// Some gateways count tokens only in the total.
	return { input, output, tokens: Math.max(input + output, spent(totalTokens)), cost: spent(cost) };
}

/** Returns what is more than what is counted already, to which it is added. */
export function addedTo(counted: Amounts, amounts: Amounts): Amounts {
	const added = { ...amounts };
	for (const name of Object.keys(amounts) as Array<keyof Amounts>) {
		added[name] = Math.max(0, amounts[name] - counted[name]);
		counted[name] += added[name];
	}
	return added;
}

/** By which share sums of costs may be off. */
const ROUNDING = 1e-9;

/** Stops a node at Max Requests, and after the answer that reaches Max Total Tokens or Max Cost, or does not report them. */
export class SpendingLimits {
	/** Requests that are counted already, although nobody knows yet whether they are paid for. */
	private inProgress = 0;
	private waiting: Array<() => void> = [];
	private readonly end = new AbortController();
	readonly reached = this.end.signal;
	/** Whether an answer has shown what the gateway reports; until then, one request is sent at a time. */
	private isKnown: boolean;

	/** @param limits what may be spent; 0 for no limit @param spending of the node in the execution, to which this run is added */
	constructor(
		private readonly limits: Spending,
		readonly spending: Spending = { ...NO_SPENDING },
	) {
		this.isKnown = spending.tokens + spending.cost > 0;
	}

	/** Waits until a request certainly stays within the limits. @returns is called with whether it may be paid for */
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

	/** Counts what a request has used. @param more of it than what is counted already */
	used(more: Pick<Amounts, 'tokens' | 'cost'>): void {
		this.spending.tokens += more.tokens;
		this.spending.cost += more.cost;
		if (this.usedUp) this.end.abort();
	}

	/** Every answer must report what a limit counts, as nobody knows what others cost. @param usage what one has reported */
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
		// A request in progress may turn out not to be paid.
		if (requests > 0 && this.spending.requests >= requests) return true;
		return !this.isKnown && tokens + cost > 0 && this.inProgress > 0;
	}

	private wake(): void {
		for (const wake of this.waiting.splice(0)) wake();
	}

	/** @throws GatewayFailure (kind `spendingLimit`) if a limit is reached, whatever becomes of the requests in progress */
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
