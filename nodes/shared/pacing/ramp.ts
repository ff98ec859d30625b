/** How many requests are sent how far apart after how long a silence. */
const RAMP = { sends: 6, intervalMs: 1, afterSilenceMs: 60_000 };

/**
 * After an idle period, the first requests are sent a millisecond apart. If they exceed a limit, the first refusal then
 * arrives before the rest of the burst is sent.
 */
export class Ramp {
	private left = 0;
	private lastAt = Number.NEGATIVE_INFINITY;

	/** When the last request was sent, on the monotonic clock. */
	get lastSendAt(): number {
		return this.lastAt;
	}

	/** A request is being sent. @returns milliseconds until the next one */
	sent(now: number): number {
		if (now - this.lastAt > RAMP.afterSilenceMs) this.left = RAMP.sends;
		this.lastAt = now;
		return this.left-- > 0 ? RAMP.intervalMs : 0;
	}
}
