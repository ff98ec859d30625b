import type { Lane } from '../limiter/lane';
import type { Pacer } from '../limiter/pacer';
import { PacedRequest, type RunWidth } from '../limiter/slot';
import { FIRST_WIDTH } from '../limiter/width';
import { asRecord } from '../plain/values';
import type { Endpoint } from './endpoints';
import type { GatewayRequest } from './request';

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
	private readonly run: RunWidth | undefined;

	/** @param most requests of the run that may be in progress at once; undefined for as many as the gateway can handle */
	constructor(
		private readonly pacer: Pacer,
		private readonly most: number | undefined,
	) {
		this.run = most === undefined ? undefined : { most, inFlight: 0 };
	}

	/** Where requests like this one are paced. */
	of({ endpoint, json }: Pick<GatewayRequest, 'endpoint' | 'json'>): Lane {
		const lane = this.pacer.lane(laneKeyOf(endpoint, json), endpoint.widest);
		this.lanes.add(lane);
		return lane;
	}

	/** A request that was not sent yet, as its lane knows it. */
	newRequest(): PacedRequest {
		return new PacedRequest(this.run);
	}

	/** How many requests the run may have in progress at the moment, as far as it is known. */
	get width(): number {
		if (this.most !== undefined) return this.most;
		if (this.lanes.size === 0) return FIRST_WIDTH;
		return [...this.lanes].reduce((sum, { width }) => sum + width.limit, 0);
	}
}
