/** Shorter waits stay in the process: n8n looks for waiting executions only once a minute. */
const MIN_SLEEP_MS = 65_000;

/** Intervals are randomly longer by up to this fraction, so that several executions do not check in step. */
const JITTER = 0.05;

/** How often to check. */
export interface CheckIntervals {
	firstIntervalMs: number;
	longestIntervalMs: number;
}

/**
 * When to check again. Each interval is half of the time waited so far, within the limits, so the state needs no
 * counter.
 *
 * @param now in milliseconds since the epoch, like the result
 * @param item when its wait began (`since`) and ends (`until`), in milliseconds since the epoch
 * @param random from 0 to 1
 */
export function nextCheckAt(
	now: number,
	{ since, until }: { since: number; until: number },
	{ firstIntervalMs, longestIntervalMs }: CheckIntervals,
	random: number,
): number {
	const grown = Math.max(firstIntervalMs, (now - since) / 2);
	const interval = Math.min(grown, Math.max(firstIntervalMs, longestIntervalMs));
	return Math.min(until, Math.ceil(now + interval * (1 + JITTER * random)));
}

export type NextStep =
	| 'finish'
	| 'check'
	/** Wait for the next check in the process. */
	| 'stay'
	/** Send the new state through the loop, because sleeping would lose it. */
	| 'handOver'
	/** Let n8n move the execution to its database until the next check. */
	| 'sleep';

/**
 * What to do until the next check.
 *
 * @param isNew whether the items contain something that is not in the node's input yet; n8n keeps only the input while
 *   an execution sleeps
 */
export function nextStep(
	now: number,
	{ pending, nextCheck, isNew }: { pending: number; nextCheck: number; isNew: boolean },
): NextStep {
	if (pending === 0) return 'finish';
	if (nextCheck <= now) return 'check';
	if (nextCheck - now < MIN_SLEEP_MS) return 'stay';
	return isNew ? 'handOver' : 'sleep';
}
