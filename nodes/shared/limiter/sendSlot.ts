import type { Member } from './cohort';

/** One request through all its attempts, as far as its lane has to know it. */
export interface PacedRequest {
	/** How many times it was refused, except for the following. */
	refusals: number;
	/** How many times it was refused because its lane had tried to send more at once than before. */
	refusedTrials: number;
	/** How many of these times its lane was not refused. */
	ownRefusals: number;
	/** Whether a request that was sent later was accepted instead: what is refused then is this request, not the lane. */
	isRefusedAlone: boolean;
	/** How many times a pause of its lane has helped others, but may not have been long enough for this request. */
	pausesInVain: number;
	/** When the attempt was sent that was refused while its lane was not. */
	refusedAloneAt?: number;
	/** Whether the lane's width limits how many such requests are in progress. */
	readonly isWithinWidth: boolean;
	/** Undefined if nothing else limits how many requests the run has in progress. */
	readonly run?: RunWidth;
}

/** How many requests a run has in progress, in all lanes, and how many it may have. */
export interface RunWidth {
	readonly most: number;
	inProgress: number;
}

/** A request that was not sent yet. @param isWithinWidth see {@link PacedRequest} */
export function newRequest(isWithinWidth = false, run?: RunWidth): PacedRequest {
	return {
		refusals: 0,
		refusedTrials: 0,
		ownRefusals: 0,
		isRefusedAlone: false,
		pausesInVain: 0,
		isWithinWidth,
		run,
	};
}

/** Permission to send a request once. */
export interface SendSlot extends Member {
	readonly request: PacedRequest;
	/** Counts what the lane sends. */
	readonly number: number;
	/** When the request was sent, on the monotonic clock. */
	readonly sentAt: number;
	/** How many pauses there were until then: the requests of a burst are refused together and count once. */
	readonly pauses: number;
	refused: boolean;
}
