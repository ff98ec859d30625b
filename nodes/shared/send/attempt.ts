import { cancelledFailure, chargedFailure, interruptedFailure, withOtherPath } from '../failure/words';
import type { FailureFacts, GatewayFailure } from '../failure/failure';
import { documentedReason, meantStatus, NO_CHOICES, saysWorkWasDone } from '../failure/meaning';
import { outcomeOfStatus, type Outcome } from '../failure/outcome';
import { failingPageFailure, PROXY_SIGN_IN, statusFailure, unchargedFailure } from '../failure/statusFailure';
import { unreachableFailure, type Unreachable } from '../failure/unreachableFailure';
import { waitIn } from '../failure/waitInBody';
import { readFailedAnswer, type Answer, type FailedAnswer, type RawAnswer } from '../answer/answerReaders';
import { DEFAULT_TOTAL_MINUTES, STREAM_BYTES } from '../plain/budgets';
import { streamFrom, withinSize, type ByteStream } from '../answer/byteStream';
import { retryAfterMilliseconds } from '../answer/headers';
import { contentHeaders, jsonBody } from './requestBody';
import { eitherOf, Stopwatch } from './timeLimits';
import { belongsToCredential, type GatewayAddresses } from './addresses';
import { FILE, isPaid } from './endpoints';
import type { Run, Send } from './layer';
import type { GatewayRequest } from './request';
import type { Exchange, HttpRequest } from './transport';
import {
	explainTransportError,
	failureInside,
	hasNoTunnel,
	isConnecting,
	type SentRequest,
	type TransportError,
} from './transportError';

/**
 * Sends a request once and reads the answer, within its time limits. What a failure means for the request is decided
 * here: it has an outcome, or none if no retry can help. Only a 429 is judged by `pace`. @param addresses undefined if it may go to any host
 */
export function attempt(
	run: Pick<Run, 'clock' | 'signal'>,
	exchange: Exchange,
	addresses?: GatewayAddresses,
): Send {
	return async (request, read) => {
		const { json, body = json === undefined ? undefined : jsonBody(json) } = request;
		const content = body?.open();
		const one = new Attempt(request, run, addresses);
		let failure: GatewayFailure;
		try {
			const headers = { accept: '*/*', ...(body && contentHeaders(body)) };
			const answer = one.answered(await exchange(one.toSend(headers, content)));
			if (answer.status >= 200 && answer.status < 300) {
				return await read({ ...answer, body: one.received(answer) });
			}
			failure = one.isFromProxy(answer)
				? one.notConnected({ reason: 'tunnel', detail: String(answer.status) })
				: one.failureOf(await readFailedAnswer(answer, one.foreignOrigin));
		} catch (error) {
			failure = one.failureFrom(error);
		} finally {
			one.end();
			// A body that was not read completely would keep its file open.
			if (typeof content === 'object') content.destroy();
		}
		throw failure;
	};
}

/** What is known of one attempt while it is under way. */
class Attempt {
	private readonly url: string;
	/** The URL that was asked last. */
	private address: string;
	private readonly stopwatch: Stopwatch;
	private answer: Answer | undefined;
	private sent: SentRequest | undefined;
	/** Whether somebody has seen a part of the answer. */
	private isPassedOn = false;

	constructor(
		private readonly request: GatewayRequest,
		private readonly run: Pick<Run, 'clock' | 'signal'>,
		private readonly addresses: GatewayAddresses | undefined,
	) {
		const { url = '', timeoutSeconds = request.endpoint.timeoutSeconds, streamed } = request;
		const { totalMinutes = DEFAULT_TOTAL_MINUTES } = request;
		this.url = url;
		this.address = url;
		const totalMs = streamed && totalMinutes * 60_000;
		const stop = eitherOf(run.signal, request.signal);
		this.stopwatch = new Stopwatch(run.clock, stop, timeoutSeconds * 1000, totalMs);
	}

	toSend(headers: Record<string, string>, content: string | ByteStream | undefined): HttpRequest {
		const { stopwatch, request, url } = this;
		const isStream = request.streamed !== undefined && typeof content === 'object';
		return {
			method: request.endpoint.method,
			url,
			headers,
			ownHeaders: { ...request.headers, ...request.idempotencyHeaders },
			body: isStream ? streamFrom(stopwatch.countUpload(content)) : content,
			idleTimeoutMs: stopwatch.limitMs,
			signal: stopwatch.signal,
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

	answered(raw: RawAnswer): Answer {
		const { stopwatch, url } = this;
		const passedOn = () => {
			this.isPassedOn = true;
		};
		this.answer = { ...raw, url, countOnlyProgress: () => stopwatch.countOnlyProgress(), passedOn };
		return this.answer;
	}

	/** Frees what the request holds. */
	end(): void {
		this.stopwatch.stop();
		// A reader may stop before the end of the body.
		this.answer?.body.destroy();
	}

	/** The helper's own time limit ends with the headers of a streamed answer. */
	received({ body }: Answer): ByteStream {
		const { streamed } = this.request;
		if (!streamed) return body;
		const bytes = withinSize(body as AsyncIterable<Buffer>, STREAM_BYTES[streamed]);
		return streamFrom(this.stopwatch.countSilence(bytes));
	}

	/** Where the gateway has redirected the request without its key; undefined for one of the gateway's own addresses. */
	get foreignOrigin(): string | undefined {
		const isOwn = !this.addresses || belongsToCredential(this.address, this.addresses);
		return isOwn ? undefined : new URL(this.address).origin;
	}

	/** The failure for anything that was thrown, by n8n's request helper or by a reader. */
	failureFrom(error: unknown): GatewayFailure {
		const { run, request, answer, sent } = this;
		const { exceeded } = this.stopwatch;
		const own = failureInside(error);
		const inside = own && answer && this.failureInside(own.facts);
		if (inside) return inside;
		const { endpoint } = request;
		const isRead = endpoint.repeatability === 'read';
		if (own && own.kind !== 'interrupted') {
			return isRead ? unchargedFailure(own, this.attempts) : chargedFailure(own);
		}
		const known = { answered: answer !== undefined, isFree: !isPaid(endpoint), sent };
		const reason = own ? LOST : explainTransportError(error, known);
		if (run.signal?.aborted || request.signal?.aborted) {
			const wasSent = reason.kind === 'interrupted' && !isRead;
			return cancelledFailure({ ...own?.facts, mayHaveBeenCarriedOut: wasSent || undefined });
		}
		if (reason.kind === 'notConnected') return this.notConnected(reason);
		const outcome = { kind: 'unclear', isFinal: this.isPassedOn } as const;
		const limit = exceeded ?? (reason.timedOut ? 'silence' : undefined);
		return interruptedFailure(limit, { ...own?.facts, ...this.known(outcome) }).after(outcome);
	}

	/** Whether a proxy has answered instead of making a tunnel. Its demand for a password has words of its own. */
	isFromProxy({ status }: Answer): boolean {
		return status !== PROXY_SIGN_IN && hasNoTunnel(this.sent);
	}

	notConnected(reason: Unreachable): GatewayFailure {
		const { address, addresses, attempts, url } = this;
		// A redirect may lead anywhere.
		const isGateway = addresses !== undefined && address === url;
		const failure = unreachableFailure(address, reason, { attempts }, isGateway);
		const isFinal = reason.reason === 'blocked' || reason.reason === 'invalid';
		return isFinal ? failure : failure.after({ kind: 'notConnected' });
	}

	/** The failing status that a body stands for, if it has no result and does not say that the work was done. */
	private failureInside({
		status,
		mayHaveBeenCarriedOut,
		...facts
	}: FailureFacts): GatewayFailure | undefined {
		if (status === undefined || mayHaveBeenCarriedOut) return undefined;
		const failure = this.failureOf({ status, facts, hasErrorObject: true, isWebPage: false });
		return status < 400 && failure.outcome?.kind !== 'unclear' ? undefined : failure;
	}

	failureOf(failed: FailedAnswer): GatewayFailure {
		const outcome = this.outcomeOf(failed);
		const { namesModel = false, otherPath } = this.request.endpoint;
		const facts = { ...this.known(outcome), status: failed.status, ...failed.facts };
		const failure = failed.isWebPage
			? failingPageFailure(this.url, facts, namesModel)
			: statusFailure(facts, namesModel);
		return withOtherPath(failure, otherPath).after(outcome);
	}

	private outcomeOf(failed: FailedAnswer): Outcome {
		const { facts, hasErrorObject, waitMs } = failed;
		const status = meantStatus(failed.status, facts);
		const { endpoint, idempotencyHeaders } = this.request;
		const asked = retryAfterMilliseconds(this.answer?.headers ?? {}, this.run.clock.date());
		// Behind a CDN, a link may answer 404 for some seconds after it was returned (seen by users of LLM Gateway).
		const isLate = status === 404 && endpoint === FILE;
		const { repeatability } = endpoint;
		const hasIdempotencyKey = idempotencyHeaders !== undefined;
		const kind = saysWorkWasDone(status, facts)
			? 'unclear'
			: outcomeOfStatus({ status, hasErrorObject, hasIdempotencyKey, repeatability });
		const isFinal = this.isPassedOn || documentedReason(facts) === NO_CHOICES;
		const retryAfterMs = asked ?? waitMs ?? waitIn(facts.gatewayMessage ?? '');
		if (isLate) return { kind: 'notTaken', status, retryAfterMs: retryAfterMs ?? NOT_THERE_MS, isFinal };
		return { kind, status, retryAfterMs, isFinal };
	}

	/** What is known of the request, besides the answer. */
	private known({ kind }: Outcome): FailureFacts {
		const isUnclear = kind === 'unclear' && this.request.endpoint.repeatability !== 'read';
		return { attempts: this.attempts, mayHaveBeenCarriedOut: isUnclear || undefined };
	}

	private get attempts(): number {
		return this.request.history?.attempts ?? 1;
	}
}

/** The shortest wait for a file that is not there yet; three retries take about ten seconds. */
const NOT_THERE_MS = 3_000;

/** A reader found out itself that its answer is not complete. */
const LOST: TransportError = { kind: 'interrupted', timedOut: false };
