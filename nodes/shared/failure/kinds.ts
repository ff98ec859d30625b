import type { IDataObject } from 'n8n-workflow';
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

/** Says what a request does: `generate` is paid for but creates nothing permanent, `create` creates a task or a voice. */
export type Repeatability = 'read' | 'generate' | 'create';

/** Describes a failure, as plain data. */
export interface FailureFacts {
	status?: number;
	/** `error.code` of the gateway's response (interface, 2.11). */
	code?: string;
	/** `error.type` of the gateway's response. */
	type?: string;
	/** `error.message` of the gateway's response. */
	gatewayMessage?: string;
	requestId?: string;
	/** The number of times that the request was sent; 0 if it was not. */
	attempts?: number;
	/** Id of an asynchronous task that was already submitted. */
	taskId?: string;
	/** Keeps what was received before the response was cut off, or other results that must not be lost. */
	partial?: IDataObject;
	/** Where a fault of this package was found. */
	stack?: string;
}

/** Describes a response that reports no success, with its status or with an error inside status 200. */
export interface Report {
	/** Of the response, or of the envelope inside it. */
	status: number;
	/** True if the body is the error object of a gateway (interface, 2.11), which proxies do not send. */
	hasErrorObject: boolean;
	isWebPage: boolean;
	/** True if a result stands beside the error, or was passed on before it. */
	hasResult: boolean;
	/** The time that it asks to wait, in milliseconds. */
	waitMs?: number;
	/** In how many milliseconds a limit begins anew, which many responses say. */
	resetMs?: number;
}

/** Describes a request. */
export interface Asked {
	does: Repeatability;
	/** True if such requests are paid for; also those of utilities, which only read. */
	isPaid: boolean;
	/** True if the gateway recognizes a repetition, so that it costs nothing. */
	hasIdempotencyKey: boolean;
	/** True if a file of a result is downloaded. */
	isFile: boolean;
	/** True if somebody has seen a part of the answer, so that it must not begin again. */
	isShown: boolean;
}

/** Describes what one attempt of a request has left behind, without a judgement. */
export interface Evidence extends Asked {
	/** `fault` is what code of this package has thrown; `forbidden` is what n8n or Node.js refuses to send. */
	end: 'fault' | 'stopped' | 'forbidden' | 'notConnected' | 'lost' | 'reported';
	/** True if anything of the request may have been sent. */
	isSent: boolean;
	/** True if a response with a status of success had arrived. */
	hasSucceeded: boolean;
	/** Only of the end `reported`. */
	report?: Report;
	/** The words of the response. */
	facts: Pick<FailureFacts, 'code' | 'type' | 'gatewayMessage'>;
}

/** Of these, the advice of the failure says what is paid for. */
const SPEAK_FOR_THEMSELVES: FailureKind[] = ['download', 'storage', 'task'];
const REJECTIONS: FailureKind[] = ['authentication', 'permission', 'notFound', 'request', 'address'];

const LOOK_IT_UP = 'Look it up in the console of your gateway before you run this item again.';
const RESEND =
	'To resend such requests automatically, set Idempotency Header in the credential if your gateway has one, or add Resend Unclear Requests to Limits and Retries.';

/** Says what became of a request, in sentences for the description of its failure; empty if there is nothing to say. */
export function fateInWords(kind: FailureKind, verdict: Verdict, facts: FailureFacts): string {
	if (SPEAK_FOR_THEMSELVES.includes(kind)) return '';
	const { charge, again } = verdict;
	const { attempts = 1, partial } = facts;
	if (charge === 'none') {
		if (kind === 'bug') return 'Nothing was paid for.';
		if (kind === 'unreachable') return 'Nothing was sent.';
		return REJECTIONS.includes(kind) && again === 'never' && facts.status !== undefined
			? 'The request was not carried out.'
			: '';
	}
	if (charge === 'certain') {
		const rest = partial ? ', so the error details contain what arrived' : '';
		return `The gateway has probably charged for it${rest}.`;
	}
	// What only reads has been repeated; after a stop, the log says more; a web page is most likely not from the gateway.
	const isUnlikely = again === 'never' && ['cancelled', 'address'].includes(kind);
	if (!mustBeLookedUp(verdict) || (isUnlikely && attempts === 1))
		return 'The gateway may have charged for the request.';
	if (attempts > 1) {
		return `The gateway may have carried out one of the attempts and charged for it. ${LOOK_IT_UP}`;
	}
	const may = 'The gateway may have carried the request out and charged for it.';
	return again === 'ifFree'
		? `${may} For that reason, it was not sent again. ${LOOK_IT_UP} ${RESEND}`
		: `${may} ${LOOK_IT_UP}`;
}

/** Tells whether somebody has to look up what became of a request; what only reads has been repeated. */
export function mustBeLookedUp({ charge, again }: Verdict): boolean {
	return charge !== 'none' && again !== 'soon';
}
