import { cancelledFailure, limitFailure } from '../failure/words';
import type { FailureFacts } from '../failure/evidence';
import { type GatewayFailure, toFailure } from '../failure/failure';
import type { Lane } from '../limiter/lane';
import type { Pacer } from '../limiter/pacer';
import { PacedRequest, type RunWidth, type SendSlot } from '../limiter/slot';
import { FIRST_WIDTH } from '../limiter/width';
import { asRecord } from '../plain/values';
import { type Endpoint, isPaid } from './endpoints';
import { RETRY_DEADLINE_MS } from '../limiter/clock';
import { type Layer, type Run, sleepAside, type GatewayRequest } from './layer';

/** Tracks one request for pacing. */
interface Turn {
	paced: PacedRequest;
	/** The time at which the request was first sent, on the monotonic clock. */
	firstSentAt: number | undefined;
	/** The end of its wait after a refusal, on the monotonic clock. */
	notBefore: number;
	/** True if a successful answer to its last attempt has begun. */
	hasAnswer: boolean;
	/** The words of the gateway in its last refusal. */
	refusal: FailureFacts;
}

/** Holds a request back until the gateway can take it, and learns from what becomes of it. */
export function pace(run: Run, lanes: RunLanes): Layer {
	const { clock, ledger, aside, moment } = run;
	const turns = new WeakMap<GatewayRequest, Turn>();
	return (next) => async (sending, read) => {
		const { request, attempts, stop } = sending;
		const lane = lanes.of(request);
		const turn = turnOf(request);
		const pauseMs = turn.notBefore - clock.now();
		if (pauseMs > 0) await sleepAside(run, pauseMs, stop);
		const acquire = async () => await lanes.pacer.acquire(lane, turn.paced, stop);
		const isLimited = lanes.pacer.isThrottled(lane);
		// A refused lane must not hold up the requests in other lanes.
		const back = lane.breaker.isTripped ? aside() : undefined;
		const slot = await (isLimited
			? ledger.waitForLimit(acquire, lane.breaker.pauseMs(clock.now()))
			: acquire());
		back?.();
		if (!slot && stop?.aborted) throw cancelledFailure({ attempts: attempts - 1 });
		if (!slot) throw limitFailure(turn.refusal, lane.breaker.limitEnd, moment());
		turn.firstSentAt ??= slot.sentAt;
		ledger.sent(attempts, { model: modelOf(request), free: !isPaid(request.endpoint) });
		turn.hasAnswer = false;
		try {
			const value = await next(sending, async (answer) => {
				turn.hasAnswer = true;
				return await read(answer);
			});
			lane.accepted(slot);
			return value;
		} catch (error) {
			throw afterFailure(lane, slot, toFailure(error), turn);
		}
	};

	function turnOf(request: GatewayRequest): Turn {
		const known = turns.get(request);
		if (known) return known;
		const turn: Turn = {
			paced: new PacedRequest(lanes.runWidth, request.maxRateLimitRetries),
			firstSentAt: undefined,
			notBefore: Number.NEGATIVE_INFINITY,
			hasAnswer: false,
			refusal: { status: 429, attempts: 0 },
		};
		turns.set(request, turn);
		return turn;
	}

	function afterFailure(lane: Lane, slot: SendSlot, failure: GatewayFailure, turn: Turn): GatewayFailure {
		const { kind, facts, verdict } = failure;
		if (kind !== 'rateLimit') {
			// A server in trouble may not even have counted the request.
			if ((turn.hasAnswer || facts.status !== undefined) && kind !== 'gateway') lane.accepted(slot, false);
			else lane.ended(slot);
			return failure;
		}
		const waitMs = lane.refused(slot, verdict.waitMs);
		// If work was done before the refusal, the layer above decides.
		if (verdict.again !== 'afterWait') return failure;
		turn.refusal = facts;
		const notBefore = clock.now() + waitMs;
		const isTooLong = notBefore > (turn.firstSentAt ?? 0) + RETRY_DEADLINE_MS;
		if (!isTooLong && lane.mayRetry(turn.paced)) {
			turn.notBefore = notBefore;
			return failure.judged({ again: 'inTurn' });
		}
		// Code that polls must know how long to wait.
		const end = isTooLong ? clock.date() + waitMs : undefined;
		return limitFailure(facts, end, moment()).judged({ waitMs: verdict.waitMs });
	}
}

function modelOf({ endpoint, json }: GatewayRequest): string | undefined {
	const model = endpoint.model ?? asRecord(json)?.model;
	return typeof model === 'string' ? model : undefined;
}

/** Longer names are cut: they may be anything that an item contains. */
const MAX_LENGTH = 200;

/** Returns the key of a lane: the endpoint, and the model in the body if the path does not name one. */
export function laneKeyOf({ method, path, lane = path }: Endpoint, json: unknown): string {
	const model = asRecord(json)?.model;
	const key = `${method} ${lane}`;
	return (typeof model === 'string' ? `${key} ${model}` : key).slice(0, MAX_LENGTH);
}

/** As many as browsers load from one host: more at once are hardly faster, and each needs memory. */
const MOST_DOWNLOADS = 6;

/** The lanes that a run sends its requests in. */
export class RunLanes {
	private readonly lanes = new Set<Lane>();
	/** The user's limit of requests at once, if there is one. */
	readonly runWidth: RunWidth | undefined;

	/** @param most requests of the run that may be in progress at once; undefined for as many as the gateway can handle */
	constructor(
		readonly pacer: Pacer,
		most: number | undefined,
	) {
		this.runWidth = most === undefined ? undefined : { most, inFlight: 0 };
	}

	of({ endpoint, json }: Pick<GatewayRequest, 'endpoint' | 'json'>): Lane {
		const lane = this.pacer.lane(laneKeyOf(endpoint, json), endpoint);
		this.lanes.add(lane);
		return lane;
	}

	/** The number of requests that the run may have in progress at the moment, as far as it is known. */
	get width(): number {
		if (this.runWidth) return this.runWidth.most;
		if (this.lanes.size === 0) return FIRST_WIDTH;
		return [...this.lanes].reduce((sum, { width }) => sum + width.limit, 0);
	}

	/** The number of files that the run may download at once. */
	get downloads(): number {
		return this.runWidth?.most ?? Math.min(this.width, MOST_DOWNLOADS);
	}
}
