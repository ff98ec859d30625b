import { cancelledFailure } from '../failure/words';
import { type GatewayFailure, toFailure } from '../failure/failure';
import { limitFailure } from '../failure/rateLimitFailure';
import type { Lane } from '../limiter/lane';
import type { Pacer } from '../limiter/pacer';
import { PacedRequest, type RunWidth, type SendSlot } from '../limiter/slot';
import { FIRST_WIDTH } from '../limiter/width';
import { asRecord } from '../plain/values';
import { type Endpoint, isPaid } from './endpoints';
import { RETRY_DEADLINE_MS } from '../limiter/clock';
import type { Layer, Run } from './layer';
import { type GatewayRequest, History } from './request';

/** Holds a request back until the gateway can take it, and learns from what becomes of it. */
export function pace({ clock, ledger, aside, moment }: Run, pacer: Pacer, lanes: RunLanes): Layer {
	return (next) => async (request, read) => {
		const { history = new History(), stop } = request;
		const lane = lanes.of(request);
		const paced = (history.paced ??= new PacedRequest(lanes.run, request.maxRateLimitRetries));
		const acquire = async () => await pacer.acquire(lane, paced, stop);
		const isLimited = pacer.isThrottled(lane);
		// A lane that is refused must not hold up what goes to others.
		const resume = lane.breaker.isTripped ? aside() : undefined;
		const slot = await (isLimited
			? ledger.waitForLimit(acquire, lane.breaker.pauseMs(clock.now()))
			: acquire());
		resume?.();
		if (!slot && stop?.aborted) throw cancelledFailure({ attempts: history.attempts - 1 });
		if (!slot) throw limitFailure(history.refusal, lane.breaker.limitEnd, moment());
		history.sentAt ??= slot.sentAt;
		ledger.sent(history.attempts, { model: modelOf(request), free: !isPaid(request.endpoint) });
		try {
			const value = await next(request, read);
			lane.accepted(slot);
			return value;
		} catch (error) {
			throw afterFailure(lane, slot, toFailure(error), history);
		}
	};

	function afterFailure(
		lane: Lane,
		slot: SendSlot,
		failure: GatewayFailure,
		{ sentAt = slot.sentAt }: History,
	): GatewayFailure {
		const { outcome } = failure;
		if (outcome?.kind !== 'refused') {
			// A server in trouble may not even have counted it.
			if ((outcome?.status ?? 500) < 500) lane.accepted(slot, false);
			else lane.ended(slot);
			return failure;
		}
		const ms = lane.refused(slot, outcome.retryAfterMs);
		const isTooLong = clock.now() + ms > sentAt + RETRY_DEADLINE_MS;
		if (!isTooLong && lane.mayRetry(slot.request)) {
			return failure.after({ ...outcome, pauseMs: ms });
		}
		// Whoever polls must know how long to wait.
		return limitFailure(failure.facts, isTooLong ? clock.date() + ms : undefined, moment()).after({
			...outcome,
			isFinal: true,
		});
	}
}

function modelOf({ endpoint, json }: GatewayRequest): string | undefined {
	const model = endpoint.model ?? asRecord(json)?.model;
	return typeof model === 'string' ? model : undefined;
}

/** Longer names are cut: they may be anything that an item contains. */
const MAX_LENGTH = 200;

/** What tells the rate limits of a gateway apart: the endpoint, and the model in the body if the path does not name it. */
export function laneKeyOf({ method, path, lane = path }: Endpoint, json: unknown): string {
	const model = asRecord(json)?.model;
	const key = `${method} ${lane}`;
	return (typeof model === 'string' ? `${key} ${model}` : key).slice(0, MAX_LENGTH);
}

/** The lanes that a run sends its requests in. */
export class RunLanes {
	private readonly lanes = new Set<Lane>();
	/** The number that the user has set. */
	readonly run: RunWidth | undefined;

	/** @param most requests of the run that may be in progress at once; undefined for as many as the gateway can handle */
	constructor(
		private readonly pacer: Pacer,
		most: number | undefined,
	) {
		this.run = most === undefined ? undefined : { most, inFlight: 0 };
	}

	of({ endpoint, json }: Pick<GatewayRequest, 'endpoint' | 'json'>): Lane {
		const lane = this.pacer.lane(laneKeyOf(endpoint, json), endpoint);
		this.lanes.add(lane);
		return lane;
	}

	/** How many requests the run may have in progress at the moment, as far as it is known. */
	get width(): number {
		if (this.run) return this.run.most;
		if (this.lanes.size === 0) return FIRST_WIDTH;
		return [...this.lanes].reduce((sum, { width }) => sum + width.limit, 0);
	}
}
