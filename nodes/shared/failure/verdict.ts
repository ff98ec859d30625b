import type { Asked, Evidence, FailureFacts, Report } from './evidence';
import { mustBeLookedUp } from './fate';
import { type FailureKind, kindOfStatus, type Verdict } from './kinds';
import { GatewayFailure, toFailure } from './failure';
import { ruleFor, verdictOfKind } from './rules';
import { wordsOfStatus, wordsOfWebPage } from './statusWords';

/**
 * Judges what became of a request, by the first rule that matches. Unpaid requests are never charged for, requests that
 * only read may always be repeated, and an answer must not begin again once somebody has seen a part of it. @returns
 * the verdict, with the status that the response stands for; 0 without a response
 */
export function verdictOf(evidence: Evidence): { kind: FailureKind; verdict: Verdict; status: number } {
	const { rule, status } = ruleFor(evidence);
	const kind = rule.kind === 'ofStatus' ? kindOfStatus(status) : rule.kind;
	const charge = evidence.isPaid ? rule.charge : 'none';
	const isHarmless = evidence.does === 'read' && rule.again === 'ifFree';
	const again = evidence.isShown ? 'never' : isHarmless ? 'soon' : rule.again;
	return { kind, status, verdict: { charge, again, waitMs: askedWait(evidence, kind) ?? rule.waitMs } };
}

/** Returns the milliseconds that a response asks to wait. The time until a reset counts only for a rate limit. */
function askedWait(evidence: Evidence, kind: FailureKind): number | undefined {
	if (evidence.end !== 'reported') return undefined;
	const { waitMs, resetMs } = evidence.report;
	return waitMs ?? (kind === 'rateLimit' ? resetMs : undefined);
}

/** Stands in for the request, which a reader does not know; `attempt` judges its report again. */
const UNKNOWN: Asked & { namesModel: boolean; url: string } = {
	does: 'generate',
	isPaid: true,
	hasIdempotencyKey: false,
	isFile: false,
	isShown: false,
	namesModel: true,
	url: 'https://gateway',
};

/** Returns the failure of a response that reports no success. @param facts include the words of the response */
export function reportedFailure(
	report: Report,
	facts: FailureFacts,
	asked: Partial<typeof UNKNOWN> = {},
): GatewayFailure {
	const { namesModel, url, ...known } = { ...UNKNOWN, ...asked };
	const { kind, verdict, status } = verdictOf({
		...known,
		end: 'reported',
		report,
		facts,
	});
	// Inside status 200, the status is that of the error.
	const all = { ...facts, status: report.status < 300 ? status : report.status };
	const { waitMs } = report;
	const failed = { status, facts: all, isUnclear: mustBeLookedUp(verdict), namesModel, waitMs };
	const words = (report.isWebPage && wordsOfWebPage(url, failed)) || wordsOfStatus(failed);
	const isOfAnotherServer = report.isWebPage && kind === 'notFound';
	return new GatewayFailure(isOfAnotherServer ? 'address' : kind, ...words, all, verdict, { report });
}

/** Marks the failure of a free answer as free. A file that could not be saved is paid for, unlike its download. */
export function ofFreeAnswer(failure: GatewayFailure): GatewayFailure {
	return failure.kind === 'storage' ? failure : failure.judged({ charge: 'none' });
}

/** Turns anything thrown after a paid request into a failure. A fault of this package is marked as paid for. */
export function paidFor(thrown: unknown): GatewayFailure {
	const failure = toFailure(thrown);
	return failure.kind === 'bug' ? failure.judged(verdictOfKind('answer')) : failure;
}

/** Tells whether a request may be repeated after a failure. @param repeatsUnclear even if it may already be charged */
export function mayRepeat({ verdict: { again } }: GatewayFailure, repeatsUnclear: boolean): boolean {
	return again === 'ifFree' ? repeatsUnclear : again !== 'never';
}
