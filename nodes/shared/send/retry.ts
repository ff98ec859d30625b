import { toFailure } from '../errors/gatewayFailure';
import { type Moment, unavailableFailure } from '../errors/rateLimitFailure';
import type { Clock } from '../limiter/clock';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../limiter/lane';
import type { Layer, Run } from './layer';
import { asksToWait, type Outcome } from '../errors/outcome';
import { type GatewayRequest, History, type RequestOptions, stopOf } from './request';

/** How often a request is repeated when the user sets nothing else: for a few seconds, because failures often repeat themselves. */
export const DEFAULT_MAX_RETRIES = 3;

/** Never repeats a request. */
export const NO_RETRIES = { maxRetries: 0, maxRateLimitRetries: 0 } satisfies RequestOptions;
/** For somebody who waits in the editor. */
export const ONE_RETRY = { maxRetries: 1, maxRateLimitRetries: 1 } satisfies RequestOptions;

const BASE_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/** How long a request is retried after its first attempt; also the longest accepted wait. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

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
		const retries = new Retries(request, () => clock.random());
		const stop = stopOf(request, signal);
		for (;;) {
			history.attempts += 1;
			const startedAt = clock.now();
			try {
				return await next({ ...request, keyHeaders, history }, read);
			} catch (error) {
				const failure = toFailure(error);
				const { outcome } = failure;
				const mayRepeat = outcome && rule(outcome, request);
				const waitMs = mayRepeat ? (outcome.pause?.ms ?? retries.after(outcome)) : undefined;
				if (!outcome || waitMs === undefined) throw history.conclude(failure);
				history.sentAt ??= startedAt;
				if (clock.now() + waitMs > history.sentAt + RETRY_DEADLINE_MS) {
					throw history.conclude(unavailableFailure(failure, outcome.retryAfterMs, moment()));
				}
				history.add(failure);
				const wait = async () => await clock.sleep(waitMs, stop);
				if (!asksToWait(outcome)) {
					await wait();
					continue;
				}
				const back = aside();
				await ledger.waitForLimit(wait, waitMs).finally(back);
			}
		}
	};
}

/** Counts the failed attempts of a request, and says how long to wait before the next one. */
class Retries {
	private failures = 0;
	private waits = 0;

	constructor(
		private readonly limits: RequestOptions,
		private readonly random: Clock['random'],
	) {}

	/** @returns milliseconds to wait before the next attempt, or undefined when the limit is reached */
	after(outcome: Outcome): number | undefined {
		const { maxRetries = DEFAULT_MAX_RETRIES, maxRateLimitRetries = DEFAULT_MAX_RATE_LIMIT_RETRIES } =
			this.limits;
		const isWait = asksToWait(outcome);
		const count = isWait ? ++this.waits : ++this.failures;
		if (count > (isWait ? maxRateLimitRetries : maxRetries)) return undefined;
		return backOffMs(count, this.random, outcome.retryAfterMs);
	}
}

/**
 * Exponential back-off. The random part, half of the time more or less, keeps requests that failed together apart.
 *
 * @param attempt number of attempts so far, from 1
 * @param askedForMs delay that the answer asks for; the result is never shorter
 * @returns milliseconds to wait before the next attempt
 */
function backOffMs(attempt: number, random: Clock['random'], askedForMs = 0): number {
	const doubled = Math.min(MAX_BACK_OFF_MS, BASE_BACK_OFF_MS * 2 ** (attempt - 1));
	return Math.max(askedForMs, doubled * (0.5 + random()));
}
