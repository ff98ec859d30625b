import type { SendSlot } from './slot';

/** A refusal lowers the rate to this share. The 0.7 of CUBIC would leave more of a limit unused; 0.9 follows a narrower gateway too slowly. */
const LOWERED = 0.85;

/** After so long, the rate is where it was. With half of it, twice as much is refused; with twice as much, fleets use less of a limit. */
const REGAINED_MS = 5_000;

/** A rate that is refused although it was cut to an eighth is not the reason, and one that has grown eightfold is not the limit. */
const MOST_CHANGE = 8;

/** How long the first rate is measured: a second, the unit of most limits. */
const SAMPLE_MS = 1_000;

/** The rate that a gateway accepts, learned from refusals as in CUBIC (RFC 9438) and the AWS SDKs' adaptive mode. */
export class Rate {
	/** What was sent in the {@link SAMPLE_MS} before the first cut; undefined while the rate is unbounded. */
	private sample: SendSlot[] | undefined;
	/** The rate before the last cut; undefined if that was the first one. */
	private maxPerMs: number | undefined;
	private cutAt = -Infinity;
	/** When sending goes on after the last cut. */
	private since = -Infinity;
	/** What was sent in the last {@link SAMPLE_MS}. */
	private recent: SendSlot[] = [];

	/** Requests per millisecond; infinite while the rate is unbounded. */
	perMs(now: number): number {
		if (!this.sample) return Infinity;
		const { maxPerMs = acceptedPerMs(this.sample) } = this;
		const progress = Math.max(0, now - this.since) / REGAINED_MS - 1;
		const change = 1 + (1 - LOWERED) * progress ** 3;
		return maxPerMs === 0 || change > MOST_CHANGE ? Infinity : change * maxPerMs;
	}

	sent(slot: SendSlot): void {
		this.recent = [...this.recent.filter(({ sentAt }) => sentAt > slot.sentAt - SAMPLE_MS), slot];
	}

	/** Lowers the rate after a refusal, once for everything that was sent before. @param since when sending goes on */
	cut({ sentAt }: SendSlot, now: number, since = now): void {
		if (sentAt < this.cutAt) return;
		const { sample } = this;
		const perMs = this.perMs(now);
		if (!sample || perMs === Infinity) [this.sample, this.maxPerMs] = [this.recent, undefined];
		else if (perMs < acceptedPerMs(sample) / MOST_CHANGE) this.sample = undefined;
		else this.maxPerMs = perMs;
		[this.cutAt, this.since] = [now, since];
	}
}

/** How much of a sample was accepted. Counted whenever it is needed, because some of it may still be refused. */
function acceptedPerMs(sample: SendSlot[]): number {
	return sample.filter(({ retryAfterMs }) => retryAfterMs === undefined).length / SAMPLE_MS;
}
