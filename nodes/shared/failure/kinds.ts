/**
 * The kinds of failure. Functions that read parameters throw `input`, those that read the credential `settings`, and
 * those that read answers `answer`; their docstrings name only other kinds.
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

/** The certainty that the gateway has charged for a request. */
export type Charge = 'none' | 'possible' | 'certain';

/**
 * Says whether a request may be sent again: `elsewhere`, because nothing was sent; `afterWait`, because the gateway
 * refuses it for now (unless for more than ten minutes); `soon`, because the gateway did not take it; `ifFree`, only if
 * a repetition cannot be charged twice or the user wants it. `pace` turns `afterWait` into `inTurn`, because it holds
 * the request back itself.
 */
export type Again = 'never' | 'elsewhere' | 'afterWait' | 'inTurn' | 'soon' | 'ifFree';

/** The judgment on a failed request: its charge, and whether it may be sent again. */
export interface Verdict {
	charge: Charge;
	again: Again;
	/** The time that the gateway asks to wait, in milliseconds. */
	waitMs?: number;
	/** True if successful requests of the same item were charged for. */
	paidBefore?: boolean;
}

/**
 * Returns the kind of failure of a status (interface, section 7); `request` for an unknown error inside status 200. A web
 * page in place of `notFound` becomes `address`.
 */
export function kindOfStatus(status: number) {
	if (status === 401) return 'authentication';
	if (status === 402 || status === 403) return 'permission';
	if (status === 404 || status === 405) return 'notFound';
	if (status === 429) return 'rateLimit';
	if (status >= 500) return 'gateway';
	if (status >= 300 && status < 400) return 'address';
	return 'request';
}
