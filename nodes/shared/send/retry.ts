import { randomUUID } from 'crypto';
import { type GatewayFailure, toFailure } from '../failure/failure';
import { mayRepeat, paidFor } from '../failure/verdict';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../limiter/lane';
import { backOffMs, RETRY_DEADLINE_MS } from '../limiter/clock';
import { type Layer, type Run, sleepAside, type GatewayRequest, type RequestOptions } from './layer';
import { isPaid } from './endpoints';
import { amountsOf } from '../answer/usage';
import { eitherOf } from './timeLimits';

/** The default number of repetitions, which take a few seconds: failures often repeat themselves. */
export const DEFAULT_MAX_RETRIES = 3;

/** The limits of repetitions for somebody who waits in the editor. */
export const ONE_RETRY = { maxRetries: 1, maxRateLimitRetries: 1 } satisfies RequestOptions;

/** Sends a request again as long as its failures and its limits allow it. @param header for its idempotency key */
export function retry(run: Run, header = ''): Layer {
	return (next) => async (sending, read) => {
		const { request } = sending;
		const hasKey = header !== '' && isPaid(request.endpoint);
		const idempotencyHeader = hasKey
			? { name: header, value: request.idempotencyKey ?? randomUUID(), used: amountsOf({}) }
			: undefined;
		const repeatsUnclear = request.repeatsUnclear === true || hasKey;
		const stop = eitherOf(request.stop ?? run.signal, request.signal);
		const repetitions = new Repetitions(request, run);
		let earlier: GatewayFailure | undefined;
		let isAnswered = false;
		const noting: typeof read = async (answer) => {
			isAnswered = true;
			return await read(answer);
		};
		for (let attempts = 1; ; attempts++) {
			try {
				return await next({ ...sending, attempts, earlier, idempotencyHeader, stop }, noting);
			} catch (error) {
				// A layer with a fault does not know that an answer has arrived.
				const failure = isAnswered && isPaid(request.endpoint) ? paidFor(error) : toFailure(error);
				earlier = failure.after(earlier);
				const isRepeated = mayRepeat(failure, repeatsUnclear) && (await repetitions.next(failure, stop));
				if (!isRepeated) throw earlier;
			}
		}
	};
}

/** Decides how often and when a request is repeated. The limiter counts refusals that `pace` makes it wait for. */
class Repetitions {
	private readonly done = { afterWait: 0, soon: 0 };
	private endsAt: number | undefined;

	constructor(
		private readonly request: GatewayRequest,
		private readonly run: Run,
	) {}

	/** Waits until the request may be sent again. @returns whether it may */
	async next({ verdict }: GatewayFailure, stop: AbortSignal | undefined): Promise<boolean> {
		if (verdict.again === 'inTurn') return true;
		const { clock } = this.run;
		const { maxRetries = DEFAULT_MAX_RETRIES, maxRateLimitRetries = DEFAULT_MAX_RATE_LIMIT_RETRIES } =
			this.request;
		const asksToWait = verdict.again === 'afterWait';
		const count = asksToWait ? ++this.done.afterWait : ++this.done.soon;
		if (count > (asksToWait ? maxRateLimitRetries : maxRetries)) return false;
		const waitMs = Math.max(verdict.waitMs ?? 0, backOffMs(count, clock));
		this.endsAt ??= clock.now() + RETRY_DEADLINE_MS;
		if (clock.now() + waitMs > this.endsAt) return false;
		if (asksToWait) await sleepAside(this.run, waitMs, stop);
		else await clock.sleep(waitMs, stop);
		return true;
	}
}
