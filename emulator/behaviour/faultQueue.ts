import type { Fault } from './rule';

/** What decides whether a fault fits a request. */
export interface FaultTarget {
	/** Path and query. */
	url: string;
	bodyText: string;
	/** Whether the request asks for an event stream. */
	wantsStream: boolean;
	/** Whether the body is only about to arrive. */
	arriving?: boolean;
}

const needsStream = (fault: Fault) =>
	fault.kind === 'errorInStream' || ('afterEvents' in fault && fault.afterEvents !== undefined);

/** The faults of one rule, with their remaining counts. */
export class FaultQueue {
	private readonly pending: Array<{ fault: Fault; toSkip: number; left: number }>;

	constructor(faults: readonly Fault[]) {
		this.pending = faults.map((fault) => ({
			fault,
			toSkip: fault.skip,
			left: fault.times === 'always' ? Infinity : fault.times,
		}));
	}

	/** The fault that hits this request, in the order of the queue; counts it as used. */
	next(target: FaultTarget): Fault | undefined {
		for (const entry of this.pending) {
			const { fault } = entry;
			if (entry.left === 0) continue;
			if ((fault.kind === 'cutUpload') !== (target.arriving ?? false)) continue;
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
