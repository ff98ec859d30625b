import type { Asked, Evidence, FailureFacts, Report } from './evidence';
import { mustBeLookedUp } from './fate';
import { type FailureKind, kindOfStatus, type Verdict } from './kinds';
import { GatewayFailure, toFailure } from './failure';
import { ruleFor, verdictOfKind } from './rules';
import { wordsOfStatus, wordsOfWebPage } from './statusWords';

/**
 * Decides what became of a request, by the first rule that fits. Some requests are never charged for, what only reads may always
 * be repeated, and an answer of which somebody has seen a part must not begin again. @returns also the status that a
 * response stands for; 0 without one
 */
export function verdictOf(evidence: Evidence): { kind: FailureKind; verdict: Verdict; status: number } {
	const { rule, status } = ruleFor(evidence);
	const kind = rule.kind === 'ofStatus' ? kindOfStatus(status) : rule.kind;
	const charge = evidence.isPaid ? rule.charge : 'none';
	const isHarmless = evidence.does === 'read' && rule.again === 'ifFree';
	const again = evidence.isShown ? 'never' : isHarmless ? 'soon' : rule.again;
	return { kind, status, verdict: { charge, again, waitMs: askedWait(evidence, kind) ?? rule.waitMs } };
}

/** Milliseconds that a response asks to wait. The time until a reset counts only for a rate limit. */
function askedWait(evidence: Evidence, kind: FailureKind): number | undefined {
	if (evidence.end !== 'reported') return undefined;
	const { waitMs, resetMs } = evidence.report;
	return waitMs ?? (kind === 'rateLimit' ? resetMs : undefined);
}

/** A reader does not know the request; `attempt` judges its report once more. */
const UNKNOWN: Asked & { namesModel: boolean; url: string } = {
	does: 'generate',
	isPaid: true,
	hasIdempotencyKey: false,
	isFile: false,
	isShown: false,
	namesModel: true,
	url: 'https://gateway',
};

/** The failure of a response that reports that it is no success. @param facts with its words */
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
	const failed = { status, facts: all, isUnclear: mustBeLookedUp(verdict), namesModel };
	const words = (report.isWebPage && wordsOfWebPage(url, failed)) || wordsOfStatus(failed);
	const isOfAnotherServer = report.isWebPage && kind === 'notFound';
	return new GatewayFailure(isOfAnotherServer ? 'address' : kind, ...words, all, verdict, { report });
}

/** The failure of an answer that nobody is charged for. A file of a result is paid for, although its download is not. */
export function ofFreeAnswer(failure: GatewayFailure): GatewayFailure {
	return failure.kind === 'storage' ? failure : failure.judged({ charge: 'none' });
}

/** Marks what was thrown after a request had been paid for, which a fault of this package does not know. */
export function paidFor(thrown: unknown): GatewayFailure {
	const failure = toFailure(thrown);
	return failure.kind === 'bug' ? failure.judged(verdictOfKind('answer')) : failure;
}

/** Tells whether a request may be repeated after a failure. @param repeatsUnclear even if it may already be charged for */
export function mayRepeat({ verdict: { again } }: GatewayFailure, repeatsUnclear: boolean): boolean {
	return again === 'ifFree' ? repeatsUnclear : again !== 'never';
}
