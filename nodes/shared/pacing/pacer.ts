import type { Clock } from './clock';
import { LearnedRate, type SendSlot } from './learnedRate';

/** Longest shared pause when the gateway does not say how long to wait. */
const MAX_PAUSE_MS = 60_000;
const BASE_PAUSE_MS = 1_000;

/** A late timer may be caught up by this much, so that rounding does not slow a paced batch down. */
const CATCH_UP_MS = 10;

/**
 * After a silence the first requests go out one by one, a millisecond apart: when a limit is hit at
 * once, its first refusal then arrives before the rest of a burst has run into it too.
 */
const RAMP = { sends: 6, intervalMs: 1, afterSilenceMs: 60_000 };

/** A pause that is longer than any request waits; see `RETRY_DEADLINE_MS`. */
const TOO_LONG_PAUSE_MS = 10 * 60_000;
/** How long nothing is sent once waiting has proved to be in vain, and after how many vain pauses. */
const EXHAUSTED = { forMs: 60_000, afterPauses: 5 };

/** Refusals this long ago say nothing about the next request. */
const FORGET_REFUSALS_AFTER_MS = 120_000;

interface Waiter {
	grant(slot: SendSlot): void;
}

/**
 * Decides when the requests of one credential may be sent: first come, first served, spaced by the
 * credential's Requests per Minute and by the rate learnt from earlier 429 answers, and all held back
 * together while the gateway asks for a pause.
 */
export class Pacer {
	private readonly waiters: Waiter[] = [];
	private readonly learned: LearnedRate;
	private readonly fixedIntervalMs: number;
	private nextSendAt = 0;
	private lastSendAt = Number.NEGATIVE_INFINITY;
	private rampLeft = 0;
	private pausedUntil = 0;
	private epoch = 0;
	private refusalsInARow = 0;
	private exhaustedUntil = 0;
	private lastRefusalAt = Number.NEGATIVE_INFINITY;
	private pumping = false;
	private idle = new AbortController();

	/** @param requestsPerMinute 0 for no fixed limit */
	constructor(
		private readonly clock: Clock,
		requestsPerMinute: number,
	) {
		this.fixedIntervalMs = requestsPerMinute > 0 ? 60_000 / requestsPerMinute : 0;
		this.learned = new LearnedRate(clock);
	}

	/**
	 * Waits for leave to send one request.
	 *
	 * @returns the slot, or undefined when `signal` was aborted while waiting
	 */
	async acquire(signal?: AbortSignal): Promise<SendSlot | undefined> {
		if (signal?.aborted) return undefined;
		const now = this.clock.now();
		// Without anyone before it, which is the rule, the request goes out at once.
		if (!this.pumping && this.waitMs(now) <= 0) return this.slotAt(now);
		return await new Promise((resolve) => {
			const withdraw = () => {
				this.waiters.splice(this.waiters.indexOf(waiter), 1);
				if (this.waiters.length === 0) this.idle.abort();
				resolve(undefined);
			};
			const waiter: Waiter = {
				grant: (slot) => {
					signal?.removeEventListener('abort', withdraw);
					resolve(slot);
				},
			};
			signal?.addEventListener('abort', withdraw, { once: true });
			this.waiters.push(waiter);
			void this.pump();
		});
	}

	/** The gateway took the request: refusals before it are over. */
	accepted(slot: SendSlot): void {
		if (slot.sentAt < this.lastRefusalAt) return;
		this.refusalsInARow = 0;
		this.exhaustedUntil = 0;
	}

	/**
	 * The gateway refused the request with 429. All requests of the credential pause, and the rate at
	 * which they are sent afterwards is learnt from what was accepted before.
	 *
	 * @param retryAfterMs what the answer asked for, if anything
	 * @returns milliseconds until sending may go on
	 */
	refused(slot: SendSlot, retryAfterMs: number | undefined): number {
		const now = this.clock.now();
		slot.refused = true;
		if (retryAfterMs !== undefined && retryAfterMs > TOO_LONG_PAUSE_MS) {
			this.exhaustedUntil = now + EXHAUSTED.forMs;
			return retryAfterMs;
		}
		const sameBurst = slot.epoch < this.epoch;
		if (!sameBurst) {
			if (now - this.lastRefusalAt > FORGET_REFUSALS_AFTER_MS) this.refusalsInARow = 0;
			this.epoch += 1;
			this.refusalsInARow += 1;
			this.lastRefusalAt = now;
			this.pausedUntil = now + (retryAfterMs ?? this.pauseMs());
		} else if (retryAfterMs !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		}
		this.learned.learn(slot.sentAt, !sameBurst);
		return Math.max(0, this.pausedUntil - now);
	}

	/** A request was given up after pauses that did not help: the ones behind it need not try for a while. */
	gaveUp(): void {
		if (this.pausesInARow >= EXHAUSTED.afterPauses) this.exhaustedUntil = this.clock.now() + EXHAUSTED.forMs;
	}

	/** Whether a request would only be refused, because the limit is used up for longer than anyone waits. */
	get isExhausted(): boolean {
		return this.clock.now() < this.exhaustedUntil;
	}

	/** How many pauses there were since the gateway last accepted a request. */
	get pausesInARow(): number {
		return this.clock.now() - this.lastRefusalAt > FORGET_REFUSALS_AFTER_MS ? 0 : this.refusalsInARow;
	}

	/** Doubles with each pause that did not help; the small random part keeps separate processes apart. */
	private pauseMs(): number {
		const doubled = BASE_PAUSE_MS * 2 ** (this.refusalsInARow - 1);
		return Math.min(MAX_PAUSE_MS, doubled) * (1 + 0.2 * this.clock.random());
	}

	private async pump(): Promise<void> {
		if (this.pumping) return;
		this.pumping = true;
		while (this.waiters.length > 0) {
			const now = this.clock.now();
			const waitMs = this.waitMs(now);
			if (waitMs > 0) {
				this.idle = new AbortController();
				await this.clock.sleep(waitMs, this.idle.signal);
				continue;
			}
			const slot = this.slotAt(now);
			this.waiters.shift()?.grant(slot);
		}
		this.pumping = false;
	}

	private waitMs(now: number): number {
		const waitMs = Math.max(this.nextSendAt, this.pausedUntil) - now;
		// No timer is finer; the next request makes up for it.
		return waitMs < 1 ? 0 : waitMs;
	}

	private slotAt(now: number): SendSlot {
		const interval = this.intervalMs(now);
		this.nextSendAt = Math.max(this.nextSendAt, now - Math.min(CATCH_UP_MS, interval)) + interval;
		const slot: SendSlot = { sentAt: now, epoch: this.epoch, refused: false };
		this.learned.sent(slot);
		return slot;
	}

	/** Spacing between two requests; wider while pauses follow each other without success. */
	private intervalMs(now: number): number {
		if (now - this.lastSendAt > RAMP.afterSilenceMs) this.rampLeft = RAMP.sends;
		this.lastSendAt = now;
		const ramp = this.rampLeft-- > 0 ? RAMP.intervalMs : 0;
		// As long as the rate is not known and everything is refused, single requests find out when it is over.
		const usual = this.learned.intervalMs ?? (this.refusalsInARow > 0 ? BASE_PAUSE_MS : 0);
		const spaced = usual * 2 ** Math.max(0, this.refusalsInARow - 1);
		return Math.max(this.fixedIntervalMs, ramp, Math.min(spaced, MAX_PAUSE_MS));
	}
}
