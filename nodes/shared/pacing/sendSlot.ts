/** One request through all its attempts, as far as its lane has to know it. */
export interface PacedRequest {
	/** How many times it was refused, except when its lane had only tried to send more at once. */
	refusals: number;
	/** The number of the attempt that was refused last. */
	refusedNumber: number | undefined;
	/** Whether something that was sent after a refusal of it was admitted instead: the gateway refuses this request, not the lane. */
	isRefusedAlone: boolean;
	/** Whether the lane's width limits how many such requests are in progress. */
	readonly isWithinWidth: boolean;
}

/** A request that was not sent yet. @param isWithinWidth see {@link PacedRequest} */
export function newRequest(isWithinWidth = false): PacedRequest {
	return { refusals: 0, refusedNumber: undefined, isRefusedAlone: false, isWithinWidth };
}

/** Permission to send a request once. */
export interface SendSlot {
	readonly request: PacedRequest;
	/** Counts what the lane sends. */
	readonly number: number;
	/** When the request was sent, on the monotonic clock. */
	readonly sentAt: number;
	/** How many requests were in flight when it was sent, itself included. */
	readonly inFlight: number;
	/** The round of the width in which it was sent. */
	readonly round: number;
	/** Whether the gateway has accepted it, or works on it for longer than it takes to refuse a request. */
	isAdmitted: boolean;
}
