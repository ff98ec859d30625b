/** How far a late timer may be made up for, so that rounding does not slow down a paced batch. */
const CATCH_UP_MS = 10;

/** Keeps requests apart. */
export class Spacing {
	private nextAt = Number.NEGATIVE_INFINITY;

	/** Milliseconds until the next request. */
	waitMs(now: number): number {
		return this.nextAt - now;
	}

	/** The next request has to wait for no longer than this. */
	shorten(now: number, intervalMs: number): void {
		this.nextAt = Math.min(this.nextAt, now + intervalMs);
	}

	/** @param intervalMs until the request after this one */
	sent(now: number, intervalMs: number): void {
		this.nextAt = Math.max(this.nextAt, now - Math.min(CATCH_UP_MS, intervalMs)) + intervalMs;
	}
}
