/** One request through all its attempts, as far as its lane has to know it. */
export class PacedRequest {
	/** The number of times that it was refused, except for when the lane itself had chosen to send more at once. */
	refusals = 0;
	/** The number of these refusals that count against it, because no other refused request was accepted since the one before. */
	ownRefusals = 0;
	/** The number of the slot in which it was refused last, other than for the width; infinite if it was never refused. */
	refusedNumber = Infinity;

	/** @param runWidth the number that a user has set @param maxRetries of a user who has set that, also for pauses */
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
	/** Set when it is refused: how long the gateway asks to wait, in milliseconds; 0 if it does not say. */
	retryAfterMs?: number;
}
