import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from './retry';
import type { PacedRequest } from './sendSlot';

/**
 * Where refused requests are accepted later, or the rate is known and others use it too, a request may simply be unlucky,
 * and is tried this many times as often. The former holds for a while.
 */
const UNLUCKY = { tries: 2, forMs: 120_000 };

/** The state of the lane of a refused request. */
export interface RefusedLane {
	/** How many pauses followed each other without success; undefined if the lane is not refused, only the request. */
	pauses: number | undefined;
	isRateKnown: boolean;
}

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
	 * @param maxRetries a number that the user has set, and that no request exceeds
	 */
	mayRetry(request: PacedRequest, lane: RefusedLane, maxRetries: number | undefined, now: number): boolean {
		if (maxRetries !== undefined && request.refusals > maxRetries) return false;
		const usual = maxRetries ?? DEFAULT_MAX_RATE_LIMIT_RETRIES;
		const { pauses, isRateKnown } = lane;
		const isUnlucky =
			pauses === undefined
				? now - this.lastRecoveryAt < UNLUCKY.forMs
				: maxRetries === undefined && isRateKnown;
		return (pauses ?? request.ownRefusals) <= (isUnlucky ? UNLUCKY.tries * usual : usual);
	}
}
