import { afterUnclearAttempt } from '../errors/errorMessages';
import type { FailureFacts, GatewayFailure } from '../errors/gatewayFailure';
import type { PacedRequest } from '../limiter/slot';

/** What has become of a request so far. The layers below `retry` see it. */
export class History {
	/** How many times it was sent, including this time. */
	attempts = 0;
	/** When it was sent first, on the monotonic clock. */
	sentAt: number | undefined;
	/** Whether an attempt may have been carried out, and charged for. */
	mayBePaid = false;
	/** What the gateway said when it refused the request last because of a limit. */
	refusal: FailureFacts = { status: 429, attempts: 0 };
	/** The request as its lane knows it. */
	paced: PacedRequest | undefined;
	/** What had arrived of an answer that broke off. */
	private partial: FailureFacts['partial'];

	/** The request is about to be repeated after this failure. */
	add({ facts, outcome }: GatewayFailure): void {
		if (facts.mayHaveBeenCarriedOut) this.mayBePaid = true;
		if (outcome?.kind === 'refused') this.refusal = facts;
		this.partial = facts.partial ?? this.partial;
	}

	/** The failure that the request ends with, which also says what earlier attempts have left behind. */
	conclude(failure: GatewayFailure): GatewayFailure {
		const isLess = failure.facts.partial === undefined && this.partial !== undefined;
		const last = isLess ? failure.with({ partial: this.partial }) : failure;
		return this.mayBePaid ? afterUnclearAttempt(last) : last;
	}
}
