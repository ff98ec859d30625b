import { interruptibleSleep } from '../olderEngines';

/** Time and randomness, passed in wherever behavior depends on them, so that tests can control both. */
export interface Clock {
	/** Milliseconds since some moment in the past. Only differences have a meaning; nobody can set this clock back. */
	now(): number;
	/** Milliseconds since the epoch, where a date is meant: for people, for headers, and for what n8n saves. */
	date(): number;
	/** Resolves after `milliseconds`, or as soon as `signal` is aborted. It never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/** A longer timer ends at once, because Node counts in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of a running n8n. */
export const systemClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	random: () => Math.random(),
	async sleep(milliseconds, signal) {
		// A signal of its own, so that no listener stays at one that lives as long as the execution.
		const own = AbortSignal.any(signal ? [signal] : []);
		let restMs = milliseconds;
		do {
			await interruptibleSleep(Math.min(restMs, LONGEST_TIMER_MS), own).catch(() => {});
			restMs -= LONGEST_TIMER_MS;
		} while (restMs > 0 && !own.aborted);
	},
};

/** The time for which a request is tried after its first attempt; also the longest accepted wait. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

/** For what has failed, and for a lane that is refused. A shorter first wait is refused more by limits per second. */
const BACK_OFF = { firstMs: 1_000, growth: 2, mostMs: 30_000 };

/** For one request that is refused alone: soon, because some gateways refuse at random; six outlast a limit per minute. */
export const QUICK_BACK_OFF: typeof BACK_OFF = { ...BACK_OFF, firstMs: 250, growth: 3 };

/** Limits how far a late timer is made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/** Milliseconds of exponential back-off, or what the gateway asks for, with jitter to spread what was refused together. */
export function backOffMs(times: number, clock: Clock, retryAfterMs = 0, curve = BACK_OFF): number {
	const ms = Math.min(curve.mostMs, curve.firstMs * curve.growth ** (times - 1));
	return (retryAfterMs || ms) + (ms * clock.random()) / 5;
}

/** When the gap before the next request begins. @param start the same for this request */
export function nextGapStart(start: number, gapMs: number, now: number): number {
	return Math.max(start + gapMs, now - Math.min(CATCH_UP_MS, gapMs));
}
