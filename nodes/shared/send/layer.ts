import type { AnswerReader } from '../answer/answerReaders';
import type { Moment } from '../plain/inWords';
import type { Clock } from '../limiter/clock';
import type { Ledger } from './ledger';
import type { Watch } from './timeLimits';
import type { GatewayFailure } from '../failure/failure';
import type { StreamKind } from '../plain/budgets';
import type { RequestBody } from './requestBody';
import type { Endpoint } from './endpoints';
import type { Amounts } from '../answer/usage';

/** Retries, time limit, and headers of a request, from the node's Options. */
export interface RequestOptions {
	/** Further headers; only the credential's own addresses get them. */
	headers?: Record<string, string>;
	/** The number of times to repeat it after a failure. Default: `DEFAULT_MAX_RETRIES`. */
	maxRetries?: number;
	/** The number of times to repeat it when the gateway asks to wait. Default: `DEFAULT_MAX_RATE_LIMIT_RETRIES`. */
	maxRateLimitRetries?: number;
	/** Time limit for one answer. Default: the endpoint's. */
	timeoutSeconds?: number;
	/** Time limit for a streamed answer as a whole. Default: `DEFAULT_TOTAL_MINUTES`. */
	totalMinutes?: number;
	/** True to repeat a request that may already be paid for. Default: only with an idempotency key. */
	repeatsUnclear?: boolean;
}

export interface GatewayRequest extends RequestOptions {
	endpoint: Endpoint;
	/** The query; pairs if a name may occur several times. */
	query?: Record<string, string> | Array<[string, string]>;
	/** Sent as JSON; it may contain `EmbeddedFile`s. */
	json?: unknown;
	/** Sent as it is, instead of `json`. */
	body?: RequestBody;
	/** The kind of a file or an event stream, which may take long as long as it makes progress. */
	streamed?: StreamKind;
	/** Sent with a paid request if the credential names a header for it. Default: a random one. */
	idempotencyKey?: string;
	/** Stops only this request, in addition to the client's signal. */
	signal?: AbortSignal;
	/** Once it is aborted, the request is not sent (again), but an answer in progress is waited for. */
	stop?: AbortSignal;
}

/** A request on its way through the layers: what its caller asks for, and what layers have added for those below. */
export interface Sending {
	/** The request, which is the same object in all its attempts. */
	request: GatewayRequest;
	/** The number of times that it is sent, this time included. */
	attempts: number;
	/** The failure of the attempts before this one, with what they have left behind. */
	earlier?: GatewayFailure;
	/** The header by which a repetition is recognized, and free: what all attempts have used counts once. */
	idempotencyHeader?: { name: string; value: string; used?: Amounts };
	/** Once it is aborted, the request is not sent (again). */
	stop: AbortSignal | undefined;
	/** The URLs to which it may be sent, the best one first. */
	urls: string[];
}

/** Prepares a request for its first attempt. @param urls where it may be sent */
export function sendingOf(request: GatewayRequest, urls: string[]): Sending {
	return { request: { ...request }, attempts: 1, stop: request.stop, urls };
}

/** Sends a request, and turns its answer into a value. @throws GatewayFailure; see {@link GatewayFailure.verdict} */
export type Send = <T>(sending: Sending, read: AnswerReader<T>) => Promise<T>;

/**
 * One promise of the package about requests. A layer knows only the request, the settings that it was created with, and
 * the layers below it, as `next`.
 */
export type Layer = (next: Send) => Send;

/** Puts layers on top of each other, the first one outermost. @param last sends a request once */
export function compose(layers: Layer[], last: Send): Send {
	return layers.reduceRight((next, layer) => layer(next), last);
}

/** Begins work that does not occupy the gateway, so that something else may start. @returns a function that ends it */
export type Aside = () => () => void;

export interface Run {
	clock: Clock;
	ledger: Ledger;
	aside: Aside;
	/** Stops everything immediately when it is aborted. */
	signal?: AbortSignal;
	moment: () => Moment;
	watch: Watch;
	/** Writes a line about an attempt to n8n's log, at level debug. */
	log: (line: string) => void;
}

/** Waits for a limit of the gateway, while something else may start. */
export async function sleepAside(
	{ aside, clock, ledger }: Run,
	waitMs: number,
	stop: AbortSignal | undefined,
): Promise<void> {
	const back = aside();
	await ledger.waitForLimit(async () => await clock.sleep(waitMs, stop), waitMs);
	back();
}
