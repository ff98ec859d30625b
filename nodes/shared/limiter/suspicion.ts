import type { PacedRequest, SendSlot } from './sendSlot';

/** An older refusal says nothing about the next request. */
const FORGET_AFTER_MS = 120_000;

/** How many refused requests stand for the lane, and at least what share of those whose outcome is open. */
const SHARED_FROM = { requests: 2, share: 0.25 };

/**
 * Tells whether the gateway refuses a lane, or only some requests. A refused request is a suspect. Several suspects
 * stand for the lane, because a gateway at its limit refuses whatever comes next. An accepted request that was sent
 * later than a suspect clears it.
 */
export class Suspicion {
	private readonly suspects = new Map<PacedRequest, { number: number; isForLong: boolean }>();
	private lastRefusalAt = Number.NEGATIVE_INFINITY;
	private lastAccepted = 0;
	private shared = false;

	/** Whether the lane is refused. */
	isShared(now: number): boolean {
		return this.shared && now - this.lastRefusalAt < FORGET_AFTER_MS;
	}

	/** Whether it is refused for longer than any request waits: nobody was told anything else. */
	isSharedForLong(now: number): boolean {
		return this.isShared(now) && [...this.suspects.values()].every(({ isForLong }) => isForLong);
	}

	/**
	 * @param inProgress how many other requests have no answer yet
	 * @param isForLong whether the gateway asks for a longer pause than any request waits
	 */
	refused({ number, request }: SendSlot, now: number, inProgress: number, isForLong: boolean): void {
		if (number < this.lastAccepted) request.isRefusedAlone = true;
		if (request.isRefusedAlone) return;
		if (now - this.lastRefusalAt >= FORGET_AFTER_MS) {
			this.suspects.clear();
			this.shared = false;
		}
		this.suspects.set(request, { number, isForLong });
		this.lastRefusalAt = now;
		const { size } = this.suspects;
		this.shared ||= size >= SHARED_FROM.requests && size >= SHARED_FROM.share * inProgress;
	}

	/** @returns the requests that are no longer suspects */
	accepted({ number }: SendSlot): PacedRequest[] {
		this.lastAccepted = Math.max(this.lastAccepted, number);
		if (this.suspects.size === 0) return [];
		const cleared = [...this.suspects]
			.filter(([, suspect]) => suspect.number <= number)
			.map(([request]) => request);
		for (const request of cleared) this.suspects.delete(request);
		this.shared &&= this.suspects.size >= SHARED_FROM.requests;
		return cleared;
	}
}
