/** How many requests are sent how far apart after how long a silence. */
const RAMP = { sends: 6, intervalMs: 1, afterSilenceMs: 60_000 };

/** The first requests after a pause show whether it is over. They are so far apart that a refusal arrives before the rest. */
const PROBES = { sends: 4, intervalMs: 100 };

/**
 * After an idle period, the first requests are sent a millisecond apart. If they exceed a limit, the first refusal then
 * arrives before the rest of the burst is sent.
 */
export class Ramp {
	private left = 0;
	private probesLeft = 0;
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

	/** A pause begins. */
	pause(): void {
		this.probesLeft = PROBES.sends;
	}

	/** A request is being sent after a pause. @returns milliseconds until the next one */
	probed(): number {
		return this.probesLeft-- > 0 ? PROBES.intervalMs : 0;
	}
}
