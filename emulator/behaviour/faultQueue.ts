import type { Fault } from './rule';

/** The properties of a request that determine which fault affects it. */
export interface FaultTarget {
	/** Path and query. */
	url: string;
	bodyText: string;
	/** True if the client requests an event stream. */
	wantsStream: boolean;
}

const needsStream = (fault: Fault) => 'afterEvents' in fault && fault.afterEvents !== undefined;

/** The faults of one rule with their remaining counts. */
export class FaultQueue {
	private readonly pending: Array<{ fault: Fault; toSkip: number; left: number }>;

	constructor(faults: readonly Fault[]) {
		this.pending = faults.map((fault) => ({
			fault,
			toSkip: fault.skip,
			left: fault.times === 'always' ? Infinity : fault.times,
		}));
	}

	/** Returns the first fault that applies to this request and counts it as used. */
	next(target: FaultTarget): Fault | undefined {
		for (const entry of this.pending) {
			const { fault } = entry;
			if (entry.left === 0) continue;
			if (needsStream(fault) && !target.wantsStream) continue;
			if (fault.when && !target.url.includes(fault.when) && !target.bodyText.includes(fault.when)) continue;
			if (entry.toSkip > 0) {
				entry.toSkip -= 1;
				continue;
			}
			entry.left -= 1;
			return fault;
		}
		return undefined;
	}
}
