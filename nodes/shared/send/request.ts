import type { StreamKind } from '../plain/budgets';
import type { RequestBody } from './requestBody';
import { eitherOf } from './timeLimits';
import type { Endpoint } from './endpoints';
import type { History } from './history';
import type { RetryLimits } from './retry';

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
	/** Stops only this request, in addition to the client's signal. */
	signal?: AbortSignal;
	/**
	 * Once it is aborted, the request is not sent, or not again, but an answer in progress is waited for. Whatever aborts
	 * the client's signal aborts it as well.
	 */
	stop?: AbortSignal;
	/** The header with the idempotency key. */
	keyHeaders?: Record<string, string>;
	/** What has become of it so far; set by `retry`. */
	history?: History;
	/** Where it may be sent instead of the addresses of its endpoint. */
	urls?: string[];
	/** Where it is sent; set by `reach`. */
	url?: string;
}

/** What ends the waiting of a request. @param signal ends everything */
export function stopOf(
	{ stop, signal: own }: GatewayRequest,
	signal: AbortSignal | undefined,
): AbortSignal | undefined {
	return eitherOf(stop ?? signal, own);
}

/** A URL with the parameters of a request. */
export function withQuery(url: string, query: GatewayRequest['query']): string {
	if (!query) return url;
	const text = new URLSearchParams(query).toString();
	return text ? `${url}?${text}` : url;
}
