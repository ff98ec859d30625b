import type { Clock } from './clock';

/** How long nothing is sent when a limit is exhausted. */
const LASTS_MS = 60_000;

/**
 * Whether a limit is exhausted for longer than any request waits, so that a request would only be refused. After a while,
 * single requests find out whether it still is.
 */
export class Exhaustion {
	private until = Number.NEGATIVE_INFINITY;
	private endsAt: number | undefined;

	constructor(private readonly clock: Clock) {}

	/** Whether nothing should be sent. */
	holds(now: number): boolean {
		return now < this.until;
	}

	/** When the limit ends, in milliseconds since the epoch; undefined if the gateway did not say so. */
	get limitEnd(): number | undefined {
		return this.endsAt;
	}

	/** @param endsInMs when the limit ends, if the gateway says so */
	begin(now: number, endsInMs?: number): void {
		this.until = now + LASTS_MS;
		this.endsAt = endsInMs === undefined ? undefined : this.clock.date() + endsInMs;
	}

	/** Something was accepted. */
	end(): void {
		this.until = Number.NEGATIVE_INFINITY;
	}
}
