import type { Clock } from './clock';
import { Rate } from './rate';
import type { PacedRequest, SendSlot } from './sendSlot';
import { Width } from './width';

export const DEFAULT_MAX_RATE_LIMIT_RETRIES = 6;

/** How far a late timer may be made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/** From so many different refused rows on, the gateway refuses the lane. Two are often chance. */
const SHARED_FROM = 3;

/** How much longer than the slowest refusal so far another one may take, because refusals vary. */
const REFUSAL_MARGIN = 2;

/** The longest pause of a lane. Twice as much leaves a sixth of a limit per minute unused. */
const MAX_PAUSE_MS = 15_000;
/** The longest wait of a row that is refused alone. */
const MAX_WAIT_MS = 60_000;

/** After so long without a request, a learned rate says nothing any more; an exhausted limit is tried again after it. */
const FORGET_MS = 60_000;

/** No row waits for as long as this; see `RETRY_DEADLINE_MS`. */
const TOO_LONG_MS = 10 * 60_000;

/** The limit is exhausted after so many rows that are to wait too long, or so many pauses without success. */
const EXHAUSTED_AFTER = { rows: 4, pauses: 16 };

/** How much the latest answer counts in the average latency, as in TCP (RFC 6298). */
const LATEST = 1 / 8;

/** A refused row that stands for the lane. */
interface Suspect {
	number: number;
	retryAfterMs: number | undefined;
}

/**
 * The requests of a credential to one endpoint and one model, which share a limit of the gateway. While the gateway
 * refuses them, they pause together; afterwards they are sent at the rate at which they were accepted before. A request
 * that is refused although later ones are accepted waits alone.
 */
export class Lane {
	/** How many requests at once suit the gateway. */
	readonly width: Width;
	private readonly rate = new Rate();
	/** In the order in which they were sent. */
	private readonly inFlight = new Set<SendSlot>();
	/** Refused rows while nothing that was sent later has been admitted: the lane is in trouble. */
	private readonly suspects = new Map<PacedRequest, Suspect>();
	/** What restores the rate if a row proves to be refused alone. */
	private readonly undoCut = new WeakMap<PacedRequest, () => void>();
	private sends = 0;
	private lastAdmitted = 0;
	private latencyMs: number | undefined;
	private slowestRefusalMs = 0;
	private lastSendAt: number | undefined;
	/** The next request is sent one gap after this. */
	private spacedFrom = Number.NEGATIVE_INFINITY;
	private spreads = false;
	private pauses = 0;
	private firstPauseAt = Number.NEGATIVE_INFINITY;
	private lastPauseAt = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private restoreRate: (() => void) | undefined;
	private exhaustedUntil = Number.NEGATIVE_INFINITY;
	private endsAt: number | undefined;

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
	}

	/** Milliseconds until the next request may be sent. Infinite until an answer arrives that the lane depends on. */
	waitMs(now: number): number {
		this.settle(now);
		if (now < this.exhaustedUntil) return this.inFlight.size > 0 ? Number.POSITIVE_INFINITY : 0;
		return Math.max(this.spacedFrom + this.gapMs, this.pausedUntil) - now;
	}

	/** Whether as many requests are in progress as suit the gateway, so that this one has to wait. */
	isFull({ isWithinWidth }: PacedRequest): boolean {
		return isWithinWidth && this.inFlight.size >= this.width.limit;
	}

	/**
	 * Whether a request would only be refused, because the limit is exhausted for longer than any request waits. A request
	 * in progress may still prove the opposite.
	 */
	isExhausted(now: number): boolean {
		return now < this.exhaustedUntil && this.inFlight.size === 0;
	}

	/** Whether a request should go first: after each pause, new and refused ones take turns, because either may be the ones that pass. */
	isRevealing({ refusals }: PacedRequest): boolean {
		return this.isShared && (this.pauses % 2 === 1) === (refusals === 0);
	}

	/** How long the lane pauses after a refusal, in milliseconds. */
	pauseMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** Whether requests wait because the gateway has refused some. */
	isLimited(now: number): boolean {
		return now < this.pausedUntil || this.rate.isBounded;
	}

	/** When the limit ends, in milliseconds since the epoch, as far as the lane knows. */
	get limitEnd(): number | undefined {
		return this.endsAt;
	}

	/** When it was last used, on the monotonic clock; undefined while it is in use. */
	get idleSince(): number | undefined {
		return this.inFlight.size > 0 ? undefined : this.lastSendAt;
	}

	/** Records a request that is being sent. */
	send(request: PacedRequest, now: number): SendSlot {
		if (now - (this.lastSendAt ?? now) >= FORGET_MS) this.rate.forget();
		this.lastSendAt = now;
		this.spacedFrom = Math.max(this.spacedFrom + this.gapMs, now - Math.min(CATCH_UP_MS, this.gapMs));
		this.spreads = request.isWithinWidth;
		const slot: SendSlot = {
			request,
			number: ++this.sends,
			sentAt: now,
			inFlight: this.inFlight.size + 1,
			round: this.width.currentRound,
			isAdmitted: false,
		};
		this.inFlight.add(slot);
		return slot;
	}

	/** The request ended in a way that says nothing about the limit. */
	ended(slot: SendSlot): void {
		this.inFlight.delete(slot);
		this.onChange();
	}

	/** The gateway accepted the request. @param isAnswered whether it also did what was asked for */
	accepted(slot: SendSlot, isAnswered = true): void {
		const now = this.clock.now();
		this.settle(now);
		if (!slot.isAdmitted) this.admitted(slot);
		this.rate.accepted(slot.sentAt);
		if (isAnswered) {
			const latencyMs = now - slot.sentAt;
			this.latencyMs = (this.latencyMs ?? latencyMs) + LATEST * (latencyMs - (this.latencyMs ?? latencyMs));
			if (slot.request.isWithinWidth) this.width.answered(slot, latencyMs);
		}
		this.ended(slot);
	}

	/**
	 * The gateway refused the request with status 429.
	 *
	 * @param retryAfterMs delay that the response asked for, if any
	 * @returns milliseconds until the request may be sent again
	 */
	refused(slot: SendSlot, retryAfterMs: number | undefined): number {
		const now = this.clock.now();
		const { request } = slot;
		this.inFlight.delete(slot);
		this.slowestRefusalMs = Math.max(this.slowestRefusalMs, now - slot.sentAt);
		this.settle(now);
		const waitMs = this.judge(slot, now, retryAfterMs);
		request.refusedNumber = slot.number;
		this.onChange();
		return waitMs;
	}

	/**
	 * Whether a refused request may be sent again. If the lane is refused, its pauses count instead of the refusals of the
	 * request: while other requests succeed, the gateway is only busy.
	 *
	 * @param maxRetries a number that the user has set, and that no request exceeds
	 */
	mayRetry(request: PacedRequest, maxRetries?: number): boolean {
		const { refusals } = request;
		if (maxRetries !== undefined) return refusals <= maxRetries;
		if (this.isShared && this.suspects.has(request)) return this.clock.now() >= this.exhaustedUntil;
		return refusals <= DEFAULT_MAX_RATE_LIMIT_RETRIES;
	}

	/** Whom a refusal concerns: the width, the lane, or the request alone. */
	private judge(slot: SendSlot, now: number, retryAfterMs: number | undefined): number {
		const { request } = slot;
		const isLater = (number: number | undefined) => number !== undefined && this.lastAdmitted > number;
		if (isLater(request.refusedNumber)) {
			request.isRefusedAlone = true;
			this.undoCut.get(request)?.();
		}
		if (request.isRefusedAlone) return this.waitAlone(request, retryAfterMs);
		if (!isLater(slot.number)) this.suspects.set(request, { number: slot.number, retryAfterMs });
		if (request.isWithinWidth && this.width.refused(slot, this.inFlight.size, now)) return retryAfterMs ?? 0;
		if (this.isShared) {
			request.refusals += 1;
			return this.pause(slot, now, retryAfterMs);
		}
		const undo = this.rate.isBounded ? this.cutRate(slot, now) : undefined;
		if (undo) this.undoCut.set(request, undo);
		return this.waitAlone(request, retryAfterMs);
	}

	private waitAlone(request: PacedRequest, retryAfterMs: number | undefined): number {
		request.refusals += 1;
		return retryAfterMs ?? this.backOffMs(request.refusals, MAX_WAIT_MS);
	}

	/** The lane is refused. @returns milliseconds until the request may be sent again */
	private pause(slot: SendSlot, now: number, retryAfterMs: number | undefined): number {
		const suspects = [...this.suspects.values()];
		const asked = suspects.map((suspect) => suspect.retryAfterMs ?? 0);
		const tooLong = asked.filter((ms) => ms > TOO_LONG_MS);
		if (tooLong.length >= EXHAUSTED_AFTER.rows && tooLong.length === asked.length)
			this.exhaust(now, Math.min(...tooLong));
		if (slot.sentAt >= this.lastPauseAt) {
			if (this.pauses === 0) {
				this.firstPauseAt = now;
				this.restoreRate = this.rate.save();
			}
			this.pauses += 1;
			this.lastPauseAt = now;
			this.cutRate(slot, now);
			const shortest = Math.min(...asked);
			const pauseMs = Math.max(
				shortest > TOO_LONG_MS ? 0 : shortest,
				this.backOffMs(this.pauses, MAX_PAUSE_MS),
			);
			this.pausedUntil = now + pauseMs;
			if (this.pauses > EXHAUSTED_AFTER.pauses) this.exhaust(now);
		}
		return Math.max(retryAfterMs ?? 0, this.pausedUntil - now);
	}

	private cutRate({ sentAt }: SendSlot, now: number): (() => void) | undefined {
		return this.rate.cut(
			now,
			sentAt,
			[...this.inFlight].map((slot) => slot.sentAt),
		);
	}

	private exhaust(now: number, endsInMs?: number): void {
		this.exhaustedUntil = now + FORGET_MS;
		this.endsAt = endsInMs === undefined ? undefined : this.clock.date() + endsInMs;
	}

	/** Notes what is in flight for so long that the gateway would have refused it by now. */
	private settle(now: number): void {
		if (this.slowestRefusalMs === 0) return;
		for (const slot of this.inFlight) {
			if (now - slot.sentAt <= REFUSAL_MARGIN * this.slowestRefusalMs) return;
			if (!slot.isAdmitted) this.admitted(slot);
		}
	}

	private admitted(slot: SendSlot): void {
		slot.isAdmitted = true;
		this.lastAdmitted = Math.max(this.lastAdmitted, slot.number);
		let together = 0;
		for (const other of this.inFlight) if (other.isAdmitted) together += 1;
		this.width.admitted(slot, together);
		if (this.suspects.size === 0) return;
		for (const [request, { number }] of this.suspects)
			if (number < slot.number) this.suspects.delete(request);
		if (this.suspects.size > 0) return;
		this.pausedUntil = Number.NEGATIVE_INFINITY;
		this.exhaustedUntil = Number.NEGATIVE_INFINITY;
		// It was sent without a pause, so that no limit was reached.
		if (this.pauses > 0 && slot.sentAt < this.firstPauseAt) this.restoreRate?.();
		this.pauses = 0;
	}

	private get isShared(): boolean {
		if (this.pauses > 0) return true;
		const [first] = this.suspects.values();
		const open = [...this.inFlight].filter(({ number, isAdmitted }) => !isAdmitted && number > first?.number);
		return this.suspects.size >= SHARED_FROM && this.suspects.size > open.length;
	}

	/** Milliseconds between two requests. */
	private get gapMs(): number {
		const latencyMs = this.latencyMs ?? 0;
		const spreadMs = this.spreads ? latencyMs / (3 * this.width.limit) : 0;
		const isDoubtful = this.suspects.size > 0 || this.width.isTrial(this.inFlight.size + 1);
		const doubtMs = isDoubtful
			? Math.min(REFUSAL_MARGIN * this.slowestRefusalMs, (this.latencyMs ?? Number.POSITIVE_INFINITY) / 2)
			: 0;
		return Math.max(1 / this.rate.perMs, spreadMs, doubtMs);
	}

	/** Doubles each time; the random part keeps separate processes out of step. */
	private backOffMs(times: number, mostMs: number): number {
		return Math.min(mostMs, 1_000 * 2 ** (times - 1)) * (1 + 0.2 * this.clock.random());
	}
}
