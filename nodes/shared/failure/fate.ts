import type { FailureFacts } from './evidence';
import type { FailureKind, Verdict } from './kinds';

/** The kinds whose advice already says what is paid for. */
const SPEAK_FOR_THEMSELVES: FailureKind[] = ['download', 'storage', 'task'];
const REJECTIONS: FailureKind[] = ['authentication', 'permission', 'notFound', 'request', 'address'];

const LOOK_IT_UP = 'Look it up in the console of your gateway before you run this item again.';
const RESEND =
	'To resend such requests automatically, set Idempotency Header (Advanced Settings of the credential) if your gateway has one, or add Resend Unclear Requests to Limits and Retries.';

/** Says what is paid for, in sentences for the description of a failure; empty if there is nothing to say. */
export function fateInWords(kind: FailureKind, verdict: Verdict, facts: FailureFacts): string {
	if (SPEAK_FOR_THEMSELVES.includes(kind)) return '';
	const isOnlyBefore = verdict.charge === 'none' && verdict.paidBefore;
	const before = isOnlyBefore ? 'Successful requests of this item have been charged.' : '';
	return [fateOfRequest(kind, verdict, facts), before].filter((words) => words !== '').join(' ');
}

function fateOfRequest(kind: FailureKind, verdict: Verdict, facts: FailureFacts): string {
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
	// Requests that only read were repeated. After a stop, the log says more. Most web pages are not from the gateway.
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

/** Tells whether somebody must look up what became of a request. One that only reads was repeated instead. */
export function mustBeLookedUp({ charge, again }: Verdict): boolean {
	return charge !== 'none' && again !== 'soon';
}
