import type { SendSlot } from './slot';

/** A refusal lowers the rate to this share. The 0.7 of CUBIC would leave more of a limit unused; 0.9 follows a narrower gateway too slowly. */
const LOWERED = 0.85;

/** After so long, the rate is where it was. With half of it, twice as much is refused; with twice as much, fleets use less of a limit. */
const REGAINED_MS = 5_000;

/** A rate that is refused although it was cut to an eighth is not the reason, and one that has grown eightfold is not the limit. */
const MOST_CHANGE = 8;

/** The window in which the first rate is measured: the unit of most limits. */
const SECOND_MS = 1_000;

/** How the rate rises after a cut. */
interface Curve {
	/** The first rate, in requests per millisecond. */
	readonly first: () => number;
	/** The rate before the cut. */
	readonly max: () => number;
	/** When sending goes on after the cut. */
	readonly since: number;
}

/**
 * The rate at which a gateway accepts requests, learned from what it refuses: unbounded at first, then cut and regained
 * as in CUBIC (RFC 9438) and in the adaptive retry mode of the AWS SDKs.
 */
export class Rate {
	private curve: Curve | undefined;
	private cutAt = Number.NEGATIVE_INFINITY;
	/** What was sent in the last second. */
	private recent: SendSlot[] = [];

	/** Requests per millisecond; infinite while the rate is unbounded. */
	perMs(now: number): number {
		const max = this.curve?.max();
		if (!this.curve || !max) return Number.POSITIVE_INFINITY;
		const progress = Math.max(0, now - this.curve.since) / REGAINED_MS - 1;
		const change = 1 + (1 - LOWERED) * progress ** 3;
		return change > MOST_CHANGE ? Number.POSITIVE_INFINITY : change * max;
	}

	/** A request is being sent. */
	sent(slot: SendSlot): void {
		this.recent = this.recent.filter(({ sentAt }) => sentAt > slot.sentAt - SECOND_MS);
		this.recent.push(slot);
	}

	/** Lowers the rate after a refusal, once for everything that was sent before. @param since when sending goes on */
	cut({ sentAt }: SendSlot, now: number, since = now): void {
		if (sentAt < this.cutAt) return;
		this.cutAt = now;
		const { curve, recent } = this;
		const perMs = this.perMs(now);
		if (!curve || perMs === Number.POSITIVE_INFINITY) {
			// Counted again whenever it is needed, because some of it may still be refused.
			const accepted = () =>
				recent.filter(({ retryAfterMs }) => retryAfterMs === undefined).length / SECOND_MS;
			this.curve = { first: accepted, max: accepted, since };
		} else {
			const isReason = perMs >= curve.first() / MOST_CHANGE;
			this.curve = isReason ? { ...curve, max: () => perMs, since } : undefined;
		}
	}
}
