import { toFailure } from '../errors/gatewayFailure';
import { type Moment, unavailableFailure } from '../errors/rateLimitFailure';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../limiter/lane';
import { backOffMs } from '../limiter/timing';
import { RETRY_DEADLINE_MS } from '../limiter/trouble';
import type { Layer, Run } from './layer';
import { asksToWait, type Outcome } from '../errors/outcome';
import { type GatewayRequest, History, type RequestOptions, stopOf } from './request';

/** How often a request is repeated when the user sets nothing else: for a few seconds, because failures often repeat themselves. */
export const DEFAULT_MAX_RETRIES = 3;

/** Never repeats a request. */
export const NO_RETRIES = { maxRetries: 0, maxRateLimitRetries: 0 } satisfies RequestOptions;
/** For somebody who waits in the editor. */
export const ONE_RETRY = { maxRetries: 1, maxRateLimitRetries: 1 } satisfies RequestOptions;

/** Which failed requests are sent again. */
export type RetryRule = (outcome: Outcome, request: GatewayRequest) => boolean;

/** What {@link retry} needs of the run. */
export interface RetrySettings extends Run {
	/** The current time and the time zone of the workflow. */
	moment: () => Moment;
	rule: RetryRule;
	/** The header with the idempotency key, which is the same whenever a request is sent again. */
	keyHeadersOf?: (request: GatewayRequest) => Record<string, string> | undefined;
}

/** Sends a request again as long as its failures and its limits allow it. */
export function retry({ clock, ledger, aside, signal, moment, rule, keyHeadersOf }: RetrySettings): Layer {
	return (next) => async (request, read) => {
		const history = new History();
		const keyHeaders = keyHeadersOf?.(request);
		const { maxRetries = DEFAULT_MAX_RETRIES, maxRateLimitRetries = DEFAULT_MAX_RATE_LIMIT_RETRIES } =
			request;
		const times = { waited: 0, failed: 0 };
		const stop = stopOf(request, signal);
		for (;;) {
			history.attempts += 1;
			const startedAt = clock.now();
			try {
				return await next({ ...request, keyHeaders, history }, read);
			} catch (error) {
				const failure = toFailure(error);
				const { outcome } = failure;
				if (!outcome || !rule(outcome, request)) throw history.conclude(failure);
				const mustWait = asksToWait(outcome);
				let waitMs = outcome.pauseMs;
				if (waitMs === undefined) {
					const count = mustWait ? ++times.waited : ++times.failed;
					if (count > (mustWait ? maxRateLimitRetries : maxRetries)) throw history.conclude(failure);
					waitMs = Math.max(outcome.retryAfterMs ?? 0, backOffMs(count, clock));
				}
				history.sentAt ??= startedAt;
				if (clock.now() + waitMs > history.sentAt + RETRY_DEADLINE_MS) {
					throw history.conclude(unavailableFailure(failure, outcome.retryAfterMs, moment()));
				}
				history.add(failure);
				const wait = clock.sleep(waitMs, stop);
				if (mustWait) await ledger.waitForLimit(async () => await wait, waitMs).finally(aside());
				else await wait;
			}
		}
	};
}
