/** A refusal lowers the rate to this share. The 0.7 of CUBIC would leave more of a limit unused; 0.9 follows a narrower gateway too slowly. */
const LOWERED = 0.8;

/** After so many accepted requests, the rate is where it was: about one of them in 50 is then refused. */
const REGAINED_AFTER = 50;

/** It takes at least this long, or a fleet of processes would leave nothing to the ones that come later. */
const REGAINED_MS = 5_000;

/** A rate that is still refused after it was lowered to this share of what was measured is not the reason. */
const LEAST_SHARE = 1 / 8;

/** How the rate rises after a cut. Replaced as a whole, so that a cut can be undone exactly. */
interface Curve {
	/** The rate before the cut, in requests per millisecond. */
	readonly maxPerMs: number;
	/** What was measured at first. */
	readonly measuredPerMs: number;
	/** How many requests were accepted since the cut. */
	accepted: number;
}

/**
 * The rate at which a gateway accepts requests, learned from what it refuses: unbounded at first, and cut and regained
 * as in CUBIC (RFC 9438; also the adaptive retry mode of the AWS SDKs).
 */
export class Rate {
	private curve: Curve | undefined;
	private cutAt = Number.NEGATIVE_INFINITY;
	/** When accepted requests were sent, as long as that may be less than a second ago. */
	private acceptedAt: number[] = [];

	/** Requests per millisecond; infinite while the rate is unbounded. */
	get perMs(): number {
		if (!this.curve) return Number.POSITIVE_INFINITY;
		const { maxPerMs, accepted } = this.curve;
		const progress = accepted / Math.max(REGAINED_AFTER, REGAINED_MS * maxPerMs) - 1;
		return maxPerMs * (1 + (1 - LOWERED) * progress ** 3);
	}

	get isBounded(): boolean {
		return this.curve !== undefined;
	}

	/** @param sentAt when an accepted request was sent */
	accepted(sentAt: number): void {
		while (this.acceptedAt[0] <= sentAt - 1_000) this.acceptedAt.shift();
		this.acceptedAt.push(sentAt);
		if (this.curve) this.curve.accepted += 1;
	}

	/**
	 * Lowers the rate after a refusal, once for all requests that were sent before. An unbounded rate begins at what was
	 * accepted in the second before; if that is nothing, it stays unbounded.
	 *
	 * @param sentAt when the refused request was sent
	 * @param inFlight when the requests in flight were sent that the gateway has not refused
	 * @returns a function that restores the exact rate before the cut; undefined if there was no cut
	 */
	cut(now: number, sentAt: number, inFlight: number[]): (() => void) | undefined {
		if (sentAt < this.cutAt) return undefined;
		const before = this.curve;
		const after = before ? this.lowered(before) : this.measured(sentAt, inFlight);
		if (!after && !before) return undefined;
		this.curve = after;
		this.cutAt = now;
		return () => {
			if (this.curve === after) this.curve = before;
		};
	}

	/** What restores the rate of this moment. */
	save(): () => void {
		const { curve } = this;
		return () => (this.curve = curve);
	}

	/** Nothing was sent for so long that the rate says nothing any more. */
	forget(): void {
		this.curve = undefined;
	}

	private measured(sentAt: number, inFlight: number[]): Curve | undefined {
		const accepted = [...this.acceptedAt, ...inFlight].filter(
			(at) => at > sentAt - 1_000 && at <= sentAt,
		).length;
		const maxPerMs = accepted / 1_000;
		return accepted === 0 ? undefined : { maxPerMs, measuredPerMs: maxPerMs, accepted: 0 };
	}

	private lowered({ measuredPerMs }: Curve): Curve | undefined {
		const maxPerMs = this.perMs;
		return maxPerMs < LEAST_SHARE * measuredPerMs ? undefined : { maxPerMs, measuredPerMs, accepted: 0 };
	}
}
