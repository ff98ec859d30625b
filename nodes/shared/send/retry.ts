import { randomUUID } from 'crypto';
import { toFailure } from '../failure/failure';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../limiter/lane';
import { backOffMs, RETRY_DEADLINE_MS } from '../limiter/clock';
import type { Layer, Run } from './layer';
import { asksToWait, mayRepeat } from '../failure/outcome';
import { isPaid } from './endpoints';
import { History, type RequestOptions } from './request';
import { eitherOf } from './timeLimits';

/** How often a request is repeated when the user sets nothing else: for a few seconds, because failures often repeat themselves. */
export const DEFAULT_MAX_RETRIES = 3;

/** For somebody who waits in the editor. */
export const ONE_RETRY = { maxRetries: 1, maxRateLimitRetries: 1 } satisfies RequestOptions;

/** Sends a request again as long as its failures and its limits allow it. @param header for its idempotency key */
export function retry({ clock, ledger, aside, signal }: Run, header = ''): Layer {
	return (next) => async (request, read) => {
		const history = new History();
		const { endpoint, idempotencyKey } = request;
		const hasKey = header !== '' && isPaid(endpoint);
		const idempotencyHeaders = hasKey ? { [header]: idempotencyKey ?? randomUUID() } : undefined;
		const repeatsUnclear = request.repeatsUnclear || hasKey;
		const { maxRetries = DEFAULT_MAX_RETRIES, maxRateLimitRetries = DEFAULT_MAX_RATE_LIMIT_RETRIES } =
			request;
		const times = { waited: 0, failed: 0 };
		const stop = eitherOf(request.stop ?? signal, request.signal);
		for (;;) {
			history.attempts += 1;
			const startedAt = clock.now();
			try {
				return await next({ ...request, stop, idempotencyHeaders, history }, read);
			} catch (error) {
				const failure = toFailure(error);
				const { outcome } = failure;
				if (!outcome || !mayRepeat(outcome, endpoint.repeatability, repeatsUnclear)) {
					throw history.conclude(failure);
				}
				const mustWait = asksToWait(outcome);
				// Set by `pace`, which counts status 429. Counted here are other failures, and files, which do not pass it.
				let waitMs = outcome.pauseMs;
				if (waitMs === undefined) {
					const count = mustWait ? ++times.waited : ++times.failed;
					if (count > (mustWait ? maxRateLimitRetries : maxRetries)) throw history.conclude(failure);
					waitMs = Math.max(outcome.retryAfterMs ?? 0, backOffMs(count, clock));
				}
				history.sentAt ??= startedAt;
				if (clock.now() + waitMs > history.sentAt + RETRY_DEADLINE_MS) throw history.conclude(failure);
				history.add(failure);
				const wait = clock.sleep(waitMs, stop);
				if (mustWait) await ledger.waitForLimit(async () => await wait, waitMs).finally(aside());
				else await wait;
			}
		}
	};
}
