import type { Lane } from '../limiter/lane';
import type { Pacer } from '../limiter/pacer';
import { FIRST_WIDTH } from '../limiter/width';
import { laneKeyOf } from './laneKey';
import type { GatewayRequest } from './request';

/** The lanes that a client sends its requests in. */
export class UsedLanes {
	private readonly lanes = new Set<Lane>();

	constructor(private readonly pacer: Pacer) {}

	/** Where requests like this one are paced. */
	of({ endpoint, json }: GatewayRequest): Lane {
		const lane = this.pacer.lane(laneKeyOf(endpoint, json), endpoint.widest);
		this.lanes.add(lane);
		return lane;
	}

	/** How many requests at once suit the gateway, as far as it is known, in all of these lanes. */
	get width(): number {
		if (this.lanes.size === 0) return FIRST_WIDTH;
		return [...this.lanes].reduce((sum, { width }) => sum + width.limit, 0);
	}
}
