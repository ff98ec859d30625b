import { interruptibleSleep } from '../olderEngines';

/** Time and randomness, passed in wherever behavior depends on them, so that tests can control both. */
export interface Clock {
	/** Milliseconds since some moment in the past, for measuring differences. Nobody can set this clock back. */
	now(): number;
	/** Milliseconds since the epoch, for dates: for people, for headers, and for what n8n saves. */
	date(): number;
	/** Resolves after `milliseconds`, or as soon as `signal` is aborted. It never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/** The longest timer, in milliseconds. A longer one ends at once, because Node counts in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of a running n8n. */
export const systemClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	random: () => Math.random(),
	async sleep(milliseconds, signal) {
		// A separate signal, so that no listener stays at one that lives as long as the execution.
		const own = AbortSignal.any(signal ? [signal] : []);
		let restMs = milliseconds;
		do {
			await interruptibleSleep(Math.min(restMs, LONGEST_TIMER_MS), own).catch(() => {});
			restMs -= LONGEST_TIMER_MS;
		} while (restMs > 0 && !own.aborted);
	},
};

/** The time, in milliseconds, for which a request is tried after its first attempt, and the longest accepted wait. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

/** The back-off after failures, and of refused lanes. Limits per second refuse more with a shorter first wait. */
const BACK_OFF = { firstMs: 1_000, growth: 2, mostMs: 30_000 };

/** The back-off of a request refused alone: short, as some gateways refuse at random; six outlast a minute's limit. */
export const QUICK_BACK_OFF: typeof BACK_OFF = { ...BACK_OFF, firstMs: 250, growth: 3 };

/** The longest delay of a late timer that is made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/** Returns milliseconds of exponential back-off, or what the gateway asks for, with jitter to spread requests out. */
export function backOffMs(times: number, clock: Clock, retryAfterMs = 0, curve = BACK_OFF): number {
	const ms = Math.min(curve.mostMs, curve.firstMs * curve.growth ** (times - 1));
	return (retryAfterMs || ms) + (ms * clock.random()) / 5;
}

/** Returns when the gap before the next request begins. @param start the same for the request that is sent now */
export function nextGapStart(start: number, gapMs: number, now: number): number {
	return Math.max(start + gapMs, now - Math.min(CATCH_UP_MS, gapMs));
}
