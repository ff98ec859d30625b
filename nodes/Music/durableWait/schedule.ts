/** Waits shorter than this are passed in the process: n8n looks for waiting executions only once a minute. */
export const SHORTEST_SLEEP_MS = 65_000;

/** Intervals are longer by up to this part, by chance, so that several executions do not check in step. */
const JITTER = 0.05;

/** How often a check is made. */
export interface Rhythm {
	firstIntervalMs: number;
	longestIntervalMs: number;
}

/**
 * When to check again. The interval grows with the time that was already waited, so that it needs no counter: each
 * check comes after about half as long again.
 *
 * @param since when the wait began, and `until` when it is given up, in milliseconds since the epoch
 * @param chance from 0 to 1
 */
export function nextCheckAt(
	now: number,
	{ since, until }: { since: number; until: number },
	{ firstIntervalMs, longestIntervalMs }: Rhythm,
	chance: number,
): number {
	const grown = Math.max(firstIntervalMs, (now - since) / 2);
	const interval = Math.min(grown, Math.max(firstIntervalMs, longestIntervalMs));
	return Math.min(until, Math.ceil(now + interval * (1 + JITTER * chance)));
}

/** How the time until the next check is passed. */
export type NextStep =
	| 'finish'
	| 'check'
	/** Stay in the process. */
	| 'stay'
	/** Hand what is new to the loop, because sleeping would lose it. */
	| 'handOver'
	/** Let n8n put the execution into its database. */
	| 'sleep';

/**
 * @param isNew whether the items hold something that is not in the node's input yet; n8n keeps only the input while
 *   an execution sleeps
 */
export function nextStep(
	now: number,
	{ pending, nextCheck, isNew }: { pending: number; nextCheck: number; isNew: boolean },
): NextStep {
	if (pending === 0) return 'finish';
	if (nextCheck <= now) return 'check';
	if (nextCheck - now < SHORTEST_SLEEP_MS) return 'stay';
	return isNew ? 'handOver' : 'sleep';
}
