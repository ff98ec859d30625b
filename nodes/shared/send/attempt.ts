import { cancelledFailure, interruptedFailure, withOtherPath } from '../failure/words';
import type { Evidence, FailureFacts, Report } from '../failure/evidence';
import { GatewayFailure, toFailure } from '../failure/failure';
import { PROXY_SIGN_IN } from '../failure/statusWords';
import { type Unreachable, wordsOfUnreachable } from '../failure/unreachableWords';
import { type Judged, reportedFailure, verdictOf } from '../failure/verdict';
import { waitIn, waitsOf } from '../failure/waits';
import { readFailedAnswer, type Answer, type RawAnswer } from '../answer/answerReaders';
import { DEFAULT_TOTAL_MINUTES, STREAM_BYTES } from '../plain/budgets';
import { hasBroken, streamFrom, withinSize } from '../answer/byteStream';
import { OpenBody } from './requestBody';
import { Stopwatch } from './timeLimits';
import { belongsToCredential, type GatewayAddresses } from './addresses';
import { attemptInWords } from './attemptLog';
import { FILE, isPaid } from './endpoints';
import type { Run, Send } from './layer';
import type { Sending } from './request';
import type { Exchange, HttpRequest, Unanswered } from './transport';
import { causeInWords, explainTransportError, failureInside } from './transportError';
import { hasNoTunnel, isConnecting, type SentRequest } from './transportError';

type RunOfAttempt = Pick<Run, 'clock' | 'signal' | 'watch' | 'log'>;

/**
 * Sends a request once and reads the answer, within its time limits. It collects what is known of a failure, which
 * `verdictOf` judges. @param addresses undefined if it may go to any host
 */
export function attempt(run: RunOfAttempt, exchange: Exchange, addresses?: GatewayAddresses): Send {
	return async (sending, read) => {
		const one = new Attempt(sending, run, addresses);
		let failure: GatewayFailure | undefined;
		run.watch.add(one.stopwatch);
		try {
			const answer = one.answered(await exchange(one.toSend()));
			if (answer.status >= 200 && answer.status < 300) return await read(one.toRead(answer));
			const { report, facts, text } = await readFailedAnswer(answer, one.foreignOrigin);
			throw one.reported(report, facts, text);
		} catch (error) {
			failure = one.failureFrom(error);
			throw failure;
		} finally {
			one.end(failure);
		}
	};
}

/** What is known of one attempt while it is under way. */
class Attempt {
	private readonly url: string;
	/** The URL that was asked last. */
	private address: string;
	private readonly startedAt: number;
	readonly stopwatch: Stopwatch;
	private answer: Answer | undefined;
	private sent: SentRequest | undefined;
	/** Whether a reader has got the answer. */
	private isRead = false;
	/** Whether somebody has seen a part of the answer. */
	private isShown = false;
	private isUnderWay = false;
	private body: OpenBody | undefined;

	constructor(
		private readonly sending: Sending,
		private readonly run: RunOfAttempt,
		private readonly addresses: GatewayAddresses | undefined,
	) {
		const { request, urls } = sending;
		const { endpoint, streamed, timeoutSeconds = endpoint.timeoutSeconds } = request;
		const { totalMinutes = DEFAULT_TOTAL_MINUTES } = request;
		[this.url] = urls;
		this.address = this.url;
		this.startedAt = run.clock.now();
		const totalMs = streamed && totalMinutes * 60_000;
		const stops = [run.signal, request.signal].filter((signal) => signal !== undefined);
		this.stopwatch = new Stopwatch(run.clock, timeoutSeconds * 1000, totalMs, stops);
	}

	toSend(): HttpRequest {
		const { stopwatch, url } = this;
		const { request, idempotencyHeader: key } = this.sending;
		const body = (this.body = new OpenBody(request));
		return {
			method: request.endpoint.method,
			url,
			headers: { accept: '*/*', ...body.headers },
			ownHeaders: { ...request.headers, ...(key && { [key.name]: key.value }) },
			body: body.written((chunks) => (request.streamed ? stopwatch.countUpload(chunks) : chunks)),
			idleTimeoutMs: stopwatch.limitMs,
			signal: stopwatch.signal,
			onSend: () => (this.isUnderWay = true),
			onRedirect: (target) => {
				this.address = target;
				this.sent = undefined;
			},
			onRequest: (found) => {
				this.sent = found;
				stopwatch.limitConnection(() => isConnecting(found));
			},
		};
	}

	/** @throws GatewayFailure for what the request helper has thrown, and for the answer of a proxy */
	answered(raw: RawAnswer | Unanswered): Answer {
		if ('thrown' in raw) throw this.withoutAnswer(raw.thrown);
		const { stopwatch, url } = this;
		const passedOn = () => (this.isShown = true);
		this.answer = { ...raw, url, countOnlyProgress: () => stopwatch.countOnlyProgress(), passedOn };
		if (!this.isFromProxy(this.answer)) return this.answer;
		throw this.notConnected({ reason: 'tunnel', detail: String(raw.status) });
	}

	/** The answer for its reader. The helper's own time limit ends with the headers of a streamed one. */
	toRead(answer: Answer): Answer {
		this.isRead = true;
		const { streamed } = this.sending.request;
		if (!streamed) return answer;
		const bytes = withinSize(answer.body as AsyncIterable<Buffer>, STREAM_BYTES[streamed]);
		return { ...answer, body: streamFrom(this.stopwatch.countSilence(bytes)) };
	}

	/** The failure for anything that was thrown. What is no failure yet comes from a reader, or is a fault. */
	failureFrom(error: unknown): GatewayFailure {
		if (this.isRead && this.answer) return this.whileReading(error, this.answer);
		return error instanceof GatewayFailure ? error : this.fault(error);
	}

	/** Frees what the request holds, and says in the log how it went. */
	end(failure: GatewayFailure | undefined): void {
		const { answer, run, sending, startedAt, url } = this;
		run.watch.delete(this.stopwatch);
		// A reader may stop before the end of the body.
		answer?.body.destroy();
		this.body?.close();
		run.log(attemptInWords({ sending, url, answer, milliseconds: run.clock.now() - startedAt, failure }));
	}

	/** Where the gateway has redirected the request without its key; undefined for one of the gateway's own addresses. */
	get foreignOrigin(): string | undefined {
		const { address, addresses } = this;
		return !addresses || belongsToCredential(address, addresses) ? undefined : new URL(address).origin;
	}

	/** The failure for what the request helper has thrown: a body that could not be written, or the network. */
	private withoutAnswer(thrown: unknown): GatewayFailure {
		const own = this.body?.failure ?? failureInside(thrown);
		const { request, attempts } = this.sending;
		const known = { answered: false, isFree: !isPaid(request.endpoint), sent: this.sent };
		const reason = own?.kind === 'interrupted' ? LOST : explainTransportError(thrown, known);
		const isSent = reason.kind === 'interrupted';
		if (own?.kind === 'bug') return this.fault(own, isSent);
		if (own && own.kind !== 'interrupted') return own.with({ attempts: isSent ? attempts : 0 });
		const cause = causeInWords(thrown);
		if (this.isStopped) return this.stopped(isSent, {});
		if (!isSent) return this.notConnected(reason, cause);
		return this.lost(reason.timedOut, { ...own?.facts }, cause);
	}

	/** The failure for what a reader has thrown: the network, an answer that it cannot use, or a fault of its own. */
	private whileReading(error: unknown, answer: Answer): GatewayFailure {
		const own = failureInside(error);
		const isLost = own ? own.kind === 'interrupted' : hasBroken(answer.body, error);
		if (isLost) {
			const facts = own?.facts ?? {};
			if (this.isStopped) return this.stopped(true, facts);
			const reason = own ? LOST : (explainTransportError(error, { answered: true }) as typeof LOST);
			return this.lost(reason.timedOut, facts, own?.cause ?? causeInWords(error));
		}
		if (!own || own.kind === 'bug') return this.fault(own ?? error);
		if (own.report) return this.reported(own.report, own.facts);
		// A file of a result is paid for, although its download is not.
		const keeps = isPaid(this.sending.request.endpoint) || own.kind === 'storage';
		return keeps ? own : own.judged({ charge: 'none' });
	}

	/** A fault of this package, of which it is known here what was paid for. */
	private fault(error: unknown, isSent = this.isUnderWay): GatewayFailure {
		const { attempts } = this.sending;
		return toFailure(error)
			.with({ attempts })
			.judged(this.judge({ end: 'fault', isSent }).verdict);
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

	/** Whether a proxy has answered instead of making a tunnel. Its demand for a password has words of its own. */
	private isFromProxy({ status }: Answer): boolean {
		return status !== PROXY_SIGN_IN && hasNoTunnel(this.sent);
	}

	private notConnected(reason: Unreachable, cause?: unknown): GatewayFailure {
		const { address, addresses } = this;
		// A redirect may lead anywhere.
		const isGateway = addresses !== undefined && address === this.url;
		const end = ['blocked', 'invalid'].includes(reason.reason) ? 'forbidden' : 'notConnected';
		const { kind, verdict } = this.judge({ end, isSent: false });
		const { message, advice } = wordsOfUnreachable(address, reason, isGateway);
		const facts = { attempts: this.sending.attempts };
		return new GatewayFailure(kind, message, advice, facts, verdict, { cause });
	}

	/** The failure for what a response reports, by its status or inside status 200. */
	reported(report: Report, facts: FailureFacts, text = facts.gatewayMessage ?? ''): GatewayFailure {
		const { attempts, request } = this.sending;
		const date = this.run.clock.date();
		const { askedMs, resetMs } = waitsOf(this.answer?.headers ?? {}, date);
		const failure = reportedFailure(
			{ ...report, waitMs: askedMs ?? waitIn(text, date), resetMs },
			{ attempts, ...facts },
			{ ...this.known, namesModel: request.endpoint.namesModel ?? false, url: this.url },
		);
		return withOtherPath(failure, request.endpoint.otherPath);
	}

	private judge(evidence: Pick<Evidence, 'end'> & Partial<Evidence>): Judged {
		return verdictOf({
			...this.known,
			isSent: true,
			hasSucceeded: this.answer !== undefined && this.answer.status < 300,
			facts: {},
			...evidence,
		});
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

/** A reader found out itself that its answer is not complete. */
const LOST = { kind: 'interrupted', timedOut: false } as const;
