import type { Repeatability } from '../../nodes/shared/failure/evidence';

/** The reason why no connection is made. */
export type NotConnected = 'refused' | 'name' | 'handshake' | 'certificate' | 'swallowed';

/** A fault of one request. It determines whether the gateway carries the request out, so nobody has to guess. */
export type Fault =
	/** No connection is made, so nothing is sent. */
	| { kind: 'notConnected'; how: NotConnected }
	/** The gateway answers with a failing status. */
	| {
			kind: 'status';
			status: number;
			body: 'error' | 'page' | 'nothing' | 'echo';
			retryAfterMs?: number;
			carriedOut: boolean;
	  }
	/** The gateway redirects to another address of its own, or to another host. */
	| { kind: 'redirect'; status: 302 | 307 | 308; to: 'gateway' | 'elsewhere' }
	/** The connection is lost after the request was sent. */
	| { kind: 'lost'; carriedOut: boolean }
	/** No answer ever comes. */
	| { kind: 'silence'; carriedOut: boolean }
	/** The connection is lost during the answer; `at` is the share of it that arrives. */
	| { kind: 'cut'; at: number }
	/** The answer stops at a share `at` of it, and the connection stays open. */
	| { kind: 'stall'; at: number }
	/** The gateway sends status 200 with something other than an answer. */
	| { kind: 'other'; body: 'page' | 'nothing' | 'half' }
	/** The gateway sends an error with status 200. */
	| { kind: 'errorInside'; status: number; words: string }
	/** The answer takes longer than usual. */
	| { kind: 'slow'; ms: number }
	/** n8n cannot save a file of the answer. */
	| { kind: 'diskFull' };

/** The outcome of a sent request, as far as a client can know it according to the documentation (docs/paid-once.md). */
export type Standing =
	/** It was not carried out, so it may be sent again. */
	| 'free'
	/** It may have been carried out. */
	| 'unclear'
	/** It was carried out, but its answer cannot be used. */
	| 'unusable'
	/** Its answer has arrived. */
	| 'delivered';

const NOT_TAKEN = [429, 503, 529];
const REJECTED_BY_SERVER = [501, 505, 511];
const UNCLEAR_BELOW_500 = [408, 499];

/** Returns the standing of a request after a failing status. */
function standingOfStatus(status: number, hasErrorObject: boolean, repeatability: Repeatability): Standing {
	if (NOT_TAKEN.includes(status) || REJECTED_BY_SERVER.includes(status)) return 'free';
	if (status === 500 && hasErrorObject && repeatability === 'generate') return 'free';
	return status >= 500 || UNCLEAR_BELOW_500.includes(status) ? 'unclear' : 'free';
}

/** Returns the standing of a request after a fault. */
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
		// A full disk makes a difference only for a file that n8n saves.
		case 'diskFull':
		case 'slow':
		case undefined:
			return 'delivered';
	}
}

/** Tells whether the gateway carries the request out. */
export function isCarriedOut(fault: Fault | undefined): boolean {
	if (fault === undefined) return true;
	if (['errorInside', 'notConnected', 'redirect'].includes(fault.kind)) return false;
	return 'carriedOut' in fault ? fault.carriedOut : true;
}

/** Tells whether the real answer is sent, in whole or in part. */
export function isAnswered(fault: Fault | undefined): boolean {
	return fault === undefined || ['cut', 'stall', 'slow', 'diskFull'].includes(fault.kind) || isHalf(fault);
}

/** Tells whether a rejection shows that earlier copies of the same request were not carried out either. */
export function isSettled(fault: Fault | undefined): boolean {
	if (fault?.kind !== 'status' && fault?.kind !== 'errorInside') return false;
	const { status } = fault;
	return status >= 400 && status < 500 && status !== 429 && !UNCLEAR_BELOW_500.includes(status);
}

/** Tells whether the part of an answer that arrives may be enough: the end of a stream's text, or the ID of a task. */
export function mayBeEnough(fault: Fault | undefined): boolean {
	return fault?.kind === 'cut' || fault?.kind === 'stall';
}

export function isHalf(fault: Fault): boolean {
	return fault.kind === 'other' && fault.body === 'half';
}

export function hasErrorObject({ body }: { body: string }): boolean {
	return body === 'error' || body === 'echo';
}
