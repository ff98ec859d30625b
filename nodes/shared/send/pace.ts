import { cancelledFailure } from '../errors/errorMessages';
import { type GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { limitFailure, type Moment } from '../errors/rateLimitFailure';
import type { Lane } from '../limiter/lane';
import type { Pacer } from '../limiter/pacer';
import type { SendSlot } from '../limiter/slot';
import { RETRY_DEADLINE_MS } from '../limiter/trouble';
import type { Layer, Run } from './layer';
import { wasAdmitted } from '../errors/outcome';
import { type GatewayRequest, History, stopOf } from './request';
import type { RunLanes } from './lanes';

/** What {@link pace} needs of the run. */
export interface PaceSettings extends Run {
	pacer: Pacer;
	lanes: RunLanes;
	/** The current time and the time zone of the workflow. */
	moment: () => Moment;
}

/** Holds a request back until the gateway can take it, and learns from what becomes of it. */
export function pace({ pacer, lanes, clock, ledger, signal, moment }: PaceSettings): Layer {
	return (next) => async (request, read) => {
		const { history = new History() } = request;
		const lane = lanes.of(request);
		const paced = (history.paced ??= lanes.newRequest());
		const stop = stopOf(request, signal);
		const acquire = async () => await pacer.acquire(lane, paced, stop);
		const isLimited = pacer.isLimited(lane);
		const slot = await (isLimited
			? ledger.waitForLimit(acquire, lane.trouble.pauseMs(clock.now()))
			: acquire());
		if (!slot && stop?.aborted) throw cancelledFailure({ attempts: history.attempts - 1 });
		if (!slot) throw limitFailure(history.refusal, lane.trouble.limitEnd, moment());
		history.sentAt ??= slot.sentAt;
		ledger.sent(history.attempts);
		try {
			const value = await next(request, read);
			lane.accepted(slot, true);
			return value;
		} catch (error) {
			throw afterFailure(lane, slot, toFailure(error), request, history);
		}
	};

	function afterFailure(
		lane: Lane,
		slot: SendSlot,
		failure: GatewayFailure,
		{ maxRateLimitRetries }: GatewayRequest,
		{ sentAt = slot.sentAt }: History,
	): GatewayFailure {
		const { outcome } = failure;
		if (outcome?.kind !== 'refused') {
			if (outcome && wasAdmitted(outcome)) lane.accepted(slot, false);
			else lane.ended(slot);
			return failure;
		}
		const ms = lane.refused(slot, outcome.retryAfterMs);
		const isTooLong = clock.now() + ms > sentAt + RETRY_DEADLINE_MS;
		if (!isTooLong && lane.mayRetry(slot.request, maxRateLimitRetries)) {
			return failure.after({ ...outcome, pauseMs: ms });
		}
		return limitFailure(failure.facts, isTooLong ? clock.date() + ms : undefined, moment());
	}
}
