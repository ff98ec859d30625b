/** What a request does: `generate` is paid for but creates nothing permanent, `create` creates a task or a voice. */
export type Repeatability = 'read' | 'generate' | 'create';

/** What one failed attempt says about its request (docs/dev/architecture.md, "The road of a request"). */
export interface Outcome {
	kind:
		| /** No connection was made, so nothing was sent. */ 'notConnected'
		  /** The gateway refused it because of a limit. */
		| 'refused'
		/** The gateway has too much to do, or failed before it did anything. */
		| 'notTaken'
		/** The gateway rejected it, and would do so again. */
		| 'rejected'
		/** The gateway may be working on it, or may have finished it, and may charge for it. */
		| 'unclear';
	status?: number;
	retryAfterMs?: number;
	/** Whether repeating the request cannot help, or somebody has seen a part of the answer already. */
	isFinal?: boolean;
	/** Set by `pace` after a refusal that may be repeated: how long to wait, in milliseconds. */
	pauseMs?: number;
}

export interface FailedStatus {
	status: number;
	/** Whether the answer is the gateway's own (interface, 2.11) rather than that of a proxy. */
	hasErrorObject: boolean;
	hasIdempotencyKey?: boolean;
	repeatability: Repeatability;
}

const REFUSED = 429;
/** The gateway is too busy (interface, section 7). */
const BUSY = [503, 529];
/** The gateway does not have what the request needs, or wants a sign-in first. */
const REJECTED_BY_SERVER = [501, 505, 511];
/** "See other", which was carried out; the time for the request ran out; or nobody waited any more. */
const UNCLEAR = [303, 408, 499];

/** What a failing status says about the request. */
export function outcomeOfStatus(answer: FailedStatus): Outcome['kind'] {
	const { status, hasErrorObject, hasIdempotencyKey, repeatability } = answer;
	// The gateway still works on the first request with this key.
	if (status === 409 && hasIdempotencyKey) return 'unclear';
	if (status === REFUSED) return 'refused';
	if (BUSY.includes(status)) return 'notTaken';
	// What creates something may have done so before the error.
	if (status === 500 && hasErrorObject && repeatability !== 'create') return 'notTaken';
	const isUnclear = status >= 500 ? !REJECTED_BY_SERVER.includes(status) : UNCLEAR.includes(status);
	return isUnclear ? 'unclear' : 'rejected';
}

/** Whether a request may be repeated. @param repeatsUnclear even if it may already be paid for */
export function mayRepeat(
	{ kind, isFinal }: Outcome,
	repeatability: Repeatability,
	repeatsUnclear = false,
): boolean {
	if (isFinal) return false;
	return kind === 'unclear' ? repeatability === 'read' || repeatsUnclear : kind !== 'rejected';
}

/** Whether the gateway is fine and asks to come back later, rather than failing. */
export function asksToWait({ kind, status = 0, retryAfterMs }: Outcome): boolean {
	return kind === 'refused' || (kind === 'notTaken' && BUSY.includes(status) && retryAfterMs !== undefined);
}
