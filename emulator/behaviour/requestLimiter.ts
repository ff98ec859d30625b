import type { Limit } from './rule';

/** Counts the requests of one limit. */
export class RequestLimiter {
	private admitted: number[] = [];

	constructor(readonly limit: Limit) {}

	/** Milliseconds until the limit admits a request that arrives at `now` (ms); 0 for immediately. */
	waitMs(now: number): number {
		const { requests, perMs } = this.limit;
		if (requests === 0) return perMs;
		this.admitted = this.admitted.filter((time) => time > now - perMs);
		const oldestThatBlocks = this.admitted[this.admitted.length - requests];
		return oldestThatBlocks === undefined ? 0 : oldestThatBlocks + perMs - now;
	}

	/** Counts a request admitted at `now` (ms). */
	admit(now: number): void {
		this.admitted.push(now);
	}

	/** Returns the header that tells the client when to retry; empty if the limit sends none. */
	retryHeader(waitMs: number): Record<string, string> {
		switch (this.limit.retryAfter) {
			case 'seconds':
				return { 'retry-after': String(Math.ceil(waitMs / 1000)) };
			case 'ms':
				return { 'retry-after-ms': String(Math.ceil(waitMs)) };
			case 'none':
				return {};
		}
	}
}
