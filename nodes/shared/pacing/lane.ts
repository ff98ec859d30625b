import type { Clock } from './clock';
import { LearnedRate } from './learnedRate';
import type { PacedRequest, SendSlot } from './sendSlot';
import { Spacing } from './spacing';
import { Suspicion } from './suspicion';

/** Longest pause when the gateway does not say how long to wait. */
const MAX_PAUSE_MS = 60_000;
const BASE_PAUSE_MS = 1_000;

/**
 * After an idle period, the first requests are sent a millisecond apart. If they exceed a limit, the first refusal then
 * arrives before the rest of the burst is sent.
 */
const RAMP = { sends: 6, intervalMs: 1, afterSilenceMs: 60_000 };

/** A pause that no request waits for; see `RETRY_DEADLINE_MS`. */
const TOO_LONG_PAUSE_MS = 10 * 60_000;
/**
 * How long nothing is sent when the limit is exhausted, and after how many pauses without success and requests that were
 * given up that is assumed.
 */
const EXHAUSTED = { forMs: 60_000, afterPauses: 5, afterGivenUp: 2 };

/**
 * Where refused requests are accepted later, a request may simply be unlucky, and is tried this many times as often. This
 * holds for a while.
 */
const RECOVERIES = { tries: 2, countForMs: 120_000 };

/** After this many pauses that helped others, a request is taken for one that is refused alone. */
const MAX_PAUSES_IN_VAIN = 2;

/**
 * The requests of a credential to one endpoint and one model, which share a limit of the gateway. While the gateway
 * refuses them, they pause together; afterwards they are sent at the rate at which they were accepted before. A request
 * that is refused although later ones are accepted waits alone.
 */
export class Lane {
	private readonly learned: LearnedRate;
	private readonly spacing = new Spacing();
	private readonly suspicion = new Suspicion();
	private lastSendAt = Number.NEGATIVE_INFINITY;
	private rampLeft = 0;
	private sends = 0;
	private inProgress = 0;
	private pauses = 0;
	private pausesInARow = 0;
	private givenUp = 0;
	private lastRecoveryAt = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private exhaustedUntil = Number.NEGATIVE_INFINITY;
	private endOfLimit: number | undefined;

	/** @param onChange is called when requests may be sent earlier than it seemed, or not at all */
	constructor(
		private readonly clock: Clock,
		private readonly onChange: () => void,
	) {
		this.learned = new LearnedRate(clock);
	}

	/** Milliseconds until the next request may be sent. Infinite until an answer arrives that the lane depends on. */
	waitMs(now: number): number {
		if (now < this.exhaustedUntil) return this.inProgress > 0 ? Number.POSITIVE_INFINITY : 0;
		return Math.max(this.spacing.waitMs(now), this.pausedUntil - now);
	}

	/**
	 * Whether a request would only be refused, because the limit is exhausted for longer than any request waits. A request
	 * in progress may still prove the opposite.
	 */
	isExhausted(now: number): boolean {
		return now < this.exhaustedUntil && this.inProgress === 0;
	}

	/** Whether the gateway refuses the lane, rather than single requests. */
	isRefused(now: number): boolean {
		return this.suspicion.isShared(now);
	}

	/** When the limit ends, in milliseconds since the epoch, as far as the lane knows. */
	get limitEnd(): number | undefined {
		return this.endOfLimit;
	}

	/** When it was last used, on the monotonic clock; undefined while it is in use. */
	get idleSince(): number | undefined {
		return this.inProgress > 0 ? undefined : this.lastSendAt;
	}

	/** Records a request that is being sent. */
	send(request: PacedRequest, now: number): SendSlot {
		this.spacing.sent(now, this.intervalMs(now));
		const slot = { request, number: ++this.sends, sentAt: now, pauses: this.pauses, refused: false };
		this.inProgress += 1;
		this.learned.sent(slot);
		return slot;
	}

	/** The request ended in a way that says nothing about the limit. */
	ended(): void {
		this.inProgress -= 1;
		this.onChange();
	}

	/** The gateway accepted the request. */
	accepted(slot: SendSlot): void {
		const { request } = slot;
		const now = this.clock.now();
		const wasShared = this.suspicion.isShared(now);
		const cleared = this.suspicion.accepted(slot);
		if (request.wasRefused) this.lastRecoveryAt = now;
		if (request.refusedAloneAt !== undefined) this.learnFromLoneRefusal(request, request.refusedAloneAt);
		// A pause that began before this request was sent may simply have been long enough.
		const wasNoLimit = !wasShared || slot.pauses < this.pauses;
		for (const other of cleared) {
			if (other === request) continue;
			other.pausesInVain += 1;
			other.isRefusedAlone = wasNoLimit || other.pausesInVain >= MAX_PAUSES_IN_VAIN;
		}
		if (cleared.length > 0 && !this.suspicion.isShared(now)) {
			this.pausesInARow = 0;
			this.givenUp = 0;
			this.pausedUntil = Number.NEGATIVE_INFINITY;
			this.exhaustedUntil = Number.NEGATIVE_INFINITY;
			if (wasShared && wasNoLimit) this.learned.undo();
		}
		this.ended();
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
		slot.refused = true;
		request.wasRefused = true;
		const wasShared = this.suspicion.isShared(now);
		if (!wasShared) {
			this.pausesInARow = 0;
			this.givenUp = 0;
		}
		this.suspicion.refused(slot, now, this.inProgress - 1, isTooLong(retryAfterMs));
		const isShared = this.suspicion.isShared(now);
		if (isShared && !wasShared) this.learned.remember();
		if (!isShared) {
			request.ownRefusals += 1;
			request.refusedAloneAt = slot.sentAt;
		}
		const alone = request.isRefusedAlone || !isShared;
		const waitMs = alone
			? (retryAfterMs ?? this.backOffMs(Math.max(1, request.ownRefusals)))
			: this.pause(slot, now, retryAfterMs);
		this.ended();
		return waitMs;
	}

	/**
	 * Whether a refused request may be sent again. If the lane is refused, its pauses count instead of the refusals: while
	 * other requests succeed, the gateway is only busy.
	 */
	mayRetry(request: PacedRequest, maxRetries: number): boolean {
		if (maxRetries <= 0) return false;
		const now = this.clock.now();
		if (this.suspicion.isShared(now)) return this.pausesInARow <= maxRetries;
		const tries =
			now - this.lastRecoveryAt < RECOVERIES.countForMs ? RECOVERIES.tries * maxRetries : maxRetries;
		return request.ownRefusals <= tries;
	}

	/** A request was given up after a refusal. If the lane is refused, the requests after it need not try for a while. */
	gaveUp({ isRefusedAlone }: PacedRequest): void {
		const now = this.clock.now();
		if (isRefusedAlone || !this.suspicion.isShared(now) || this.pausesInARow < EXHAUSTED.afterPauses) return;
		this.givenUp += 1;
		if (this.givenUp < EXHAUSTED.afterGivenUp) return;
		this.exhaust(now, Math.max(EXHAUSTED.forMs, this.pausedUntil - now));
		this.onChange();
	}

	/** A refusal of the lane. @returns milliseconds until sending may continue */
	private pause(slot: SendSlot, now: number, retryAfterMs: number | undefined): number {
		if (retryAfterMs !== undefined && isTooLong(retryAfterMs)) {
			if (this.suspicion.isSharedForLong(now)) this.exhaust(now, retryAfterMs);
			return retryAfterMs;
		}
		const sameBurst = slot.pauses < this.pauses;
		if (!sameBurst) {
			this.pauses += 1;
			this.pausesInARow += 1;
			this.pausedUntil = now + (retryAfterMs ?? this.backOffMs(this.pausesInARow));
		} else if (retryAfterMs !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		}
		this.learned.learn(slot.sentAt, !sameBurst);
		return Math.max(0, this.pausedUntil - now);
	}

	/** @param endsInMs when the limit ends; until then, single requests find out whether it still holds */
	private exhaust(now: number, endsInMs: number): void {
		this.exhaustedUntil = now + EXHAUSTED.forMs;
		this.endOfLimit = this.clock.date() + endsInMs;
	}

	/** A request was refused alone and is accepted now, so it was its rate and not its content. */
	private learnFromLoneRefusal({ isRefusedAlone }: PacedRequest, refusedAt: number): void {
		if (this.learned.lastLessonAt >= refusedAt) return;
		if (isRefusedAlone) this.learned.slowDown();
		else this.learned.learn(refusedAt, true);
	}

	/** Doubles with each refusal without success; the small random part keeps separate processes out of step. */
	private backOffMs(refusals: number): number {
		return Math.min(MAX_PAUSE_MS, BASE_PAUSE_MS * 2 ** (refusals - 1)) * (1 + 0.2 * this.clock.random());
	}

	/** Milliseconds between two requests; longer while pauses follow each other without success. */
	private intervalMs(now: number): number {
		if (now - this.lastSendAt > RAMP.afterSilenceMs) this.rampLeft = RAMP.sends;
		this.lastSendAt = now;
		const ramp = this.rampLeft-- > 0 ? RAMP.intervalMs : 0;
		// While the rate is unknown and everything is refused, single requests find out when the pause is over.
		const usual = this.learned.intervalMs ?? (this.pausesInARow > 0 ? BASE_PAUSE_MS : 0);
		const spaced = usual * 2 ** Math.max(0, this.pausesInARow - 1);
		return Math.max(ramp, Math.min(spaced, MAX_PAUSE_MS));
	}
}

function isTooLong(retryAfterMs: number | undefined): boolean {
	return retryAfterMs !== undefined && retryAfterMs > TOO_LONG_PAUSE_MS;
}
