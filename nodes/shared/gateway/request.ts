import type { FailureFacts, GatewayFailure } from '../errors/gatewayFailure';
import { DEFAULT_TOTAL_MINUTES, type StreamKind } from '../http/budgets';
import type { RequestBody } from '../http/requestBody';
import type { RetryLimits } from '../pacing/retry';
import type { AttemptRequest } from './attempt';
import type { Endpoint } from './endpoints';

/** Retries and time limit of a request, from the node's Options. */
export interface RequestOptions extends RetryLimits {
	/** Time limit for one answer. Default: the endpoint's. */
	timeoutSeconds?: number;
	/** Time limit for a streamed answer as a whole. Default: `DEFAULT_TOTAL_MINUTES`. */
	totalMinutes?: number;
	/** Whether to repeat a request that may already be paid for. Default: only with an idempotency key. */
	repeatsUnclear?: boolean;
}

/** One request to the gateway. */
export interface GatewayRequest extends RequestOptions {
	endpoint: Endpoint;
	/** Pairs when a name may occur several times. */
	query?: Record<string, string> | Array<[string, string]>;
	/** Sent as JSON; it may contain `EmbeddedFile`s. */
	json?: unknown;
	/** Sent as it is, instead of `json`. */
	body?: RequestBody;
	headers?: Record<string, string>;
	/**
	 * The kind of an answer whose time limit counts silence instead of the whole answer: files and event streams may take
	 * long as long as they make progress.
	 */
	streamed?: StreamKind;
	/** Sent with a paid request if the credential names a header for it. Default: a random one. */
	idempotencyKey?: string;
	/** Whether an error of this endpoint says, whatever its status, that the work was done and may be charged. */
	workWasDone?: (facts: FailureFacts) => boolean;
	/** Whether a failure must not be retried although its status would allow a retry. */
	isFinal?: (failure: GatewayFailure) => boolean;
	/** Waits for the next attempt after a refusal, and does something useful with the time, if it can. */
	rest?: (wait: () => Promise<void>) => Promise<void>;
	/** Is called before a request is repeated that may be paid for already. Nothing is repeated if it throws. */
	onUnclear?: () => Promise<void>;
	/** Stops only this request, in addition to the client's signal. */
	signal?: AbortSignal;
	/**
	 * Once it is aborted, the request is not sent, or not again, but an answer in progress is waited for. Whatever aborts
	 * the client's signal aborts it as well.
	 */
	stop?: AbortSignal;
}

/** What attempts leave behind that are then repeated: what had arrived, and whether one may have been carried out. */
export type Earlier = Pick<FailureFacts, 'mayHaveBeenCarriedOut' | 'partial'>;

/** One attempt of a request. */
export function attemptOf(
	request: GatewayRequest,
	url: string,
	body: RequestBody | undefined,
	keyHeaders: Record<string, string> | undefined,
	attempts: number,
): AttemptRequest {
	const { endpoint, headers, timeoutSeconds = endpoint.timeoutSeconds, streamed, workWasDone } = request;
	const { totalMinutes = DEFAULT_TOTAL_MINUTES } = request;
	const { method, repeatability, namesModel } = endpoint;
	const limits = { timeoutSeconds, totalMinutes, streamed };
	return {
		method,
		url,
		headers,
		keyHeaders,
		body,
		repeatability,
		namesModel,
		workWasDone,
		attempts,
		...limits,
	};
}

/** A URL with the parameters of a request. */
export function withQuery(url: string, query: GatewayRequest['query']): string {
	if (!query) return url;
	const text = new URLSearchParams(query).toString();
	return text ? `${url}?${text}` : url;
}
