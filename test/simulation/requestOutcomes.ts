import type { JournalEntry } from '../../emulator';

/** What a server in this process sent for one request, faults included. */
export interface SentAnswer {
	/** The beginning of the body, as on the network. */
	readonly beginning: Buffer;
	/** SHA-256 of the body, as far as it was sent, as on the network. */
	readonly digest: string;
	/** Whether the body was sent to its end. */
	readonly isComplete: boolean;
}

/** A request of a run with what was sent for it. */
export interface Exchange {
	entry: JournalEntry;
	/** Undefined if nothing was sent. */
	answer: SentAnswer | undefined;
}

/** What a client has to assume about a request (docs/paid-once.md). */
type RequestOutcome = 'refused' | 'unclear' | 'answered';

const REFUSED_BY_SERVER = [501, 503, 505, 511, 529];
const UNCLEAR_BELOW_500 = [408, 499];

/** @param creates whether the request creates something, so that an error does not mean that nothing was done */
export function outcomeOf({ entry: { status }, answer }: Exchange, creates = false): RequestOutcome {
	if (status === null || !answer) return 'unclear';
	if (UNCLEAR_BELOW_500.includes(status)) return 'unclear';
	if (status >= 300 && status < 500) return 'refused';
	// A sign-in page, for example; the gateway is behind it.
	if (status < 300 && /^\s*<!doctype html/i.test(textOf(answer))) return 'refused';
	const isOwnError = /^\s*\{\s*"(?:type":"error",")?error"/.test(textOf(answer));
	if (status < 300) return isOwnError ? 'refused' : 'answered';
	if (REFUSED_BY_SERVER.includes(status)) return 'refused';
	return status === 500 && isOwnError && !creates ? 'refused' : 'unclear';
}

/** The beginning of an answer as text. */
export function textOf({ beginning }: SentAnswer): string {
	return beginning.toString('utf8');
}
