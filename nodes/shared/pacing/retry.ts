import type { Clock } from './clock';

/**
 * What may be done again: `read` changes nothing; `generate` is paid for but leaves nothing behind, so a
 * refused request may be sent again; `create` leaves a task or a voice behind, so only a request that
 * certainly was not carried out may be.
 */
export type Repeatability = 'read' | 'generate' | 'create';

/** How one attempt ended without success. */
export type FailedAttempt =
	| { kind: 'status'; status: number }
	/** No connection was made: nothing was sent. */
	| { kind: 'notConnected' }
	/** The connection was lost, or the time limit ran out, after the request was sent. */
	| { kind: 'interrupted' };

const RETRIED_STATUSES: Record<Repeatability, number[]> = {
	read: [500, 502, 503, 504, 529],
	generate: [500, 502, 503, 504, 529],
	// 500, 502 and 504 may come after the work was done.
	create: [503, 529],
};

/** How often a failed request is repeated when the user sets nothing else. */
export const DEFAULT_MAX_RETRIES = 6;

const BASE_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/** How long a request is retried, counted from its first attempt, and the longest wait that is accepted. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

/**
 * Whether a failed attempt may be repeated at all, whatever the number of attempts (architecture,
 * "Requests"). 429 is allowed for everything: it was refused before anything was done.
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

/**
 * Whether the gateway may have carried out a request that failed like this.
 */
export function mayHaveBeenCarriedOut(attempt: FailedAttempt, repeatability: Repeatability): boolean {
	if (repeatability === 'read') return false;
	if (attempt.kind === 'interrupted') return true;
	return repeatability === 'create' && attempt.kind === 'status' && [500, 502, 504].includes(attempt.status);
}

/**
 * Exponential back-off with full jitter.
 *
 * @param attempt how many attempts were made, from 1
 * @param askedForMs what the answer asked for in Retry-After, which is the least wait then
 * @returns milliseconds to wait before the next attempt
 */
export function backOffMs(attempt: number, random: Clock['random'], askedForMs = 0): number {
	const doubled = Math.min(MAX_BACK_OFF_MS, BASE_BACK_OFF_MS * 2 ** (attempt - 1));
	return Math.max(askedForMs, doubled * random());
}
