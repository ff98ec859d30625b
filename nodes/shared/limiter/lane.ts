import type { Clock } from './clock';
import { Exhaustion } from './exhaustion';
import { LearnedRate } from './learnedRate';
import { BASE_PAUSE_MS, isTooLong, pauseAfter, Pauses } from './pauses';
import type { PacedRequest, SendSlot } from './sendSlot';
import { Spacing } from './spacing';
import { Suspicion } from './suspicion';
import { Width } from './width';

/** How many times a request is repeated when the gateway asks to wait and the user sets nothing else: for minutes, because a limit passes. */
export const DEFAULT_MAX_RATE_LIMIT_RETRIES = 6;

/** How many times a request may be refused because more was tried at once, before that is no longer believed. */
const MAX_TRIALS = 2;

/** After this many pauses that helped others, a request is taken for one that is refused alone. */
const MAX_PAUSES_IN_VAIN = 2;

/**
 * The requests of a credential to one endpoint and one model, which share a limit of the gateway. While the gateway
 * refuses them, they pause together; afterwards they are sent at the rate at which they were accepted before. A request
 * that is refused although later ones are accepted waits alone.
 */
export class Lane {
	/** How many requests at once suit the gateway. */
	readonly width: Width;
	private readonly learned: LearnedRate;
	private readonly spacing = new Spacing();
	private readonly suspicion = new Suspicion();
	private sends = 0;
	private lastSendAt: number | undefined;
	private inProgress = 0;
	private pauseCount = 0;
	private readonly pauses = new Pauses();
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private readonly exhaustion: Exhaustion;
	private readonly random = () => this.clock.random();

	/**
	 * @param onChange is called when requests may be sent earlier than it seemed, or not at all
	 * @param widest how many requests at once its width never exceeds
	 */
	constructor(
		private readonly clock: Clock,
		private readonly onChange: () => void,
		widest = Number.POSITIVE_INFINITY,
	) {
		this.learned = new LearnedRate(clock);
		this.exhaustion = new Exhaustion(clock);
		this.width = new Width(widest);
	}

	/** Milliseconds until the next request may be sent. Infinite until an answer arrives that the lane depends on. */
	waitMs(now: number): number {
		if (this.exhaustion.holds(now)) return this.inProgress > 0 ? Number.POSITIVE_INFINITY : 0;
		return Math.max(this.spacing.waitMs(now), this.pausedUntil - now);
	}

	/** Whether as many requests are in progress as suit the gateway, so that this one has to wait. */
	isFull({ isWithinWidth, run }: PacedRequest): boolean {
		if (run && run.inProgress >= run.most) return true;
		return isWithinWidth && this.inProgress >= this.width.limit;
	}

	/**
	 * Whether a request would only be refused, because the limit is exhausted for longer than any request waits. A request
	 * in progress may still prove the opposite.
	 */
	isExhausted(now: number): boolean {
		return this.exhaustion.holds(now) && this.inProgress === 0;
	}

	/** Whether the gateway refuses the lane, rather than single requests. */
	isRefused(now: number): boolean {
		return this.suspicion.isShared(now);
	}

	/**
	 * Whether a request should go first that shows what is refused: one that was never refused shows whether the others are
	 * refused alone. If it is refused as well, again and again, it may be that each request is refused at first.
	 */
	isRevealing({ refusals }: PacedRequest, now: number): boolean {
		if (!this.isRefused(now)) return false;
		return this.pauses.inARow <= MAX_PAUSES_IN_VAIN ? refusals === 0 : refusals > 0;
	}

	/** How long the lane pauses after a refusal, in milliseconds. */
	pauseMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** Whether requests wait because the gateway has refused some. */
	isLimited(now: number): boolean {
		return now < this.pausedUntil || this.learned.intervalMs !== undefined;
	}

	/** When the limit ends, in milliseconds since the epoch, as far as the lane knows. */
	get limitEnd(): number | undefined {
		return this.exhaustion.limitEnd;
	}

	/** When it was last used, on the monotonic clock; undefined while it is in use. */
	get idleSince(): number | undefined {
		return this.inProgress > 0 ? undefined : this.lastSendAt;
	}

	/** Records a request that is being sent. */
	send(request: PacedRequest, now: number): SendSlot {
		this.inProgress += 1;
		if (request.run) request.run.inProgress += 1;
		this.lastSendAt = now;
		const { inProgress, pauseCount: pauses } = this;
		const slot: SendSlot = { request, number: ++this.sends, sentAt: now, pauses, refused: false, inProgress };
		this.width.sent(slot, request.isWithinWidth);
		const spreadMs = request.isWithinWidth ? this.width.spacingMs : 0;
		this.spacing.sent(now, Math.max(this.intervalMs, spreadMs));
		this.learned.sent(slot);
		return slot;
	}

	/** The request ended in a way that says nothing about the limit. */
	ended(slot: SendSlot): void {
		this.width.ended(slot);
		this.inProgress -= 1;
		if (slot.request.run) slot.request.run.inProgress -= 1;
		this.onChange();
	}

	/** The gateway accepted the request. @param isAnswered whether it also did what was asked for */
	accepted(slot: SendSlot, isAnswered = true): void {
		const { request } = slot;
		const now = this.clock.now();
		this.width.accepted(slot, now, isAnswered);
		const wasShared = this.suspicion.isShared(now);
		const cleared = this.suspicion.accepted(slot);
		// A request that was refused alone and is accepted now was refused because of its rate and not of its content.
		const { refusedAloneAt, isRefusedAlone } = request;
		if (refusedAloneAt !== undefined && this.learned.lastLessonAt < refusedAloneAt && !isRefusedAlone)
			this.learned.learn(refusedAloneAt, true);
		// A pause that began before this request was sent may simply have been long enough.
		const wasNoLimit = !wasShared || slot.pauses < this.pauseCount;
		for (const other of cleared) {
			if (other === request) continue;
			other.pausesInVain += 1;
			other.isRefusedAlone = wasNoLimit || other.pausesInVain >= MAX_PAUSES_IN_VAIN;
		}
		if (cleared.length > 0 && !this.suspicion.isShared(now)) {
			this.pauses.end();
			this.pausedUntil = Number.NEGATIVE_INFINITY;
			this.exhaustion.end();
			if (wasShared && wasNoLimit) this.learned.undo();
			// The interval after this request was chosen when nothing was known to be accepted.
			this.spacing.shorten(now, this.learned.intervalMs ?? 0);
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
		slot.refused = true;
		const mayBeTrial = request.isWithinWidth && request.refusedTrials < MAX_TRIALS;
		if (mayBeTrial && this.width.refused(slot, now, retryAfterMs !== undefined)) {
			request.refusedTrials += 1;
			this.ended(slot);
			return retryAfterMs ?? Math.min(this.width.usualMs ?? BASE_PAUSE_MS, this.backOffMs(1));
		}
		request.refusals += 1;
		const wasShared = this.suspicion.isShared(now);
		if (!wasShared) this.pauses.end();
		this.suspicion.refused(slot, now, this.inProgress - 1, isTooLong(retryAfterMs));
		const isShared = this.suspicion.isShared(now);
		if (isShared && !wasShared) this.learned.remember();
		if (!isShared) {
			request.ownRefusals += 1;
			request.refusedAloneAt = slot.sentAt;
			// Next to other processes, most refusals are single ones. Later ones of a request may be due to its content.
			if (request.refusals === 1 && !isTooLong(retryAfterMs))
				this.learned.learnMore(slot.sentAt, retryAfterMs);
		}
		const alone = request.isRefusedAlone || !isShared;
		const waitMs = alone
			? (retryAfterMs ?? this.backOffMs(Math.max(1, request.ownRefusals)))
			: this.pause(slot, now, retryAfterMs);
		this.ended(slot);
		return waitMs;
	}

	/**
	 * Whether a refused request may be sent again. If the lane is refused, its pauses count instead of the refusals of the
	 * request: while other requests succeed, the gateway is only busy.
	 *
	 * @param maxRetries a number that the user has set, and that no request exceeds
	 */
	mayRetry({ refusals, ownRefusals, isRefusedAlone }: PacedRequest, maxRetries?: number): boolean {
		if (maxRetries !== undefined && refusals > maxRetries) return false;
		const isShared = !isRefusedAlone && this.suspicion.isShared(this.clock.now());
		const times = isShared ? this.pauses.inARow : ownRefusals;
		return times <= (maxRetries ?? DEFAULT_MAX_RATE_LIMIT_RETRIES);
	}

	/** A request was given up after a refusal. If the lane is refused, the requests after it need not try for a while. */
	gaveUp({ isRefusedAlone }: PacedRequest): void {
		const now = this.clock.now();
		if (isRefusedAlone || !this.suspicion.isShared(now) || !this.pauses.giveUp()) return;
		this.exhaustion.begin(now);
		this.onChange();
	}

	/** A refusal of the lane. @returns milliseconds until sending may continue */
	private pause(slot: SendSlot, now: number, retryAfterMs: number | undefined): number {
		if (retryAfterMs !== undefined && isTooLong(retryAfterMs)) {
			if (this.suspicion.isSharedForLong(now)) this.exhaustion.begin(now, retryAfterMs);
			return retryAfterMs;
		}
		const sameBurst = slot.pauses < this.pauseCount;
		if (!sameBurst) {
			this.pauseCount += 1;
			this.pauses.add(retryAfterMs !== undefined);
			this.pausedUntil = now + this.pauses.lengthMs(retryAfterMs, this.learned.intervalMs, this.random);
		} else if (retryAfterMs !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		}
		this.learned.learn(slot.sentAt, !sameBurst, retryAfterMs);
		return Math.max(0, this.pausedUntil - now);
	}

	private backOffMs(refusals: number): number {
		return pauseAfter(refusals, this.random);
	}

	/** Milliseconds between two requests; longer while pauses follow each other without success. */
	private get intervalMs(): number {
		const { learned, pauses } = this;
		if (pauses.inARow === 0) return learned.intervalMs ?? 0;
		// While the rate is unknown and everything is refused, single requests find out when the pause is over.
		return pauses.slowed(learned.intervalMs ?? BASE_PAUSE_MS, learned.intervalMs !== undefined);
	}
}
