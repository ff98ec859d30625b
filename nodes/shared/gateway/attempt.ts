import { cancelledFailure, chargedFailure, interruptedFailure } from '../errors/errorMessages';
import { saysWorkWasDone } from '../errors/doneWork';
import { waitInWords } from '../errors/errorDetails';
import { meantStatus } from '../errors/meaning';
import { statusFailure, unchargedFailure } from '../errors/statusFailure';
import { unreachableFailure } from '../errors/unreachableFailure';
import { type StreamKind, STREAM_BYTES } from '../http/budgets';
import { streamFrom, withinSize } from '../http/byteStream';
import type { Clock } from '../pacing/clock';
import { foreignOrigin, type GatewayAddresses } from './addresses';
import type { FailureFacts, GatewayFailure } from '../errors/gatewayFailure';
import {
	failureOf,
	readFailedAnswer,
	type Answer,
	type AnswerReader,
	type FailedAnswer,
} from '../http/answerReaders';
import { contentHeaders, type RequestBody } from '../http/requestBody';
import { mayHaveBeenCarriedOut, type FailedAttempt, type Repeatability } from '../pacing/retry';
import { retryAfterMilliseconds } from '../http/headers';
import type { Redactor } from '../secrets/redactor';
import { Stopwatch, type TimeLimits } from '../pacing/timeLimits';
import { isConnecting, type SentRequest } from './connection';
import { explainTransportError, failureInside, type TransportError } from './transportError';
import { exchange, type DecryptedCredential, type HostContext, type HttpMethod } from './transport';

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

/** One request to one address. */
export interface AttemptRequest {
	method: HttpMethod;
	url: string;
	headers?: Record<string, string>;
	/** The header with the idempotency key, if there is one. */
	keyHeaders?: Record<string, string>;
	body?: RequestBody;
	repeatability: Repeatability;
	timeoutSeconds: number;
	/** The kind of an answer whose time limit counts silence; undefined if it counts the whole answer. */
	streamed: StreamKind | undefined;
	/** How long a streamed answer may take as a whole. */
	totalMinutes: number;
	/** Whether the request names a model, which the gateway may not have. Default: false. */
	namesModel?: boolean;
	/** See {@link GatewayRequest}. */
	workWasDone?: (facts: FailureFacts) => boolean;
	/** How many times the request was sent, including this time; shown in a failure. */
	attempts: number;
}

/** An attempt that failed. */
export interface FailedTry {
	attempt: FailedAttempt;
	failure: GatewayFailure;
	retryAfterMs?: number;
}

/** Whether the gateway refused a request because of a limit. */
export function isRateLimited({ attempt }: FailedTry): boolean {
	return attempt.kind === 'status' && attempt.status === 429 && !attempt.workWasDone;
}

/** Whether a request failed for another reason than a limit; a server in trouble may not even have counted it. */
export function wasAdmitted({ attempt }: FailedTry): boolean {
	return attempt.kind === 'status' && attempt.status < 500;
}

/**
 * Sends a request once and reads the answer.
 *
 * @returns the value, or a failure that a retry may fix
 * @throws GatewayFailure when no retry can fix it
 */
export async function attempt<T>(
	sender: Sender,
	request: AttemptRequest,
	read: AnswerReader<T>,
): Promise<{ value: T } | FailedTry> {
	const { method, url, headers, body, repeatability, attempts } = request;
	const timeoutMs = request.timeoutSeconds * 1000;
	const totalMs = request.streamed && request.totalMinutes * 60_000;
	const stopwatch = new Stopwatch(sender.limits, sender.signal, timeoutMs, totalMs);
	const content = body?.open();
	let answer: Answer | undefined;
	let address = url;
	let sent: SentRequest | undefined;
	try {
		const raw = await exchange(sender.context, sender.credential, sender.addresses, {
			method,
			url,
			headers: { accept: '*/*', ...contentHeaders(body), ...headers },
			ownHeaders: request.keyHeaders,
			body:
				request.streamed && typeof content === 'object'
					? streamFrom(stopwatch.countUpload(content))
					: content,
			idleTimeoutMs: timeoutMs,
			signal: stopwatch.signal,
			allowedDomains: sender.allowedDomains,
			redactor: sender.redactor,
			onRedirect: (target) => {
				address = target;
				sent = undefined;
			},
			onRequest: (found) => {
				sent = found;
				stopwatch.limitConnection(() => isConnecting(found));
			},
		});
		const countOnlyProgress = () => stopwatch.countOnlyProgress();
		answer = { ...raw, url, countOnlyProgress };
		if (answer.status >= 200 && answer.status < 300) {
			// The helper's own time limit ends with the headers of a streamed answer.
			const received = request.streamed
				? streamFrom(
						stopwatch.countSilence(
							withinSize(
								answer.body as AsyncIterable<Buffer>,
								STREAM_BYTES[request.streamed],
								answer.headers,
							),
						),
					)
				: answer.body;
			return { value: await read({ ...answer, body: received }) };
		}

		const foreign = sender.credential && foreignOrigin(address, sender.addresses);
		const failed = await readFailedAnswer(answer, foreign);
		const { meantStatus: status, hasErrorObject, facts } = failed;
		const outcome = statusOutcome(request, { status, hasErrorObject, facts });
		const known = {
			attempts,
			mayHaveBeenCarriedOut: mayHaveBeenCarriedOut(outcome, repeatability) || undefined,
		};
		return {
			attempt: outcome,
			failure: failureOf(failed, url, known, request.namesModel === true),
			retryAfterMs: retryAfterMilliseconds(answer.headers, sender.clock.date()) ?? failed.waitMs,
		};
	} catch (error) {
		return failedTry(sender, error, request, { answer, address, sent, stopwatch });
	} finally {
		stopwatch.stop();
		// A reader may stop before the end of the body.
		answer?.body.destroy();
		// A body that was not read completely would keep its file open.
		if (typeof content === 'object') content.destroy();
	}
}

function statusOutcome(
	{ keyHeaders, workWasDone }: AttemptRequest,
	{ status, hasErrorObject, facts }: Pick<FailedAnswer, 'status' | 'hasErrorObject' | 'facts'>,
): Extract<FailedAttempt, { kind: 'status' }> {
	return {
		kind: 'status',
		status,
		hasErrorObject,
		hasIdempotencyKey: keyHeaders !== undefined,
		// With any other status, such words may be about the request.
		workWasDone: workWasDone?.(facts) === true || (status === 500 && saysWorkWasDone(facts)),
	};
}

/**
 * A failing status that a reader found in the body of an answer with a status of success, and nothing else in it; or an
 * error without a status that says that the work was done.
 */
function errorOfAnswer(
	{ status, ...facts }: FailureFacts,
	request: AttemptRequest,
): Pick<FailedTry, 'attempt' | 'failure'> | undefined {
	if (status === undefined || facts.mayHaveBeenCarriedOut) return undefined;
	const { repeatability, attempts, namesModel = false } = request;
	const meant = meantStatus(status, facts);
	const outcome = statusOutcome(request, { status: meant, hasErrorObject: true, facts });
	if (status < 400 && !outcome.workWasDone) return undefined;
	const isUnclear = mayHaveBeenCarriedOut(outcome, repeatability) || undefined;
	const known = { ...facts, status, attempts, mayHaveBeenCarriedOut: isUnclear };
	return { attempt: outcome, failure: statusFailure(known, namesModel) };
}

/** A reader found out itself that its answer is not complete. */
const LOST: TransportError = { kind: 'interrupted', timedOut: false };

/** What is known of an attempt that threw an error. */
interface Ended {
	answer: Answer | undefined;
	/** The URL that was asked last. */
	address: string;
	sent: SentRequest | undefined;
	stopwatch: Stopwatch;
}

function failedTry(
	sender: Sender,
	error: unknown,
	request: AttemptRequest,
	{ answer, address, sent, stopwatch }: Ended,
): FailedTry {
	const { exceeded, isUnconnected } = stopwatch;
	const { url, repeatability, attempts } = request;
	const own = failureInside(error);
	const inside = own && answer && errorOfAnswer(own.facts, request);
	if (inside) {
		const asked = retryAfterMilliseconds(answer.headers, sender.clock.date());
		return { ...inside, retryAfterMs: asked ?? waitInWords(own.facts.gatewayMessage ?? '') };
	}
	if (own && own.kind !== 'interrupted')
		throw repeatability === 'read' ? unchargedFailure(own, attempts) : chargedFailure(own);
	const known = { answered: answer !== undefined, isUnconnected, sent };
	const reason = own ? LOST : explainTransportError(error, known);
	if (sender.signal?.aborted) {
		const wasSent = reason.kind === 'interrupted' && repeatability !== 'read';
		throw cancelledFailure({ ...own?.facts, mayHaveBeenCarriedOut: wasSent || undefined });
	}
	if (reason.kind === 'notConnected') {
		// A redirect may lead anywhere.
		const isGateway = sender.credential !== undefined && address === url;
		const failure = unreachableFailure(address, reason, { attempts }, isGateway);
		if (reason.reason === 'blocked' || reason.reason === 'invalid') throw failure;
		return { attempt: { kind: 'notConnected' }, failure };
	}
	const attempt: FailedAttempt = { kind: 'interrupted' };
	const facts = {
		...own?.facts,
		attempts,
		mayHaveBeenCarriedOut: mayHaveBeenCarriedOut(attempt, repeatability) || undefined,
	};
	return {
		attempt,
		failure: interruptedFailure(exceeded ?? (reason.timedOut ? 'silence' : undefined), facts),
	};
}
