import { backOffMs, type Clock, RETRY_DEADLINE_MS } from './clock';
import type { Rate } from './rate';
import type { PacedRequest, SendSlot } from './slot';

/** This many refused requests show that the lane is refused. If a gateway refuses 30 % at random, three are common. */
export const TRIPPED_BY = 5;

/** The time, in milliseconds, for which a lane sends nothing after its limit proves to outlast every request. */
const FAIL_FAST_MS = 60_000;

/**
 * A circuit breaker: tells a refused lane from single requests that are refused. It opens for an exponential back-off,
 * then lets requests through one by one, and closes as soon as one is admitted.
 */
export class Breaker {
	/** The end of the limit for which the lane fails fast, in milliseconds since the epoch, if the gateway named it. */
	limitEnd: number | undefined;
	/** Refused requests, with the slot of each, as long as nothing that was sent later has been admitted. */
	private readonly refused = new Map<PacedRequest, SendSlot>();
	private pauses = 0;
	private firstPauseAt = 0;
	private pausedUntil = -Infinity;
	private failsFastUntil = -Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly rate: Rate,
	) {}

	get isUnclear(): boolean {
		return this.refused.size > 0;
	}

	/** True if the gateway refuses the lane rather than single requests. */
	get isTripped(): boolean {
		return this.pauses > 0 || this.refused.size >= TRIPPED_BY;
	}

	/** Tells whether a request would only be refused, or would wait for more pauses than the user allows (at least 1). */
	failsFast(now: number, mostPauses = Infinity): boolean {
		return now < this.failsFastUntil || (this.pauses > Math.max(1, mostPauses) && now < this.pausedUntil);
	}

	/** Prefers refused requests, because they have waited; from pause to pause, new and refused ones take turns. */
	hasPriority({ refusedNumber }: PacedRequest): boolean {
		return (this.pauses % 2 === 1) === (refusedNumber === Infinity);
	}

	pauseMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** Records a refused request, after which nothing that was sent later has been admitted. */
	add(slot: SendSlot, now: number): void {
		this.refused.set(slot.request, slot);
		const { retryAfterMs } = this;
		const isTooLong = this.isTripped && retryAfterMs > RETRY_DEADLINE_MS;
		if (isTooLong) this.failFast(now, this.clock.date() + retryAfterMs);
	}

	/** Pauses a lane that is refused. @returns milliseconds until the request may be sent again */
	pause(slot: SendSlot, now: number): number {
		// Requests sent before the pause were refused for the same reason as the one that caused it.
		if (slot.sentAt >= this.pausedUntil) {
			if (++this.pauses === 1) {
				this.firstPauseAt = now;
				// Only once: refusals after the first pause are those of single requests, whatever the rate.
				this.rate.cut(slot, now);
			}
			this.pausedUntil = now + backOffMs(this.pauses, this.clock);
			this.rate.holdUntil(this.pausedUntil);
			if (this.pausedUntil > this.firstPauseAt + RETRY_DEADLINE_MS) this.failFast(now, undefined);
		}
		// The gateway may ask single requests to wait for longer than the others.
		const { retryAfterMs } = this;
		if (retryAfterMs <= RETRY_DEADLINE_MS) this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		return Math.max(slot.retryAfterMs ?? 0, this.pausedUntil - now);
	}

	/** Records an admitted request: what was refused before was refused alone, or the limit is over. */
	admitted(slot: SendSlot): void {
		for (const [request, { number }] of this.refused) if (number < slot.number) this.refused.delete(request);
		if (this.isUnclear) return;
		this.pauses = 0;
		this.pausedUntil = -Infinity;
		this.failsFastUntil = -Infinity;
		this.limitEnd = undefined;
	}

	private get retryAfterMs(): number {
		return Math.min(...[...this.refused.values()].map(({ retryAfterMs = 0 }) => retryAfterMs));
	}

	private failFast(now: number, limitEnd: number | undefined): void {
		this.failsFastUntil = now + FAIL_FAST_MS;
		this.limitEnd = limitEnd;
	}
}
