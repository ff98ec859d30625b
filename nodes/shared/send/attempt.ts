import { cancelledFailure, chargedFailure, interruptedFailure, withOtherPath } from '../errors/errorMessages';
import type { FailureFacts, GatewayFailure } from '../errors/gatewayFailure';
import { meantStatus, saysWorkWasDone } from '../errors/meaning';
import { outcomeOfStatus, type Outcome } from '../errors/outcome';
import { statusFailure, unchargedFailure } from '../errors/statusFailure';
import { unreachableFailure } from '../errors/unreachableFailure';
import { waitInWords } from '../errors/waitInBody';
import {
	failureOf,
	readFailedAnswer,
	type Answer,
	type AnswerReader,
	type FailedAnswer,
} from '../answer/answerReaders';
import { DEFAULT_TOTAL_MINUTES, STREAM_BYTES } from '../plain/budgets';
import { streamFrom, withinSize, type ByteStream } from '../answer/byteStream';
import { retryAfterMilliseconds } from '../answer/headers';
import { contentHeaders, jsonBody } from './requestBody';
import type { Clock } from '../limiter/clock';
import { Stopwatch, type TimeLimits } from './timeLimits';
import type { Redactor } from '../answer/redactor';
import { foreignOrigin, type GatewayAddresses } from './addresses';
import { isConnecting, type SentRequest } from './connection';
import type { Send } from './layer';
import { type GatewayRequest, stopOf } from './request';
import { exchange, type DecryptedCredential, type HostContext } from './transport';
import { explainTransportError, failureInside, type TransportError } from './transportError';

/** What all requests of a run need: n8n's helpers, the credential, and the clock. */
export interface Sender {
	context: HostContext;
	/** Undefined for requests without a key. */
	credential: DecryptedCredential | undefined;
	addresses: GatewayAddresses;
	allowedDomains: string | undefined;
	/** Cancels everything. */
	signal: AbortSignal | undefined;
	clock: Clock;
	limits: TimeLimits;
	/** Knows the key, which must not be part of an address. */
	redactor: Redactor;
}

/**
 * Sends a request once and reads the answer, within its time limits. What a failure means for the request is decided
 * here, and nowhere else.
 */
export function attempt(sender: Sender): Send {
	return async (request, read) => await new Attempt(sender, request).send(read);
}

class Attempt {
	private readonly url: string;
	/** The URL that was asked last. */
	private address: string;
	private readonly stopwatch: Stopwatch;
	private answer: Answer | undefined;
	private sent: SentRequest | undefined;

	constructor(
		private readonly sender: Sender,
		private readonly request: GatewayRequest,
	) {
		const { url = '', timeoutSeconds = request.endpoint.timeoutSeconds, streamed } = request;
		const { totalMinutes = DEFAULT_TOTAL_MINUTES } = request;
		this.url = url;
		this.address = url;
		const signal = stopOf({ ...request, stop: undefined }, sender.signal);
		const totalMs = streamed && totalMinutes * 60_000;
		this.stopwatch = new Stopwatch(sender.limits, signal, timeoutSeconds * 1000, totalMs);
	}

	/** @throws GatewayFailure with its outcome, or without one if no retry can help */
	async send<T>(read: AnswerReader<T>): Promise<T> {
		const { json, body = json === undefined ? undefined : jsonBody(json), headers } = this.request;
		const content = body?.open();
		let failure: GatewayFailure;
		try {
			const answer = await this.exchange({ accept: '*/*', ...contentHeaders(body), ...headers }, content);
			if (answer.status >= 200 && answer.status < 300) {
				return await read({ ...answer, body: this.received(answer) });
			}
			failure = await this.statusFailure(answer);
		} catch (error) {
			failure = this.failureFrom(error);
		} finally {
			this.stopwatch.stop();
			// A reader may stop before the end of the body.
			this.answer?.body.destroy();
			// A body that was not read completely would keep its file open.
			if (typeof content === 'object') content.destroy();
		}
		throw failure;
	}

	private async exchange(
		headers: Record<string, string>,
		content: string | ByteStream | undefined,
	): Promise<Answer> {
		const { sender, stopwatch, request, url } = this;
		const raw = await exchange(sender.context, sender.credential, sender.addresses, {
			method: request.endpoint.method,
			url,
			headers,
			ownHeaders: request.keyHeaders,
			body:
				request.streamed && typeof content === 'object'
					? streamFrom(stopwatch.countUpload(content))
					: content,
			idleTimeoutMs: stopwatch.limitMs,
			signal: stopwatch.signal,
			allowedDomains: sender.allowedDomains,
			redactor: sender.redactor,
			onRedirect: (target) => {
				this.address = target;
				this.sent = undefined;
			},
			onRequest: (found) => {
				this.sent = found;
				stopwatch.limitConnection(() => isConnecting(found));
			},
		});
		this.answer = { ...raw, url, countOnlyProgress: () => stopwatch.countOnlyProgress() };
		return this.answer;
	}

	/** The helper's own time limit ends with the headers of a streamed answer. */
	private received({ body, headers }: Answer): ByteStream {
		const { streamed } = this.request;
		if (!streamed) return body;
		const bytes = withinSize(body as AsyncIterable<Buffer>, STREAM_BYTES[streamed], headers);
		return streamFrom(this.stopwatch.countSilence(bytes));
	}

	/** The failure for an answer with a failing status. */
	private async statusFailure(answer: Answer): Promise<GatewayFailure> {
		const { sender, address, request, url } = this;
		const elsewhere = sender.credential && foreignOrigin(address, sender.addresses);
		const failed = await readFailedAnswer(answer, elsewhere);
		const outcome = this.outcomeOf(failed);
		const { namesModel = false, otherPath } = request.endpoint;
		const failure = failureOf(failed, url, this.known(outcome), namesModel);
		return withOtherPath(failure, otherPath).after(outcome);
	}

	/** The failure for anything that was thrown, by n8n's request helper or by a reader. */
	private failureFrom(error: unknown): GatewayFailure {
		const { sender, request, address, url, answer, sent } = this;
		const { exceeded, isUnconnected } = this.stopwatch;
		const own = failureInside(error);
		const inside = own && answer && this.failureInside(own.facts);
		if (inside) return inside;
		const isRead = request.endpoint.repeatability === 'read';
		if (own && own.kind !== 'interrupted') {
			return isRead ? unchargedFailure(own, this.attempts) : chargedFailure(own);
		}
		const known = { answered: answer !== undefined, isUnconnected, sent };
		const reason = own ? LOST : explainTransportError(error, known);
		if (sender.signal?.aborted || request.signal?.aborted) {
			const wasSent = reason.kind === 'interrupted' && !isRead;
			return cancelledFailure({ ...own?.facts, mayHaveBeenCarriedOut: wasSent || undefined });
		}
		if (reason.kind === 'notConnected') {
			// A redirect may lead anywhere.
			const isGateway = sender.credential !== undefined && address === url;
			const failure = unreachableFailure(address, reason, { attempts: this.attempts }, isGateway);
			const isFinal = reason.reason === 'blocked' || reason.reason === 'invalid';
			return isFinal ? failure : failure.after({ kind: 'notConnected' });
		}
		const outcome = { kind: 'unclear' } as const;
		const limit = exceeded ?? (reason.timedOut ? 'silence' : undefined);
		return interruptedFailure(limit, { ...own?.facts, ...this.known(outcome) }).after(outcome);
	}

	/**
	 * A failing status that a reader found in the body of an answer with a status of success, and nothing else in it; or
	 * an error without a status that says that the work was done.
	 */
	private failureInside({ status, ...facts }: FailureFacts): GatewayFailure | undefined {
		if (status === undefined || facts.mayHaveBeenCarriedOut) return undefined;
		const waitMs = waitInWords(facts.gatewayMessage ?? '');
		const outcome = this.outcomeOf({ status, facts, hasErrorObject: true, waitMs });
		if (status < 400 && outcome.kind !== 'unclear') return undefined;
		const { namesModel = false, otherPath } = this.request.endpoint;
		const failure = statusFailure({ ...facts, status, ...this.known(outcome) }, namesModel);
		return withOtherPath(failure, otherPath).after(outcome);
	}

	private outcomeOf(failed: Omit<FailedAnswer, 'isWebPage'>): Outcome {
		const { facts, hasErrorObject, waitMs } = failed;
		const status = meantStatus(failed.status, facts);
		const { endpoint, keyHeaders } = this.request;
		const asked = retryAfterMilliseconds(this.answer?.headers ?? {}, this.sender.clock.date());
		const kind = outcomeOfStatus({
			status,
			hasErrorObject,
			hasIdempotencyKey: keyHeaders !== undefined,
			workWasDone: saysWorkWasDone(status, facts),
			repeatability: endpoint.repeatability,
		});
		return { kind, status, retryAfterMs: asked ?? waitMs };
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

/** A reader found out itself that its answer is not complete. */
const LOST: TransportError = { kind: 'interrupted', timedOut: false };
