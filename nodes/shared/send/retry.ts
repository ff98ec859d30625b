import { toFailure } from '../errors/gatewayFailure';
import { type Moment, unavailableFailure } from '../errors/rateLimitFailure';
import type { Clock } from '../limiter/clock';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES, MAX_WAIT_MS } from '../limiter/lane';
import { backOffMs } from '../limiter/timing';
import { RETRY_DEADLINE_MS } from '../limiter/trouble';
import { History } from './history';
import type { Layer } from './layer';
import type { Ledger } from './ledger';
import { asksToWait, type Outcome } from '../errors/outcome';
import { type GatewayRequest, stopOf } from './request';
import { restAfterRefusal } from './restAfterRefusal';

/** How often a request is repeated when the user sets nothing else: for a few seconds, because failures often repeat themselves. */
export const DEFAULT_MAX_RETRIES = 3;

/** How often a request may be repeated. */
export interface RetryLimits {
	/** After a failure. Default: `DEFAULT_MAX_RETRIES`. */
	maxRetries?: number;
	/** When the gateway asks to wait. Default: `DEFAULT_MAX_RATE_LIMIT_RETRIES`. */
	maxRateLimitRetries?: number;
}

/** Never repeats a request. */
export const NO_RETRIES = { maxRetries: 0, maxRateLimitRetries: 0 } satisfies RetryLimits;
/** For somebody who waits in the editor. */
export const ONE_RETRY = { maxRetries: 1, maxRateLimitRetries: 1 } satisfies RetryLimits;

/** Which failed requests are sent again. */
export type RetryRule = (outcome: Outcome, request: GatewayRequest) => boolean;

/** What {@link retry} needs of the run. */
export interface RetrySettings {
	clock: Clock;
	ledger: Ledger;
	/** Ends every wait. */
	signal: AbortSignal | undefined;
	/** The current time and the time zone of the workflow. */
	moment: () => Moment;
	rule: RetryRule;
	/** The header with the idempotency key, which is the same whenever a request is sent again. */
	keyHeadersOf?: (request: GatewayRequest) => Record<string, string> | undefined;
}

/** Sends a request again as long as its failures and its limits allow it. */
export function retry({ clock, ledger, signal, moment, rule, keyHeadersOf }: RetrySettings): Layer {
	return (next) => async (request, read) => {
		const history = new History();
		const keyHeaders = keyHeadersOf?.(request);
		const retries = new Retries(request, clock);
		const stop = stopOf(request, signal);
		for (;;) {
			history.attempts += 1;
			const startedAt = clock.now();
			try {
				return await next({ ...request, keyHeaders, history }, read);
			} catch (error) {
				const failure = toFailure(error);
				const { outcome } = failure;
				const mayRepeat = outcome && rule(outcome, request) && !request.isFinal?.(failure);
				const waitMs = mayRepeat ? (outcome.pause?.ms ?? retries.after(outcome)) : undefined;
				if (!outcome || waitMs === undefined) throw history.conclude(failure);
				history.sentAt ??= startedAt;
				if (clock.now() + waitMs > history.sentAt + RETRY_DEADLINE_MS) {
					throw history.conclude(unavailableFailure(failure, outcome.retryAfterMs, moment()));
				}
				history.add(failure);
				await waitAfter(outcome, waitMs, request, stop);
			}
		}
	};

	/** Waits for the next attempt. After a refusal, something else can be sent meanwhile. */
	async function waitAfter(
		outcome: Outcome,
		waitMs: number,
		{ rest }: GatewayRequest,
		stop: AbortSignal | undefined,
	): Promise<void> {
		const sleep = async () => await clock.sleep(waitMs, stop);
		const { pause } = outcome;
		if (pause)
			await restAfterRefusal(
				{ clock, ledger },
				{ pauseMs: pause.ms, isAlone: pause.isAlone, rest, signal: stop },
			);
		else if (asksToWait(outcome)) await ledger.waitForLimit(sleep, waitMs);
		else await sleep();
	}
}

/** Counts the failed attempts of a request, and says how long to wait before the next one. */
class Retries {
	private failures = 0;
	private waits = 0;

	constructor(
		private readonly limits: RetryLimits,
		private readonly clock: Clock,
	) {}

	/** @returns milliseconds to wait before the next attempt, or undefined when the limit is reached */
	after(outcome: Outcome): number | undefined {
		const { maxRetries = DEFAULT_MAX_RETRIES, maxRateLimitRetries = DEFAULT_MAX_RATE_LIMIT_RETRIES } =
			this.limits;
		const isWait = asksToWait(outcome);
		const count = isWait ? ++this.waits : ++this.failures;
		if (count > (isWait ? maxRateLimitRetries : maxRetries)) return undefined;
		return Math.max(outcome.retryAfterMs ?? 0, backOffMs(count, MAX_WAIT_MS, this.clock));
	}
}
