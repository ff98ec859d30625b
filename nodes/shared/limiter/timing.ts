import type { Clock } from './clock';

/** The first back-off, and the longest: six of them outlast a limit per minute. */
const BACK_OFF_MS = { first: 1_000, most: 30_000 };

/** How far a late timer may be made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/**
 * Exponential back-off, up to a fifth longer at random, which keeps apart what was refused together.
 *
 * @param times how many times in a row, from 1
 * @returns milliseconds to wait
 */
export function backOffMs(times: number, clock: Clock): number {
	return Math.min(BACK_OFF_MS.most, BACK_OFF_MS.first * 2 ** (times - 1)) * (1 + clock.random() / 5);
}

/**
 * What the next gap is counted from, if requests are a gap apart.
 *
 * @param from the same before the request that is sent now
 */
export function spacedFrom(from: number, gapMs: number, now: number): number {
	return Math.max(from + gapMs, now - Math.min(CATCH_UP_MS, gapMs));
}
