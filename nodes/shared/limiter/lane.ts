import type { Clock } from './clock';
import { Rate } from './rate';
import type { PacedRequest, RunWidth, SendSlot } from './slot';
import { backOffMs, spacedFrom } from './timing';
import { Trouble } from './trouble';
import { Width } from './width';

/** How many times a request is sent again when the gateway refuses it and the user sets nothing else. */
export const DEFAULT_MAX_RATE_LIMIT_RETRIES = 6;

/** How much longer than the slowest refusal so far another one may take, because refusals vary. */
const REFUSAL_MARGIN = 2;

/** The requests of a window are spread over this share of the latency, or they would stay one burst. */
const SPREAD = 1 / 3;

/**
 * The requests of a credential to one endpoint and one model, which share a limit of the gateway. The {@link Width} says
 * how many may be in flight, the {@link Rate} how fast they follow each other, and {@link Trouble} whether a refusal
 * concerns all of them or one alone.
 */
export class Lane {
	readonly width: Width;
	readonly trouble: Trouble;
	private readonly rate = new Rate();
	private inFlight = 0;
	/** Those in flight that may still be refused, in the order in which they were sent. */
	private readonly undecided = new Set<SendSlot>();
	private sends = 0;
	private lastAdmitted = 0;
	/** The last slot of a request that was accepted after it had been refused. */
	private lastRecovered = 0;
	private latencyMs: number | undefined;
	private slowestRefusalMs = 0;
	/** The next request is sent one gap after this. */
	private spacedFrom = Number.NEGATIVE_INFINITY;

	/**
	 * @param onChange is called when requests may be sent earlier than it seemed, or not at all
	 * @param widest how many requests at once its width never exceeds
	 */
	constructor(
		private readonly clock: Clock,
		private readonly onChange: () => void,
		widest = Number.POSITIVE_INFINITY,
	) {
		this.width = new Width(widest);
		this.trouble = new Trouble(clock, this.rate);
	}

	/** Whether requests wait because the gateway has refused some. */
	isLimited(now: number): boolean {
		return this.trouble.pauseMs(now) > 0 || this.rate.perMs(now) < Number.POSITIVE_INFINITY;
	}

	/** Milliseconds until a request may be sent. Infinite until an answer arrives that this depends on. */
	waitMs({ run }: PacedRequest, now: number): number {
		this.settle(now);
		// What is in flight may still prove the opposite.
		if (this.trouble.isExhausted(now)) return this.inFlight > 0 ? Number.POSITIVE_INFINITY : 0;
		const isFull = (!run || this.width.isCut) && this.inFlight >= this.width.limit;
		if (isFull || (run && run.inFlight >= run.most)) return Number.POSITIVE_INFINITY;
		return Math.max(this.spacedFrom + this.gapMs(run, now) - now, this.trouble.pauseMs(now));
	}

	/** Records a request that is being sent. @returns undefined if it would only be refused */
	send(request: PacedRequest, now: number): SendSlot | undefined {
		if (this.trouble.isExhausted(now)) return undefined;
		this.spacedFrom = spacedFrom(this.spacedFrom, this.gapMs(request.run, now), now);
		if (request.run) request.run.inFlight += 1;
		const slot: SendSlot = {
			request,
			number: ++this.sends,
			sentAt: now,
			inFlight: ++this.inFlight,
			round: this.width.round,
		};
		this.undecided.add(slot);
		this.rate.sent(slot);
		return slot;
	}

	/** The request ended in a way that says nothing about the limit. */
	ended(slot: SendSlot): void {
		this.left(slot);
		this.onChange();
	}

	/** The gateway accepted the request. @param isAnswered whether it also did what was asked for */
	accepted(slot: SendSlot, isAnswered = true): void {
		const now = this.clock.now();
		const { request, sentAt } = slot;
		this.settle(now);
		if (this.undecided.has(slot)) this.admitted(slot);
		if (request.refusals > 0) this.lastRecovered = slot.number;
		if (isAnswered) {
			this.latencyMs = now - sentAt;
			if (!request.run || this.width.isCut) this.width.answered(slot, now - sentAt);
		}
		this.ended(slot);
	}

	/**
	 * The gateway refused the request with status 429: because too many were in flight, because the lane has reached its
	 * limit, or for a reason of the request itself.
	 *
	 * @param retryAfterMs delay that the response asked for, if any
	 * @returns milliseconds until the request may be sent again
	 */
	refused(slot: SendSlot, retryAfterMs: number | undefined): number {
		const now = this.clock.now();
		slot.retryAfterMs = retryAfterMs ?? 0;
		this.left(slot);
		this.slowestRefusalMs = Math.max(this.slowestRefusalMs, now - slot.sentAt);
		this.settle(now);
		const waitMs = this.judge(slot, now, retryAfterMs);
		slot.request.refusedNumber = slot.number;
		this.onChange();
		return waitMs;
	}

	/** Whether a refused request may be sent again. @param maxRetries a number that the user has set */
	mayRetry({ refusals, ownRefusals }: PacedRequest, maxRetries?: number): boolean {
		return maxRetries === undefined ? ownRefusals <= DEFAULT_MAX_RATE_LIMIT_RETRIES : refusals <= maxRetries;
	}

	/** Whom a refusal concerns. @returns milliseconds until the request may be sent again */
	private judge(slot: SendSlot, now: number, retryAfterMs: number | undefined): number {
		const { request } = slot;
		const isBounded = this.rate.perMs(now) < Number.POSITIVE_INFINITY;
		if (this.lastAdmitted > request.refusedNumber) request.isRefusedAlone = true;
		let isTooWide = false;
		if (!request.isRefusedAlone) {
			if (this.lastAdmitted < slot.number) this.trouble.suspect(slot, now);
			isTooWide = !isBounded && this.width.refused(slot, this.inFlight, now);
		}
		// Where the lane has chosen the width, that is not the fault of the request.
		if (!isTooWide || request.run) {
			request.refusals += 1;
			if (this.lastRecovered < request.refusedNumber) request.ownRefusals += 1;
		}
		if (isTooWide) return retryAfterMs ?? 0;
		if (!request.isRefusedAlone) {
			if (this.trouble.isShared) return this.trouble.pause(slot, now);
			if (isBounded) {
				this.rate.cut(slot, now);
				if (request.refusals === 1) return retryAfterMs ?? 0;
			}
		}
		return retryAfterMs ?? backOffMs(request.refusals, this.clock);
	}

	private left(slot: SendSlot): void {
		this.undecided.delete(slot);
		this.inFlight -= 1;
		if (slot.request.run) slot.request.run.inFlight -= 1;
	}

	/** Notes what is in flight for so long that the gateway would have refused it by now. */
	private settle(now: number): void {
		if (this.slowestRefusalMs === 0) return;
		for (const slot of this.undecided) {
			if (now - slot.sentAt <= REFUSAL_MARGIN * this.slowestRefusalMs) return;
			this.admitted(slot);
		}
	}

	private admitted(slot: SendSlot): void {
		this.undecided.delete(slot);
		this.lastAdmitted = Math.max(this.lastAdmitted, slot.number);
		this.width.admitted(slot, this.inFlight - this.undecided.size);
		this.trouble.admitted(slot);
	}

	/** Milliseconds between two requests. While it is unclear what is refused, they go one by one. */
	private gapMs(run: RunWidth | undefined, now: number): number {
		const { latencyMs, trouble, width } = this;
		const spreadMs = run ? 0 : (SPREAD * (latencyMs ?? 0)) / width.limit;
		const oneByOneMs = Math.min(REFUSAL_MARGIN * this.slowestRefusalMs, latencyMs ?? Infinity);
		return Math.max(1 / this.rate.perMs(now), spreadMs, trouble.isOpen ? oneByOneMs : 0);
	}
}
