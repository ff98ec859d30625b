import { Breaker, TRIPPED_BY } from './breaker';
import { backOffMs, type Clock, nextGapStart, QUICK_BACK_OFF } from './clock';
import { Rate } from './rate';
import type { PacedRequest, RunWidth, SendSlot } from './slot';
import { GROWTH, Width, type WidthBounds } from './width';

/** The maximum of `ownRefusals` after which a request is still sent again, unless the user sets a number. */
export const DEFAULT_MAX_RATE_LIMIT_RETRIES = 6;

/** A refusal may take this many times as long as the slowest one so far, because refusals vary. */
const REFUSAL_MARGIN = 2;

/**
 * The requests of a credential to one endpoint and one model, which share a limit of the gateway. The {@link Width} says
 * how many may be in flight, the {@link Rate} how fast they follow each other, and the {@link Breaker} whether a refusal
 * concerns all of them or one alone.
 *
 * A request is `refused` (status 429) or `accepted`, and then perhaps `answered` with what it asked for. It is `admitted`
 * once a refusal is no longer expected, and `recovered` if it is accepted after it was refused.
 */
export class Lane {
	readonly width: Width;
	readonly breaker: Breaker;
	private readonly rate = new Rate();
	private inFlight = 0;
	/** Requests in flight that may still be refused, in the order in which they were sent. */
	private readonly undecided = new Set<SendSlot>();
	private sends = 0;
	private lastAdmitted = 0;
	private lastRecovered = 0;
	private latencyMs: number | undefined;
	private slowestRefusalMs = 0;
	/** The next request is sent one gap after this. */
	private gapStart = -Infinity;

	/** @param onChange called when requests may be sent earlier than expected, or not at all */
	constructor(
		private readonly clock: Clock,
		private readonly onChange: () => void,
		bounds: WidthBounds = {},
	) {
		this.width = new Width(bounds);
		this.breaker = new Breaker(clock, this.rate);
	}

	/** Tells whether requests wait because the gateway has refused some. */
	isThrottled(now: number): boolean {
		return this.breaker.pauseMs(now) > 0 || this.rate.perMs(now) < Infinity;
	}

	/** Returns milliseconds until a request may be sent; infinite while that depends on an answer in flight. */
	waitMs(request: PacedRequest, now: number): number {
		this.settle(now);
		const { runWidth } = request;
		// If a request in flight still succeeds, the lane goes on.
		if (this.breaker.failsFast(now, request.maxRetries)) return this.inFlight > 0 ? Infinity : 0;
		const isFull = (!runWidth || this.width.isCut) && this.inFlight >= this.width.limit;
		if (isFull || (runWidth && runWidth.inFlight >= runWidth.most)) return Infinity;
		return Math.max(this.gapStart + this.gapMs(runWidth, now) - now, this.breaker.pauseMs(now));
	}

	/** Records a request that is being sent. @returns undefined if it would only be refused */
	send(request: PacedRequest, now: number): SendSlot | undefined {
		if (this.breaker.failsFast(now, request.maxRetries)) return undefined;
		this.gapStart = nextGapStart(this.gapStart, this.gapMs(request.runWidth, now), now);
		if (request.runWidth) request.runWidth.inFlight += 1;
		const [number, inFlight] = [++this.sends, ++this.inFlight];
		const slot: SendSlot = { request, number, sentAt: now, inFlight, round: this.width.round };
		this.undecided.add(slot);
		this.rate.sent(slot);
		return slot;
	}

	/** Records the end of a request that says nothing about the limit. */
	ended(slot: SendSlot): void {
		this.left(slot);
		this.onChange();
	}

	/** Records that the gateway accepted a request. @param isAnswered whether it did what was asked for */
	accepted(slot: SendSlot, isAnswered = true): void {
		const { request, sentAt } = slot;
		const now = this.clock.now();
		this.settle(now);
		this.admitted(slot);
		if (request.refusals > 0) this.lastRecovered = slot.number;
		if (isAnswered) {
			this.latencyMs = now - sentAt;
			if (!request.runWidth || this.width.isCut) this.width.answered(slot, this.latencyMs);
		}
		this.ended(slot);
	}

	/** Records a refusal: of too many in flight, of the lane, or of one request. @returns milliseconds to wait */
	refused(slot: SendSlot, retryAfterMs = 0): number {
		const now = this.clock.now();
		slot.retryAfterMs = retryAfterMs;
		this.left(slot);
		this.slowestRefusalMs = Math.max(this.slowestRefusalMs, now - slot.sentAt);
		this.settle(now);
		const waitMs = this.judge(slot, now, retryAfterMs);
		this.onChange();
		return waitMs;
	}

	mayRetry({ refusals, ownRefusals, maxRetries }: PacedRequest): boolean {
		return maxRetries === undefined ? ownRefusals <= DEFAULT_MAX_RATE_LIMIT_RETRIES : refusals <= maxRetries;
	}

	/** Decides whom a refusal concerns. @returns milliseconds until the request may be sent again */
	private judge(slot: SendSlot, now: number, retryAfterMs: number): number {
		const { request } = slot;
		const isBounded = this.rate.perMs(now) < Infinity;
		// Later requests were admitted, so the gateway refuses this request, not the lane.
		const isAlone = this.lastAdmitted > request.refusedNumber;
		if (!isAlone && this.lastAdmitted < slot.number) this.breaker.add(slot, now);
		const isTooWide = !isAlone && !isBounded && this.width.refused(slot, this.inFlight, now);
		// If the lane has chosen too large a width, that does not count against the request.
		if (!isTooWide || request.runWidth) {
			request.refusals += 1;
			if (this.lastRecovered < request.refusedNumber) request.ownRefusals += 1;
		}
		if (isTooWide) return retryAfterMs;
		const isExceeded = isBounded || (isNew(request) && this.rate.isExceededAfterRefusal());
		request.refusedNumber = slot.number;
		if (!isAlone && this.breaker.isTripped) {
			this.width.reset();
			return this.breaker.pause(slot, now);
		}
		if (!isAlone && isExceeded) this.rate.cut(slot, now);
		const times = Math.min(request.refusals, request.ownRefusals + 2);
		return backOffMs(times, this.clock, retryAfterMs, QUICK_BACK_OFF);
	}

	private left(slot: SendSlot): void {
		this.undecided.delete(slot);
		this.inFlight -= 1;
		if (slot.request.runWidth) slot.request.runWidth.inFlight -= 1;
	}

	/** Counts requests as admitted that are in flight for so long that the gateway would have refused them by now. */
	private settle(now: number): void {
		if (this.slowestRefusalMs === 0) return;
		for (const slot of this.undecided) {
			if (now - slot.sentAt <= REFUSAL_MARGIN * this.slowestRefusalMs) return;
			this.admitted(slot);
		}
	}

	private admitted(slot: SendSlot): void {
		if (this.undecided.delete(slot) && isNew(slot.request)) this.rate.admitted();
		this.lastAdmitted = Math.max(this.lastAdmitted, slot.number);
		const acquitted = this.width.admitted(slot, this.inFlight - this.undecided.size);
		if (acquitted >= TRIPPED_BY) this.rate.cut(slot, this.clock.now());
		this.breaker.admitted(slot);
	}

	/** Spreads the width over a part of the latency (TCP pacing); while refusals are unclear, sends one by one. */
	private gapMs(run: RunWidth | undefined, now: number): number {
		const { latencyMs, breaker, width } = this;
		const spreadMs = run ? 0 : (latencyMs ?? 0) / (GROWTH * width.limit);
		const oneByOneMs = Math.min(REFUSAL_MARGIN * this.slowestRefusalMs, latencyMs ?? Infinity);
		return Math.max(1 / this.rate.perMs(now), spreadMs, breaker.isUnclear ? oneByOneMs : 0);
	}
}

/** Tells whether a request was never refused. It speaks for the lane only once, because it may be refused alone. */
function isNew({ refusedNumber }: PacedRequest): boolean {
	return refusedNumber === Infinity;
}
