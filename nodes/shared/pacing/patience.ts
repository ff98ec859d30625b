import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from './retry';
import type { PacedRequest } from './sendSlot';

/** Where refused requests are accepted later, a request may simply be unlucky: for a while, it is tried more often. */
const UNLUCKY = { tries: 2, forMs: 120_000 };

/** How often refused requests are sent again. */
export class Patience {
	private lastRecoveryAt = Number.NEGATIVE_INFINITY;

	/** A request was accepted that had been refused before. */
	recovered(now: number): void {
		this.lastRecoveryAt = now;
	}

	/**
	 * Whether a refused request may be sent again. If its lane is refused, the lane's pauses count instead of the refusals:
	 * while other requests succeed, the gateway is only busy.
	 *
	 * @param pauses of the lane in a row; undefined if only the request is refused
	 * @param maxRetries a number that the user has set, and that no request exceeds
	 */
	mayRetry(
		request: PacedRequest,
		pauses: number | undefined,
		maxRetries: number | undefined,
		now: number,
	): boolean {
		if (maxRetries !== undefined && request.refusals > maxRetries) return false;
		const usual = maxRetries ?? DEFAULT_MAX_RATE_LIMIT_RETRIES;
		const isUnlucky = pauses === undefined && now - this.lastRecoveryAt < UNLUCKY.forMs;
		return (pauses ?? request.ownRefusals) <= (isUnlucky ? UNLUCKY.tries * usual : usual);
	}
}
