import type { JournalEntry } from '../../emulator';
import type { SentAnswer } from '../integration/dialects/sentAnswers';

/** A request of a run with what was sent for it. */
export interface Exchange {
	entry: JournalEntry;
	/** Undefined if nothing was sent. */
	answer: SentAnswer | undefined;
}

/** What a client has to assume about a request (docs/paid-once.md). */
type Fate = 'refused' | 'unclear' | 'answered';

const REFUSED_BY_SERVER = [501, 503, 505, 511, 529];
const UNCLEAR_BELOW_500 = [408, 499];

/** @param creates whether the request creates something, so that an error does not mean that nothing was done */
export function fateOf({ entry: { status }, answer }: Exchange, creates = false): Fate {
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

/** Whether a POST was sent again although the previous one may have been carried out. */
export function hasRepeatedPaid(exchanges: Exchange[], creates = false): boolean {
	const seen = new Map<string, Exchange>();
	for (const exchange of exchanges) {
		const { method, path, body } = exchange.entry;
		if (method !== 'POST') continue;
		const identity = JSON.stringify([path, body]);
		const before = seen.get(identity);
		if (before && fateOf(before, creates) !== 'refused') return true;
		seen.set(identity, exchange);
	}
	return false;
}
