import type { Repeatability } from '../../nodes/shared/failure/evidence';

/** How a connection is not made. */
export type NotConnected = 'refused' | 'name' | 'handshake' | 'certificate' | 'swallowed';

/** What happens to one request. Whether the gateway carries it out is part of the fault, and nobody has to guess. */
export type Fault =
	/** No connection, so that nothing is sent. */
	| { kind: 'notConnected'; how: NotConnected }
	/** A failing status. */
	| {
			kind: 'status';
			status: number;
			body: 'error' | 'page' | 'nothing' | 'echo';
			retryAfterMs?: number;
			carriedOut: boolean;
	  }
	/** A redirect: to another address of the gateway, or to another host. */
	| { kind: 'redirect'; status: 302 | 307 | 308; to: 'gateway' | 'elsewhere' }
	/** The connection is lost after the request was sent. */
	| { kind: 'lost'; carriedOut: boolean }
	/** There is never an answer. */
	| { kind: 'silence'; carriedOut: boolean }
	/** The connection is lost in the answer; `at` is the part that arrives. */
	| { kind: 'cut'; at: number }
	/** The answer stops, and the connection stays open. */
	| { kind: 'stall'; at: number }
	/** Status 200 with something else than an answer. */
	| { kind: 'other'; body: 'page' | 'nothing' | 'half' }
	/** An error with status 200. */
	| { kind: 'errorInside'; status: number; words: string }
	/** The answer takes longer. */
	| { kind: 'slow'; ms: number }
	/** n8n cannot save a file of the answer. */
	| { kind: 'diskFull' };

/** What a client knows about a request that was sent, from the documentation of the package (docs/paid-once.md). */
export type Standing =
	/** It was not carried out: it may be sent again. */
	| 'free'
	/** It may have been carried out. */
	| 'unclear'
	/** It was carried out, and its answer cannot be used. */
	| 'unusable'
	/** Its answer has arrived. */
	| 'delivered';

const NOT_TAKEN = [429, 503, 529];
const REJECTED_BY_SERVER = [501, 505, 511];
const UNCLEAR_BELOW_500 = [408, 499];

/** What a failing status says. */
function standingOfStatus(status: number, hasErrorObject: boolean, repeatability: Repeatability): Standing {
	if (NOT_TAKEN.includes(status) || REJECTED_BY_SERVER.includes(status)) return 'free';
	if (status === 500 && hasErrorObject && repeatability === 'generate') return 'free';
	return status >= 500 || UNCLEAR_BELOW_500.includes(status) ? 'unclear' : 'free';
}

/** What a fault says about its request. */
export function standingAfter(fault: Fault | undefined, repeatability: Repeatability): Standing {
	switch (fault?.kind) {
		case 'notConnected':
		case 'redirect':
			return 'free';
		case 'status':
			return standingOfStatus(fault.status, hasErrorObject(fault), repeatability);
		case 'errorInside':
			return standingOfStatus(fault.status, true, repeatability);
		case 'lost':
		case 'silence':
		case 'cut':
		case 'stall':
			return 'unclear';
		case 'other':
			return 'unusable';
		// Only a file that n8n is to save makes a difference.
		case 'diskFull':
		case 'slow':
		case undefined:
			return 'delivered';
	}
}

/** Whether the gateway carries the request out. */
export function isCarriedOut(fault: Fault | undefined): boolean {
	if (fault === undefined) return true;
	if (['errorInside', 'notConnected', 'redirect'].includes(fault.kind)) return false;
	return 'carriedOut' in fault ? fault.carriedOut : true;
}

/** Whether the answer itself is sent, whole or in part. */
export function isAnswered(fault: Fault | undefined): boolean {
	return fault === undefined || ['cut', 'stall', 'slow', 'diskFull'].includes(fault.kind) || isHalf(fault);
}

/** Whether a rejection shows that the same request was not carried out before either. */
export function isSettled(fault: Fault | undefined): boolean {
	if (fault?.kind !== 'status' && fault?.kind !== 'errorInside') return false;
	const { status } = fault;
	return status >= 400 && status < 500 && status !== 429 && !UNCLEAR_BELOW_500.includes(status);
}

/** Whether what arrives of an answer may be enough: the end of a stream's text, or the ID of a task. */
export function mayBeEnough(fault: Fault | undefined): boolean {
	return fault?.kind === 'cut' || fault?.kind === 'stall';
}

export function isHalf(fault: Fault): boolean {
	return fault.kind === 'other' && fault.body === 'half';
}

export function hasErrorObject({ body }: { body: string }): boolean {
	return body === 'error' || body === 'echo';
}
