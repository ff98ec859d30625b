import type { SendSlot } from './slot';

/** A refusal lowers the rate to this share. The 0.7 of CUBIC would leave more of a limit unused; 0.9 follows a narrower gateway too slowly. */
const LOWERED = 0.85;

/** After so long, the rate is where it was. With half of it, twice as much is refused; with twice as much, fleets use less of a limit. */
const REGAINED_MS = 5_000;

/** And not before so many requests, because each cut costs a refusal: twenty processes would have a quarter of theirs refused. */
const REGAINED_AFTER = 16;

/** A rate that has grown so many times is not the limit. */
const MOST_GROWTH = 8;

/** A cut to less than this share that is refused nevertheless was for nothing; an exceeded rate is not refused any more. */
const USELESS = 1 / 2;

/** The number of requests that show whether the rate is exceeded. */
const WINDOW = 16;

/** So many of them refused show it (of a gateway that refuses 10 % at random, these are 1 in 60); half of them after useless cuts. */
const EXCEEDED = { first: 5, afterUselessCuts: WINDOW / 2 };

/** The time for which the first rate is measured: a second, the unit of most limits. */
const SAMPLE_MS = 1_000;

/**
 * The rate that a gateway accepts, learned from refusals as in CUBIC (RFC 9438) and the AWS SDKs' adaptive mode. Cuts that
 * change nothing are undone (Eifel, RFC 3522), because gateways with several upstreams refuse at random.
 */
export class Rate {
	/** Requests that were sent in the {@link SAMPLE_MS} before the first cut; undefined while the rate is unbounded. */
	private sample: SendSlot[] | undefined;
	/** The rate before the last cut; undefined if that was the first one. */
	private maxPerMs: number | undefined;
	private cutAt = -Infinity;
	/** When sending goes on after the last cut. */
	private since = -Infinity;
	/** Requests that were sent in the last {@link SAMPLE_MS}, and at least a {@link WINDOW}. */
	private readonly recent: SendSlot[] = [];
	private exceededBy = EXCEEDED.first;

	/** Requests per millisecond; infinite while the rate is unbounded. */
	perMs(now: number): number {
		if (!this.sample) return Infinity;
		const { maxPerMs = acceptedPerMs(this.sample) } = this;
		const progress = Math.max(0, now - this.since) / Math.max(REGAINED_MS, REGAINED_AFTER / maxPerMs) - 1;
		const change = 1 + (1 - LOWERED) * progress ** 3;
		return maxPerMs === 0 || change > MOST_GROWTH ? Infinity : change * maxPerMs;
	}

	sent(slot: SendSlot): void {
		const isRecent = ({ sentAt, number }: SendSlot) =>
			sentAt > slot.sentAt - SAMPLE_MS || number > slot.number - WINDOW;
		while (this.recent.length > 0 && !isRecent(this.recent[0])) this.recent.shift();
		this.recent.push(slot);
	}

	/** Tells whether an unbounded rate is the reason of a refusal, judged by what was sent up to it: refusals are faster than answers. */
	isExceeded({ number }: SendSlot): boolean {
		const isCounted = (slot: SendSlot) =>
			slot.isNew && slot.retryAfterMs !== undefined && slot.sentAt >= this.cutAt;
		const window = this.recent.filter((slot) => slot.number <= number && slot.number > number - WINDOW);
		return new Set(window.filter(isCounted).map(({ request }) => request)).size >= this.exceededBy;
	}

	/** Lowers the rate after a refusal, once for everything that was sent before. */
	cut({ sentAt }: SendSlot, now: number): void {
		if (sentAt < this.cutAt) return;
		const { sample } = this;
		const perMs = this.perMs(now);
		if (!sample || perMs === Infinity) {
			const lastSentAt = this.recent.at(-1)?.sentAt ?? now;
			this.sample = this.recent.filter((slot) => slot.sentAt > lastSentAt - SAMPLE_MS);
			this.maxPerMs = undefined;
		} else if (perMs < USELESS * acceptedPerMs(sample)) {
			this.sample = undefined;
			this.exceededBy = EXCEEDED.afterUselessCuts;
		} else this.maxPerMs = perMs;
		[this.cutAt, this.since] = [now, now];
	}

	/** Nothing is sent until then. */
	holdUntil(time: number): void {
		this.since = time;
	}
}

/** Counts how much of a sample was accepted. It is counted whenever it is needed, because some of it may still be refused. */
function acceptedPerMs(sample: SendSlot[]): number {
	return sample.filter(({ retryAfterMs }) => retryAfterMs === undefined).length / SAMPLE_MS;
}
