import type { Clock } from './clock';
import { LearnedRate, type SendSlot } from './learnedRate';

/** Longest pause when the gateway does not say how long to wait. */
const MAX_PAUSE_MS = 60_000;
const BASE_PAUSE_MS = 1_000;

/** How far a late timer may be made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/**
 * After an idle period, the first requests are sent a millisecond apart. If they exceed a limit, the first refusal then
 * arrives before the rest of the burst is sent.
 */
const RAMP = { sends: 6, intervalMs: 1, afterSilenceMs: 60_000 };

/** A pause that no request waits for; see `RETRY_DEADLINE_MS`. */
const TOO_LONG_PAUSE_MS = 10 * 60_000;
/** How long nothing is sent when the limit is exhausted, and after how many pauses without success that is assumed. */
const EXHAUSTED = { forMs: 60_000, afterPauses: 5 };

/** Older refusals are irrelevant for the next request. */
const FORGET_REFUSALS_AFTER_MS = 120_000;

interface Waiter {
	grant(slot: SendSlot): void;
}

/**
 * Decides when the requests of one credential may be sent: first come, first served, spaced by the credential's
 * Requests per Minute and by the rate learned from 429 responses. While the gateway asks for a pause, all of them wait.
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
	 * Waits for permission to send one request.
	 *
	 * @returns the slot, or undefined when `signal` was aborted while waiting
	 */
	async acquire(signal?: AbortSignal): Promise<SendSlot | undefined> {
		if (signal?.aborted) return undefined;
		const now = this.clock.now();
		// Usually no other request is waiting, so this one is sent immediately.
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

	/** The gateway accepted the request, so earlier refusals no longer matter. */
	accepted(slot: SendSlot): void {
		if (slot.sentAt < this.lastRefusalAt) return;
		this.refusalsInARow = 0;
		this.exhaustedUntil = 0;
	}

	/**
	 * The gateway refused the request with status 429. All requests of the credential pause; afterwards they are sent at
	 * the rate at which requests were accepted before.
	 *
	 * @param retryAfterMs delay that the response asked for, if any
	 * @returns milliseconds until sending may continue
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

	/** A request was given up after pauses without success. The requests after it need not try for a while. */
	gaveUp(): void {
		if (this.pausesInARow >= EXHAUSTED.afterPauses) this.exhaustedUntil = this.clock.now() + EXHAUSTED.forMs;
	}

	/** Whether a request would only be refused, because the limit is exhausted for longer than any request waits. */
	get isExhausted(): boolean {
		return this.clock.now() < this.exhaustedUntil;
	}

	/** Number of pauses since the gateway last accepted a request. */
	get pausesInARow(): number {
		return this.clock.now() - this.lastRefusalAt > FORGET_REFUSALS_AFTER_MS ? 0 : this.refusalsInARow;
	}

	/** Doubles with each pause without success; the small random part keeps separate processes out of step. */
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
		// No timer is more precise; the next request makes up for it.
		return waitMs < 1 ? 0 : waitMs;
	}

	private slotAt(now: number): SendSlot {
		const interval = this.intervalMs(now);
		this.nextSendAt = Math.max(this.nextSendAt, now - Math.min(CATCH_UP_MS, interval)) + interval;
		const slot: SendSlot = { sentAt: now, epoch: this.epoch, refused: false };
		this.learned.sent(slot);
		return slot;
	}

	/** Milliseconds between two requests; longer while pauses follow each other without success. */
	private intervalMs(now: number): number {
		if (now - this.lastSendAt > RAMP.afterSilenceMs) this.rampLeft = RAMP.sends;
		this.lastSendAt = now;
		const ramp = this.rampLeft-- > 0 ? RAMP.intervalMs : 0;
		// While the rate is unknown and everything is refused, single requests find out when the pause is over.
		const usual = this.learned.intervalMs ?? (this.refusalsInARow > 0 ? BASE_PAUSE_MS : 0);
		const spaced = usual * 2 ** Math.max(0, this.refusalsInARow - 1);
		return Math.max(this.fixedIntervalMs, ramp, Math.min(spaced, MAX_PAUSE_MS));
	}
}
