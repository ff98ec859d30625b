import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from './lane';
import type { Clock } from './clock';

/**
 * What a request does. `read` changes nothing. `generate` is paid for but creates nothing permanent. `create` creates a
 * task or a voice.
 */
export type Repeatability = 'read' | 'generate' | 'create';

/** How one attempt ended without success. */
export type FailedAttempt =
	/**
	 * `hasErrorObject`: the answer is the gateway's own (interface, 2.11) rather than that of a proxy.
	 * `hasIdempotencyKey`: the request carried one.
	 * `workWasDone`: the answer says that what was asked for was done, although its result did not arrive.
	 */
	| {
			kind: 'status';
			status: number;
			hasErrorObject: boolean;
			hasIdempotencyKey?: boolean;
			workWasDone?: boolean;
	  }
	/** No connection was made, so nothing was sent. */
	| { kind: 'notConnected' }
	/** The connection was lost, or the time limit was exceeded, after the request was sent. */
	| { kind: 'interrupted' };

/** What became of the request of a failed attempt. */
export type RequestFate =
	/** The gateway did not accept it for now, so it may be repeated. */
	| 'notTaken'
	/** The gateway rejected it, and would do so again. */
	| 'rejected'
	/** The gateway may be working on it, or may have finished it, and may charge for it. */
	| 'unclear';

/**
 * How often a request is repeated when the user sets nothing else: for a few seconds after failures, because they often
 * repeat themselves, and for minutes at a rate limit, because it passes.
 */
export const DEFAULT_MAX_RETRIES = 3;

/** How often a request may be repeated. */
export interface RetryLimits {
	/** After a failure. Default: `DEFAULT_MAX_RETRIES`. */
	maxRetries?: number;
	/** When the gateway asks to wait. Default: `DEFAULT_MAX_RATE_LIMIT_RETRIES`. */
	maxRateLimitRetries?: number;
}

/** Never repeats a request. */
export const NO_RETRIES = { maxRetries: 0, maxRateLimitRetries: 0 } satisfies RetryLimits;
/** For somebody who waits in the editor. */
export const ONE_RETRY = { maxRetries: 1, maxRateLimitRetries: 1 } satisfies RetryLimits;

const BASE_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/** How long a request is retried after its first attempt; also the longest accepted wait. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

/** The gateway is too busy (interface, section 7). */
const NOT_TAKEN = [429, 503, 529];
/** The gateway does not have what the request needs, or wants a sign-in first. */
const REJECTED_BY_SERVER = [501, 505, 511];
/**
 * "See other": the request was carried out, and its result is at another address. The time for the request ran out, or
 * nobody waited for its answer any more.
 */
const UNCLEAR = [303, 408, 499];

/** What a failed attempt says about its request (docs/dev/architecture.md, "The road of a request"). */
export function fateOf(attempt: FailedAttempt, repeatability: Repeatability): RequestFate {
	if (attempt.kind === 'notConnected') return 'notTaken';
	if (attempt.kind === 'interrupted') return 'unclear';
	const { status, hasErrorObject, hasIdempotencyKey, workWasDone } = attempt;
	if (workWasDone) return 'unclear';
	// The gateway still works on the first request with this key.
	if (status === 409 && hasIdempotencyKey) return 'unclear';
	if (NOT_TAKEN.includes(status)) return 'notTaken';
	// What creates something may have done so before the error.
	if (status === 500 && hasErrorObject && repeatability !== 'create') return 'notTaken';
	const isUnclear = status >= 500 ? !REJECTED_BY_SERVER.includes(status) : UNCLEAR.includes(status);
	return isUnclear ? 'unclear' : 'rejected';
}

/**
 * Whether a failed attempt may be repeated, regardless of the number of attempts.
 *
 * @param repeatsUnclear whether a request may be repeated although it may already be paid for
 */
export function mayRepeat(
	attempt: FailedAttempt,
	repeatability: Repeatability,
	repeatsUnclear = false,
): boolean {
	const fate = fateOf(attempt, repeatability);
	return fate === 'unclear' ? repeatability === 'read' || repeatsUnclear : fate === 'notTaken';
}

/** Whether the gateway may have carried out (and charged for) a request that failed in this way. */
export function mayHaveBeenCarriedOut(attempt: FailedAttempt, repeatability: Repeatability): boolean {
	return repeatability !== 'read' && fateOf(attempt, repeatability) === 'unclear';
}

/** Whether the gateway is fine and asks to come back later, rather than failing. */
export function asksToWait(attempt: FailedAttempt, retryAfterMs: number | undefined): boolean {
	if (attempt.kind !== 'status') return false;
	const { status, workWasDone } = attempt;
	if (workWasDone) return false;
	return status === 429 || (retryAfterMs !== undefined && NOT_TAKEN.includes(status));
}

/** Counts the failed attempts of a request, and says how long to wait before the next one. */
export class Retries {
	private failures = 0;
	private waits = 0;

	constructor(
		private readonly limits: RetryLimits,
		private readonly random: Clock['random'],
	) {}

	/**
	 * @param retryAfterMs delay that the response asked for, if any
	 * @returns milliseconds to wait before the next attempt, or undefined when the limit is reached
	 */
	after(attempt: FailedAttempt, retryAfterMs: number | undefined): number | undefined {
		const { maxRetries = DEFAULT_MAX_RETRIES, maxRateLimitRetries = DEFAULT_MAX_RATE_LIMIT_RETRIES } =
			this.limits;
		const isWait = asksToWait(attempt, retryAfterMs);
		const count = isWait ? ++this.waits : ++this.failures;
		if (count > (isWait ? maxRateLimitRetries : maxRetries)) return undefined;
		return backOffMs(count, this.random, retryAfterMs);
	}
}

/**
 * Exponential back-off. The random part, half of the time more or less, keeps requests that failed together apart.
 *
 * @param attempt number of attempts so far, from 1
 * @param askedForMs delay from the Retry-After header; the result is never shorter
 * @returns milliseconds to wait before the next attempt
 */
export function backOffMs(attempt: number, random: Clock['random'], askedForMs = 0): number {
	const doubled = Math.min(MAX_BACK_OFF_MS, BASE_BACK_OFF_MS * 2 ** (attempt - 1));
	return Math.max(askedForMs, doubled * (0.5 + random()));
}
