import type { IDataObject } from 'n8n-workflow';
import { afterUnclearAttempt } from '../failure/words';
import type { FailureFacts, GatewayFailure } from '../failure/failure';
import type { PacedRequest } from '../limiter/slot';
import type { StreamKind } from '../plain/budgets';
import { approximateLength, textOr } from '../plain/values';
import type { RequestBody } from './requestBody';
import type { Endpoint } from './endpoints';

/** Retries, time limit, and headers of a request, from the node's Options. */
export interface RequestOptions {
	/** Further headers; only the credential's own addresses get them. */
	headers?: Record<string, string>;
	/** How often to repeat it after a failure. Default: `DEFAULT_MAX_RETRIES`. */
	maxRetries?: number;
	/** How often to repeat it when the gateway asks to wait. Default: `DEFAULT_MAX_RATE_LIMIT_RETRIES`. */
	maxRateLimitRetries?: number;
	/** Time limit for one answer. Default: the endpoint's. */
	timeoutSeconds?: number;
	/** Time limit for a streamed answer as a whole. Default: `DEFAULT_TOTAL_MINUTES`. */
	totalMinutes?: number;
	/** Whether to repeat a request that may already be paid for. Default: only with an idempotency key. */
	repeatsUnclear?: boolean;
}

export interface GatewayRequest extends RequestOptions {
	endpoint: Endpoint;
	/** Pairs when a name may occur several times. */
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
	/**
	 * Once it is aborted, the request is not sent (again), but an answer in progress is waited for. Below `retry`, it is
	 * also aborted with the signals.
	 */
	stop?: AbortSignal;
	/** Where it may be sent instead of the addresses of its endpoint. */
	urls?: string[];

	// Set by a layer for those below.
	/** Set by `retry`: the header with the idempotency key, and no other, because with it a repetition is free. */
	idempotencyHeaders?: Record<string, string>;
	/** Set by `retry`: what has become of it so far. */
	history?: History;
	/** Set by `reach` for `attempt`: where it is sent. */
	url?: string;
}

/** What has become of a request so far. The layers below `retry` see it. */
export class History {
	/** How many times it was sent, including this time. */
	attempts = 0;
	/** When it was sent first, on the monotonic clock. */
	sentAt: number | undefined;
	/** Whether an attempt may have been carried out, and charged for. */
	mayBePaid = false;
	/** What the gateway said when it refused the request last because of a limit. */
	refusal: FailureFacts = { status: 429, attempts: 0 };
	/** The request as its lane knows it; only for `pace`. */
	paced: PacedRequest | undefined;
	private partial: FailureFacts['partial'] = {};

	add({ facts, outcome }: GatewayFailure): void {
		if (facts.mayHaveBeenCarriedOut) this.mayBePaid = true;
		if (outcome?.kind === 'refused') this.refusal = facts;
		this.partial = combined(this.partial, facts.partial);
	}

	/** The failure that the request ends with, and what earlier attempts have left behind. */
	conclude(failure: GatewayFailure): GatewayFailure {
		const partial = combined(this.partial, failure.facts.partial);
		const last = Object.keys(partial).length > 0 ? failure.with({ partial }) : failure;
		return this.mayBePaid ? afterUnclearAttempt(last) : last;
	}
}

/**
 * What attempts have left behind. Of each field, it is the longer value, because a later attempt may have broken off
 * sooner; a text that is not its beginning may be another paid answer.
 */
function combined(earlier: IDataObject = {}, later: IDataObject = {}): IDataObject {
	const all = { ...earlier, ...later };
	for (const name of Object.keys(later).filter((one) => one in earlier && one !== OTHERS)) {
		const values = [earlier[name], later[name]];
		const [shorter, longer] = values.sort((one, other) => approximateLength(one) - approximateLength(other));
		all[name] = longer;
		const isOther = typeof shorter === 'string' && !textOr(longer).startsWith(shorter);
		if (isOther) all[OTHERS] = [...((all[OTHERS] as IDataObject[] | undefined) ?? []), { [name]: shorter }];
	}
	return all;
}

const OTHERS = 'otherAttempts';
