import { spendingFailure, unreportedFailure } from '../failure/words';
import { type GatewayFailure, toFailure } from '../failure/failure';
import { isPaid } from './endpoints';
import type { Layer } from './layer';
import type { Ledger, Spending, TokenUsage } from './ledger';
import { nextTurn } from '../plain/turns';
import { eitherOf } from './timeLimits';

/** Keeps the paid requests of a node within its Spending Limits. */
export function spend(limits: SpendingLimits): Layer {
	return (next) => async (sending, read) => {
		const { request, idempotencyHeader, earlier } = sending;
		// The gateway charges only once for the same idempotency key.
		const isPaidAlready = idempotencyHeader !== undefined && earlier?.isFree === false;
		if (!isPaid(request.endpoint) || isPaidAlready) return await next(sending, read);
		const settle = await limits.reserve();
		// What still waits for its turn when a limit is reached must not be sent either.
		const stop = eitherOf(sending.stop, limits.reached);
		try {
			const value = await next({ ...sending, stop }, read);
			settle(true);
			return value;
		} catch (error) {
			const failure = toFailure(error);
			settle(!failure.isFree);
			if (failure.kind === 'cancelled' && failure.isFree) limits.check();
			throw failure;
		}
	};
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

	private readonly spending: Spending;

	/** @param limits what may be spent; 0 for no limit */
	constructor(
		private readonly limits: Spending,
		ledger: Ledger,
	) {
		this.spending = ledger.spending;
		this.isKnown = this.spending.tokens + this.spending.cost > 0;
		ledger.onUsed = (usage) => {
			this.isKnown = true;
			this.spending.unreported ??= this.unreportedIn(usage);
			if (this.usedUp) this.end.abort();
			this.wake();
		};
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
			// What an answer has used is noted as soon as somebody has read it, which is in the same turn.
			if (isPaid && this.waitsForUsage) void nextTurn().then(() => this.settled());
			else this.settled();
		};
	}

	private settled(): void {
		this.inProgress -= 1;
		this.wake();
	}

	private get waitsForUsage(): boolean {
		const { tokens, cost } = this.limits;
		return !this.isKnown && tokens + cost > 0;
	}

	private get mustWait(): boolean {
		const { requests } = this.limits;
		// A request in progress may turn out not to be paid.
		if (requests > 0 && this.spending.requests >= requests) return true;
		return this.waitsForUsage && this.inProgress > 0;
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
		const spent = this.spending;
		if (spent.unreported) return unreportedFailure(spent.unreported);
		if (tokens > 0 && spent.tokens >= tokens) return spendingFailure('Max Total Tokens', tokens);
		if (cost > 0 && spent.cost >= cost * (1 - ROUNDING)) return spendingFailure('Max Cost', cost);
		return undefined;
	}

	/** A limit cannot be kept if nothing is known of what it counts. */
	private unreportedIn({ inputTokens, outputTokens, totalTokens, cost }: TokenUsage): Spending['unreported'] {
		const { limits, spending } = this;
		if (limits.cost > 0 && spending.cost === 0 && cost === undefined) return 'Max Cost';
		const hasTokens = (inputTokens ?? outputTokens ?? totalTokens ?? undefined) !== undefined;
		return limits.tokens > 0 && spending.tokens === 0 && !hasTokens ? 'Max Total Tokens' : undefined;
	}
}
