import type { Clock } from './clock';

/**
 * Which requests may be repeated. `read` changes nothing. `generate` is paid for but creates nothing permanent, so a
 * rejected request may be repeated. `create` creates a task or a voice, so a request may be repeated only if it
 * certainly was not carried out.
 */
export type Repeatability = 'read' | 'generate' | 'create';

/** How one attempt ended without success. */
export type FailedAttempt =
	| { kind: 'status'; status: number }
	/** No connection was made, so nothing was sent. */
	| { kind: 'notConnected' }
	/** The connection was lost, or the time limit was exceeded, after the request was sent. */
	| { kind: 'interrupted' };

const RETRIED_STATUSES: Record<Repeatability, number[]> = {
	read: [500, 502, 503, 504, 529],
	generate: [500, 502, 503, 504, 529],
	// 500, 502, and 504 may follow after the work was done.
	create: [503, 529],
};

/** How often a failed request is repeated when the user sets nothing else. */
export const DEFAULT_MAX_RETRIES = 6;

const BASE_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/** How long a request is retried after its first attempt; also the longest accepted wait. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

/**
 * Whether a failed attempt may be repeated, regardless of the number of attempts (docs/architecture.md, "A request").
 * A 429 may always be repeated, because the gateway rejected the request before doing anything.
 */
export function mayRepeat(attempt: FailedAttempt, repeatability: Repeatability): boolean {
	switch (attempt.kind) {
		case 'notConnected':
			return true;
		case 'interrupted':
			return repeatability === 'read';
		case 'status':
			return attempt.status === 429 || RETRIED_STATUSES[repeatability].includes(attempt.status);
	}
}

/** Whether the gateway may have carried out a request that failed in this way. */
export function mayHaveBeenCarriedOut(attempt: FailedAttempt, repeatability: Repeatability): boolean {
	if (repeatability === 'read') return false;
	if (attempt.kind === 'interrupted') return true;
	return repeatability === 'create' && attempt.kind === 'status' && [500, 502, 504].includes(attempt.status);
}

/**
 * Exponential back-off with full jitter.
 *
 * @param attempt number of attempts so far, from 1
 * @param askedForMs delay from the Retry-After header; the result is never shorter
 * @returns milliseconds to wait before the next attempt
 */
export function backOffMs(attempt: number, random: Clock['random'], askedForMs = 0): number {
	const doubled = Math.min(MAX_BACK_OFF_MS, BASE_BACK_OFF_MS * 2 ** (attempt - 1));
	return Math.max(askedForMs, doubled * random());
}
