/** One request through all its attempts, reduced to what its lane needs. */
export class PacedRequest {
	/** The number of times that it was refused, except because the lane itself had sent too many at once. */
	refusals = 0;
	/** The refusals that count against it: since the one before, no other refused request was accepted. */
	ownRefusals = 0;
	/** The number of the slot in which it was last refused, other than for the width; infinite if it never was. */
	refusedNumber = Infinity;

	/** @param runWidth the user's limit of requests at once @param maxRetries the user's limit of retries and pauses */
	constructor(
		readonly runWidth?: RunWidth,
		readonly maxRetries?: number,
	) {}
}

/** Counts the requests that a run has in flight, in all lanes, and limits them. */
export interface RunWidth {
	readonly most: number;
	inFlight: number;
}

/** Permission to send a request once. */
export interface SendSlot {
	readonly request: PacedRequest;
	readonly number: number;
	readonly sentAt: number;
	/** The number of requests that were in flight when it was sent, itself included. */
	readonly inFlight: number;
	readonly round: number;
	/** The time that the gateway asks to wait, in milliseconds; 0 for none, undefined unless the request was refused. */
	retryAfterMs?: number;
}
