import { answerFailure, cancelledFailure, interruptedFailure, withOtherPath } from '../failure/words';
import type { End, FailureFacts, Report } from '../failure/evidence';
import { GatewayFailure, toFailure } from '../failure/failure';
import { type Unreachable, wordsOfUnreachable } from '../failure/unreachableWords';
import { ofFreeAnswer, reportedFailure, verdictOf } from '../failure/verdict';
import { waitIn, waitsOf } from '../failure/waits';
import { type Answer, withRequestId } from '../answer/answerReaders';
import { hasBroken } from '../answer/byteStream';
import { belongsToCredential, type GatewayAddresses } from './addresses';
import { FILE, isPaid } from './endpoints';
import type { Run, Sending } from './layer';
import type { OpenBody } from './requestBody';
import type { Stopwatch } from './timeLimits';
import {
	cannotBeUnpacked,
	causeInWords,
	failureInside,
	hasTimedOut,
	type SentRequest,
	whyUnsent,
} from './transportError';

const NOT_UNPACKED = 'it is not compressed as its headers say';

/** Collects what is known of one attempt while it is under way, and turns that into its failure. */
export class AttemptEvidence {
	readonly url: string;
	/** The URL that was asked last. */
	address: string;
	body: OpenBody | undefined;
	isUnderWay = false;
	sent: SentRequest | undefined;
	answer: Answer | undefined;
	/** True if a reader has received the answer. */
	isRead = false;
	/** True if somebody has seen a part of the answer. */
	isShown = false;

	constructor(
		private readonly sending: Sending,
		private readonly run: Pick<Run, 'clock' | 'signal'>,
		private readonly stopwatch: Stopwatch,
		private readonly addresses: GatewayAddresses | undefined,
	) {
		[this.url] = sending.urls;
		this.address = this.url;
	}

	/** Returns the failure for anything thrown. What is not a failure yet comes from a reader, or is a fault. */
	failureFrom(error: unknown): GatewayFailure {
		if (this.isRead && this.answer) return withRequestId(this.whileReading(error, this.answer), this.answer);
		return error instanceof GatewayFailure ? error : this.fault(error);
	}

	/** The origin that the request was redirected to without its key; undefined for the gateway's own addresses. */
	get foreignOrigin(): string | undefined {
		const { address, addresses } = this;
		return !addresses || belongsToCredential(address, addresses) ? undefined : new URL(address).origin;
	}

	/** The failure for what the request helper has thrown: a body that could not be written, or the network. */
	withoutAnswer(thrown: unknown): GatewayFailure {
		const own = this.stopwatch.fault ?? this.body?.failure ?? failureInside(thrown);
		const { request, attempts } = this.sending;
		const known = { isPaid: isPaid(request.endpoint), sent: this.sent };
		const reason = own?.kind === 'interrupted' ? undefined : whyUnsent(thrown, known);
		const isSent = reason === undefined;
		if (own?.kind === 'bug') return this.fault(own, isSent);
		if (own && own.kind !== 'interrupted') return own.with({ attempts: isSent ? attempts : 0 });
		const cause = causeInWords(thrown);
		if (this.isStopped) return this.stopped(isSent, {});
		if (reason) return this.notConnected(reason, cause);
		return this.lost(!own && hasTimedOut(thrown), { ...own?.facts }, cause);
	}

	/** The failure for an error of a reader: the network, an answer that it cannot use, or a fault. */
	private whileReading(error: unknown, answer: Answer): GatewayFailure {
		const told = this.stopwatch.fault ?? failureInside(error);
		const isInterrupted = told?.kind === 'interrupted';
		// A reader takes even a fault of the layers below it for a lost connection.
		const cause = (isInterrupted && told.cause) || error;
		const own = cause === error ? told : undefined;
		if (own ? isInterrupted : hasBroken(answer.body, cause)) {
			const facts = told?.facts ?? {};
			if (this.isStopped) return this.stopped(true, facts);
			if (cannotBeUnpacked(cause)) return this.afterAnswer(answerFailure(NOT_UNPACKED, facts));
			return this.lost(hasTimedOut(cause), facts, causeInWords(cause));
		}
		if (!own || own.kind === 'bug') return this.fault(own ?? cause);
		return own.report ? this.reported(own.report, own.facts) : this.afterAnswer(own);
	}

	/** The failure for an answer that has arrived, but cannot be used. */
	private afterAnswer(failure: GatewayFailure): GatewayFailure {
		const { request, attempts } = this.sending;
		const counted = failure.with({ attempts: failure.facts.attempts ?? attempts });
		return isPaid(request.endpoint) ? counted : ofFreeAnswer(counted);
	}

	/** The failure for a fault of this package, with what may have been paid for. */
	private fault(error: unknown, isSent = this.isUnderWay): GatewayFailure {
		const { attempts } = this.sending;
		const hasSucceeded = this.answer !== undefined && this.answer.status < 300;
		return toFailure(error)
			.with({ attempts })
			.judged(this.judge({ end: 'fault', isSent, hasSucceeded }).verdict);
	}

	private get isStopped(): boolean {
		return [this.run.signal, this.sending.request.signal].some((one) => one?.aborted);
	}

	private stopped(isSent: boolean, facts: FailureFacts): GatewayFailure {
		return cancelledFailure(facts, this.judge({ end: 'stopped', isSent }).verdict);
	}

	private lost(timedOut: boolean, facts: FailureFacts, cause: unknown): GatewayFailure {
		const { attempts } = this.sending;
		const limit = this.stopwatch.exceeded ?? (timedOut ? 'silence' : undefined);
		return interruptedFailure(limit, { ...facts, attempts }, this.judge({ end: 'lost' }).verdict, cause);
	}

	/** The failure for a connection that could not be made: nothing was sent. */
	notConnected(reason: Unreachable, cause?: unknown): GatewayFailure {
		const { address, addresses } = this;
		// A redirect may lead anywhere.
		const isGateway = addresses !== undefined && address === this.url;
		const end = ['blocked', 'invalid'].includes(reason.reason) ? 'forbidden' : 'notConnected';
		const { kind, verdict } = this.judge({ end });
		const facts = { attempts: this.sending.attempts };
		const words = wordsOfUnreachable(address, reason, isGateway);
		return new GatewayFailure(kind, ...words, facts, verdict, { cause });
	}

	/** The failure for what a response reports, by its status or inside status 200. */
	reported(report: Report, facts: FailureFacts, text = facts.gatewayMessage ?? ''): GatewayFailure {
		const { attempts, request } = this.sending;
		const date = this.run.clock.date();
		const { askedMs, resetMs } = waitsOf(this.answer?.headers ?? {}, date);
		// The text of the body is not shortened, but may contain escape sequences in place of letters.
		const waitMs = askedMs ?? waitIn(text, date) ?? waitIn(facts.gatewayMessage ?? '', date);
		const failure = reportedFailure(
			{ ...report, waitMs, resetMs },
			{ attempts, ...facts },
			{ ...this.known, namesModel: request.endpoint.namesModel ?? false, url: this.url },
		);
		return withOtherPath(failure, request.endpoint.otherPath);
	}

	private judge(end: End) {
		return verdictOf({ ...this.known, ...end });
	}

	private get known() {
		const { idempotencyHeader, request } = this.sending;
		const { endpoint } = request;
		return {
			does: endpoint.repeatability,
			isPaid: isPaid(endpoint),
			hasIdempotencyKey: idempotencyHeader !== undefined,
			isFile: endpoint === FILE,
			isShown: this.isShown,
		};
	}
}
