import type { Evidence } from './evidence';
import type { Again, Charge, FailureKind, Verdict } from './kinds';
import { documentedReason, NO_CHOICES, saysWorkWasDone, statusMeant } from './meaning';

/** The evidence, and the status that it stands for (see `meaning.ts`): 429 for a rate limit; 0 without a response. */
type Case = Evidence & { status: number };

interface Rule {
	/** The event, as docs/paid-once.md describes it. */
	what: string;
	when: (one: Case) => boolean;
	kind: FailureKind | 'ofStatus';
	charge: Charge;
	again: Again;
	/** The time to wait if the gateway does not say, in milliseconds. */
	waitMs?: number;
	/** The source of the rule: a section of the interface, an API's documentation, a report, or a rule of this package. */
	source: string;
}

const BUSY = [503, 529];

/**
 * The first row that matches decides what became of a request. For `ofStatus`, see `kindOfStatus`. What is never
 * charged for (lists, polls, and downloads) has the charge `none`. What only reads (these, and utilities, which cost)
 * is sent again `soon` where a row says `ifFree`. An answer of which somebody has seen a part is never asked for again.
 */
export const RULES: Rule[] = [
	{
		what: 'A fault of this package, after a response with a status of success',
		when: (one) => one.end === 'fault' && one.hasSucceeded,
		kind: 'bug',
		charge: 'certain',
		again: 'never',
		source: 'A repetition would run into the same fault, and be charged again',
	},
	{
		what: 'A fault of this package while the request was sent',
		when: (one) => one.end === 'fault' && one.isSent,
		kind: 'bug',
		charge: 'possible',
		again: 'never',
		source: 'A repetition would run into the same fault',
	},
	{
		what: 'A fault of this package before anything was sent',
		when: ({ end }) => end === 'fault',
		kind: 'bug',
		charge: 'none',
		again: 'never',
		source: 'A repetition would run into the same fault',
	},
	{
		what: 'The execution was stopped after the request was sent',
		when: (one) => one.end === 'stopped' && one.isSent,
		kind: 'cancelled',
		charge: 'possible',
		again: 'never',
		source: 'Nobody waits for the answer any more',
	},
	{
		what: 'The execution was stopped before anything was sent',
		when: ({ end }) => end === 'stopped',
		kind: 'cancelled',
		charge: 'none',
		again: 'never',
		source: 'Nobody waits for the answer any more',
	},
	{
		what: 'n8n or Node.js refuses to send the request',
		when: ({ end }) => end === 'forbidden',
		kind: 'unreachable',
		charge: 'none',
		again: 'never',
		source: 'The settings of n8n, and the characters that HTTP allows (RFC 9110, section 5.5)',
	},
	{
		what: 'No connection: nothing was sent',
		when: ({ end }) => end === 'notConnected',
		kind: 'unreachable',
		charge: 'none',
		again: 'elsewhere',
		source: 'RFC 9110, section 9.2.2: what was not sent can be sent again',
	},
	{
		what: 'Connection lost or time limit exceeded after the request was sent, before the response was complete',
		when: ({ end }) => end === 'lost',
		kind: 'interrupted',
		charge: 'possible',
		again: 'ifFree',
		source: 'RFC 9110, section 9.2.2: the request may have been carried out',
	},
	{
		what: 'An unexpected web page with a status of success (Custom Endpoint may return one)',
		when: (one) => one.end === 'reported' && one.report.isWebPage && one.status < 300,
		kind: 'address',
		charge: 'possible',
		again: 'never',
		source: 'A sign-in page, a proxy, or the web console of a gateway; most likely, Base URL is wrong',
	},
	{
		what: 'The documented message that the model gave no answer: it would say so again',
		when: (one) => one.end === 'reported' && documentedReason(one.facts) === NO_CHOICES,
		kind: 'ofStatus',
		charge: 'possible',
		again: 'never',
		source: 'Interface, section 7: "chat response contains no choices", likely a safety filter',
	},
	{
		what: 'An error beside a result or a part of one, with a status of success; an image in the response itself counts as a success',
		when: (one) => one.end === 'reported' && one.report.hasResult,
		kind: 'ofStatus',
		charge: 'possible',
		again: 'never',
		source: 'Chat streams that end with an error (OpenRouter, vLLM): the model has worked',
	},
	{
		what: 'An error that says that the work was done: a documented message with any status, or words about saving, uploading, or an empty response with status 500',
		when: (one) => one.end === 'reported' && saysWorkWasDone(one.status, one.facts),
		kind: 'ofStatus',
		charge: 'possible',
		again: 'ifFree',
		source:
			'Interface, section 7: "no base64 image found", "failed to upload image"; New API: bad_response_body',
	},
	{
		what: 'Status 409 with an idempotency key: an earlier attempt may still be worked on',
		when: ({ status, hasIdempotencyKey }) => status === 409 && hasIdempotencyKey,
		kind: 'request',
		charge: 'possible',
		again: 'ifFree',
		source: 'The Idempotency-Key header (IETF draft), section 2.6',
	},
	{
		what: 'A rate limit, mostly status 429: the gateway did not accept it',
		when: ({ status }) => status === 429,
		kind: 'rateLimit',
		charge: 'none',
		again: 'afterWait',
		source: 'Interface, section 7; RFC 6585, section 4',
	},
	{
		what: 'Status 503 or 529 that names a time to wait',
		when: (one) => one.end === 'reported' && BUSY.includes(one.status) && one.report.waitMs !== undefined,
		kind: 'gateway',
		charge: 'none',
		again: 'afterWait',
		source: 'RFC 9110, section 10.2.3',
	},
	{
		what: 'Status 503 or 529: the gateway did not accept it',
		when: ({ status }) => BUSY.includes(status),
		kind: 'gateway',
		charge: 'none',
		again: 'soon',
		source: 'RFC 9110, section 15.6.4; Anthropic: 529 overloaded_error',
	},
	{
		what: "Status 500 with the gateway's own error object, except for songs and voices",
		when: (one) =>
			one.end === 'reported' && one.status === 500 && one.report.hasErrorObject && one.does !== 'create',
		kind: 'gateway',
		charge: 'none',
		again: 'soon',
		source: 'Interface, section 7: retry after a short delay',
	},
	{
		what: 'A file of a result that is not there yet (404); if it never is, it could not be downloaded',
		when: ({ status, isFile }) => status === 404 && isFile,
		kind: 'notFound',
		charge: 'none',
		again: 'soon',
		// Three repetitions take about ten seconds.
		waitMs: 3_000,
		source: 'LLM Gateway, users: behind a CDN, a link answers 404 for some seconds after it was returned',
	},
	{
		what: 'Status 501, 505, or 511: rejected',
		when: ({ status }) => [501, 505, 511].includes(status),
		kind: 'gateway',
		charge: 'none',
		again: 'never',
		source: 'RFC 9110, section 15.6; RFC 6585, section 6',
	},
	{
		what: "Another 5xx, often a proxy's, or status 303, 408, or 499",
		when: ({ status }) => status >= 500 || [303, 408, 499].includes(status),
		kind: 'ofStatus',
		charge: 'possible',
		again: 'ifFree',
		source: 'RFC 9110, sections 15.4.4 and 15.5.9; nginx: 499 when nobody waited any more',
	},
	{
		what: 'Another status (also a redirect that is not followed), or an unknown error inside status 200: rejected',
		when: ({ end }) => end === 'reported',
		kind: 'ofStatus',
		charge: 'none',
		again: 'never',
		source: 'Interface, section 7; RFC 9110, section 15.5',
	},
];

/** The verdicts on failures found after the response. For kinds that are in neither table, nothing was sent. */
export const RULES_AFTERWARDS: Array<Omit<Rule, 'when'>> = [
	{
		what: 'Success, but the content of the response cannot be used',
		kind: 'answer',
		charge: 'certain',
		again: 'never',
		source: 'The gateway has done what was asked for',
	},
	{
		what: 'Success, but the file could not be downloaded, after all repetitions',
		kind: 'download',
		charge: 'certain',
		again: 'never',
		source: 'The gateway has made it; its link is kept',
	},
	{
		what: 'Success, but n8n could not save the file',
		kind: 'storage',
		charge: 'certain',
		again: 'never',
		source: 'The gateway has done what was asked for',
	},
	{
		what: 'A task of the gateway (a song) ended without a result',
		kind: 'task',
		charge: 'possible',
		again: 'never',
		source: 'Interface, section 7: FAILED with a reason; whether it is charged for is not shown',
	},
];

/** Returns the verdict on a failure that is not the end of an attempt. */
export function verdictOfKind(kind: FailureKind): Verdict {
	const { charge, again } = RULES_AFTERWARDS.find((rule) => rule.kind === kind) ?? NOT_SENT;
	return { charge, again };
}

const NOT_SENT: Verdict = { charge: 'none', again: 'never' };

/** Finds the rule that decides. Nothing else uses {@link RULES}. */
export function ruleFor(evidence: Evidence): { rule: Rule; status: number } {
	const status = evidence.end === 'reported' ? statusMeant(evidence.report.status, evidence.facts) : 0;
	return { rule: RULES.find((rule) => rule.when({ ...evidence, status }))!, status };
}
