import type { Clock } from './clock';

const FIRST_BACK_OFF_MS = 1_000;

/** How far a late timer may be made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/**
 * Exponential back-off, up to half longer at random, which keeps apart what was refused together.
 *
 * @param times how many times in a row, from 1
 * @param mostMs the longest wait without the random part
 * @returns milliseconds to wait
 */
export function backOffMs(times: number, mostMs: number, clock: Clock): number {
	return Math.min(mostMs, FIRST_BACK_OFF_MS * 2 ** (times - 1)) * (1 + clock.random() / 5);
}

/**
 * What the next gap is counted from, if requests are a gap apart.
 *
 * @param from the same before the request that is sent now
 */
export function spacedFrom(from: number, gapMs: number, now: number): number {
	return Math.max(from + gapMs, now - Math.min(CATCH_UP_MS, gapMs));
}
