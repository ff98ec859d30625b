/**
 * The kinds of failure. What reads parameters throws `input`, what reads the credential `settings`, and what reads
 * answers `answer`; docstrings name only what is not that.
 */
export type FailureKind =
	| 'settings'
	| 'input'
	| 'authentication'
	| 'permission'
	| 'notFound'
	| 'request'
	| 'rateLimit'
	| 'gateway'
	| 'unreachable'
	| 'interrupted'
	| 'address'
	| 'answer'
	| 'download'
	| 'storage'
	| 'task'
	| 'spendingLimit'
	| 'cancelled'
	| 'bug';

/** Says whether the gateway has charged for a request. */
export type Charge = 'none' | 'possible' | 'certain';

/**
 * Says whether a request may be sent again: `elsewhere` because nothing was sent, `afterWait` because the gateway refuses it
 * for now (unless that is for more than ten minutes), `soon` because the gateway did not take it, `ifFree` only if a
 * repetition cannot be charged twice or the user wants it. `inTurn` is what `pace` makes of `afterWait`: it holds the
 * request back itself.
 */
export type Again = 'never' | 'elsewhere' | 'afterWait' | 'inTurn' | 'soon' | 'ifFree';

/** Says what became of a request. */
export interface Verdict {
	charge: Charge;
	again: Again;
	/** The time that the gateway asks to wait, in milliseconds. */
	waitMs?: number;
	/** True if successful requests of the same item were charged for. */
	paidBefore?: boolean;
}

/** The kind of failure that a status stands for (interface, section 7); an error inside status 200 without a known code is `request`. */
export function kindOfStatus(status: number) {
	if (status === 401) return 'authentication';
	if (status === 402 || status === 403) return 'permission';
	if (status === 404 || status === 405) return 'notFound';
	if (status === 429) return 'rateLimit';
	if (status >= 500) return 'gateway';
	if (status >= 300 && status < 400) return 'address';
	return 'request';
}
