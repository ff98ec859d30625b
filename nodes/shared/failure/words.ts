import { type Moment, momentInWords } from '../plain/inWords';
import { GatewayFailure } from './failure';
import type { FailureFacts } from './evidence';
import { mustBeLookedUp } from './fate';
import type { Verdict } from './kinds';
import { withGatewayWords, effectOf, wordsOfStatus } from './statusWords';

const INTERRUPTIONS = {
	lost: ['The connection to the gateway was lost before the response was complete', ''],
	silence: [
		'The gateway did not respond in time',
		'If the gateway only needs more time, increase Timeout (Seconds) in Limits and Retries.',
	],
	total: [
		'The response of the gateway was not complete in time',
		'If it only needs more time, increase Total Time Limit (Minutes) in Limits and Retries.',
	],
};

/** A failure for a connection that ended before the response was complete. @param exceeded the limit that ended it */
export function interruptedFailure(
	exceeded: 'silence' | 'total' | undefined,
	facts: FailureFacts,
	verdict?: Verdict,
	cause?: unknown,
): GatewayFailure {
	const [message, longer] = INTERRUPTIONS[exceeded ?? 'lost'];
	// If the outcome is unclear, the fate of the request says what to do; otherwise, it can simply be sent again.
	const simple = verdict && mustBeLookedUp(verdict) ? '' : 'Run the item again.';
	const advice = [simple, longer].filter(Boolean).join(' ');
	return new GatewayFailure('interrupted', message, advice, facts, verdict, { cause });
}

const MISSING_PATH = [404, 405];

/** Adds the setting for another path to the failure of a request whose path the gateway may not have. */
export function withOtherPath(failure: GatewayFailure, otherPath: string | undefined): GatewayFailure {
	const { status = 0, code = '' } = failure.facts;
	if (otherPath === undefined || !MISSING_PATH.includes(status) || /model/i.test(code)) return failure;
	return failure.advising(otherPath);
}

/** A failure for a response that cannot be read or is incomplete. */
export function answerFailure(what: string, facts: FailureFacts = {}): GatewayFailure {
	return new GatewayFailure(
		'answer',
		withGatewayWords(`The gateway's response cannot be used: ${what}`, facts),
		'Check that your gateway supports this operation (and the model, if any). If it does, send the request ID to its operator.',
		facts,
	);
}

/** The problem with a response whose success marker says no. */
export const DENIED = 'it says that the request was not successful';

/** Advice for a file that was not downloaded, with its link in the details. */
export const LINK_IS_KEPT =
	'The file was created and paid for, and its link is kept. Open the link or download it with an HTTP Request node soon, because gateways delete such files after a while.';

/** A failure for a result file that could not be downloaded from the address that the gateway returned. */
export function downloadFailure(url: string, why: string, facts: FailureFacts = {}): GatewayFailure {
	const host = (URL.canParse(url) && new URL(url).host) || 'this address';
	return new GatewayFailure(
		'download',
		`The file could not be downloaded from ${host} (${why})`,
		LINK_IS_KEPT,
		{ ...facts, partial: { ...facts.partial, url } },
	);
}

/** A failure for a file that arrived, but that n8n could not save in its binary store. */
export function storageFailure(why: string): GatewayFailure {
	return new GatewayFailure(
		'storage',
		`n8n could not save the file (${why})`,
		'The file was created and paid for. Free up space where this n8n stores binary data, or increase its limit for a single file, before you run more items.',
	);
}

/** A failure for a file of an earlier try that n8n cannot read now, although it has not deleted it. */
export function unreadableFailure(why: string): GatewayFailure {
	return new GatewayFailure(
		'storage',
		`n8n could not read the file of an earlier try (${why})`,
		'The file is paid for, so nothing was sent again. Make sure that this n8n can read the place where it stores binary data, and retry the execution.',
	);
}

/** The subject of a failure: the definition of a parameter, or the words that name it in the editor. */
export type NamedParameter = { displayName: string } | string;

/** The name of a parameter in the editor. */
export function labelOf(parameter: NamedParameter): string {
	return typeof parameter === 'string' ? parameter : parameter.displayName;
}

/** A failure found before anything was sent. @param what the problem, as the rest of a sentence */
export function inputFailure(parameter: NamedParameter, what: string, description: string): GatewayFailure {
	return new GatewayFailure('input', `${labelOf(parameter)} ${what}`, description, { attempts: 0 });
}

/** A failure for a parameter without a value. */
export function emptyFailure(parameter: NamedParameter, advice: string): GatewayFailure {
	const hint = 'If the value comes from an expression, check that this item has the field.';
	return inputFailure(parameter, 'is empty', `${advice} ${hint}`);
}

/** A failure for a text that is none of the choices of a parameter. */
export function choiceFailure(parameter: NamedParameter, wanted: string, advice: string): GatewayFailure {
	return inputFailure(parameter, `is "${wanted.slice(0, 40)}", which is not one of the choices`, advice);
}

/** The failure of an item after the node has reached a spending limit in the execution. */
export function spendingFailure(limit: string, value: number): GatewayFailure {
	return new GatewayFailure(
		'spendingLimit',
		`${limit} (${value}) is reached`,
		`Nothing more was sent. The limit applies to everything that this node does in an execution. To let it do more, increase ${limit} in Spending Limits.`,
		{ attempts: 0 },
	);
}

/** The failure of an item when a limit cannot be kept, because an answer did not report what the limit counts. */
export function unreportedFailure(limit: 'Max Total Tokens' | 'Max Cost'): GatewayFailure {
	const advice = `Nothing more was sent. In Spending Limits, set Max Requests instead of ${limit}.`;
	return new GatewayFailure('spendingLimit', cannotKeep(limit), advice, { attempts: 0 });
}

/** Says why a limit cannot be kept, without a full stop. */
export function cannotKeep(limit: 'Max Total Tokens' | 'Max Cost'): string {
	const what = limit === 'Max Cost' ? 'cost' : 'tokens';
	return `${limit} cannot be kept, because the gateway reported no ${what} for an answer`;
}

/** A failure for settings of the credential or of n8n, found before anything was sent. */
export function settingsFailure(message: string, description: string): GatewayFailure {
	return new GatewayFailure('settings', message, description, { attempts: 0 });
}

/** The failure of everything that was in progress when the execution was stopped. */
export function cancelledFailure(facts: FailureFacts = {}, verdict?: Verdict): GatewayFailure {
	return new GatewayFailure(
		'cancelled',
		'The execution was stopped',
		'Run the workflow again.',
		facts,
		verdict,
	);
}

/** The failure of an item because of a rate limit. @param end when the limit ends, in milliseconds since the epoch */
export function limitFailure(facts: FailureFacts, end: number | undefined, moment: Moment): GatewayFailure {
	if (end === undefined) {
		const words = wordsOfStatus({ status: 429, facts, isUnclear: false, namesModel: true });
		return new GatewayFailure('rateLimit', ...words, { ...facts, status: 429 });
	}
	const until = momentInWords(end, moment);
	const message = `The rate limit of the gateway is reached until ${until}${effectOf(facts.attempts)}`;
	const advice =
		'Run the remaining items after that time. If that is too late, select another model if there is one, or ask the operator of the gateway for a higher limit.';
	return new GatewayFailure('rateLimit', withGatewayWords(message, facts), advice, facts);
}
