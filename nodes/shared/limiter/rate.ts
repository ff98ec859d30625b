import type { SendSlot } from './slot';

/** A refusal lowers the rate to this share. CUBIC's 0.7 wastes more of a limit; 0.9 is too slow for a narrower one. */
const LOWERED = 0.85;

/** The time until the rate is regained, in milliseconds. Half of it doubles refusals; with twice, fleets use less. */
const REGAINED_MS = 5_000;

/** The fewest requests until the rate is regained, because a cut costs one: twenty processes would lose a quarter. */
const REGAINED_AFTER = 16;

/** A rate that has grown by this factor is not the limit any more. */
const MOST_GROWTH = 8;

/** If requests are refused even below this share of the first rate, the rate is not the reason, so cuts are useless. */
const WITHOUT_EFFECT = 1 / 2;

/** The weight of a refusal, in admissions: if a sixth (after useless cuts, a third) is refused, that is no evidence. */
const EVIDENCE = { first: 5, afterCutsWithoutEffect: 2 };

/** The evidence of an exceeded rate: five refusals in a row, or twenty with four times as many admissions. */
const EXCEEDED = 25;

/** The time over which the first rate is measured, in milliseconds: a second, the unit of most limits. */
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
	/** The time at which sending resumes after the last cut. */
	private since = -Infinity;
	/** Requests that were sent in the last {@link SAMPLE_MS}. */
	private readonly recent: SendSlot[] = [];
	private evidence = 0;
	private weight = EVIDENCE.first;

	/** Requests per millisecond; infinite while the rate is unbounded. */
	perMs(now: number): number {
		if (!this.sample) return Infinity;
		const { maxPerMs = acceptedPerMs(this.sample) } = this;
		const progress = Math.max(0, now - this.since) / Math.max(REGAINED_MS, REGAINED_AFTER / maxPerMs) - 1;
		const change = 1 + (1 - LOWERED) * progress ** 3;
		return maxPerMs === 0 || change > MOST_GROWTH ? Infinity : change * maxPerMs;
	}

	sent(slot: SendSlot): void {
		while (this.recent.length > 0 && this.recent[0].sentAt <= slot.sentAt - SAMPLE_MS) this.recent.shift();
		this.recent.push(slot);
	}

	admitted(): void {
		this.evidence = Math.max(0, this.evidence - 1);
	}

	/** Counts a refusal. @returns whether an unbounded rate is the reason for refusals (a cumulative sum: Page, 1954) */
	isExceededAfterRefusal(): boolean {
		this.evidence += this.weight;
		return this.evidence >= EXCEEDED;
	}

	/** Lowers the rate after a refusal, once for everything that was sent before. */
	cut({ sentAt }: SendSlot, now: number): void {
		if (sentAt < this.cutAt) return;
		const { sample } = this;
		const perMs = this.perMs(now);
		if (!sample || perMs === Infinity) {
			this.sample = this.recent.filter((slot) => slot.sentAt >= this.since);
			this.maxPerMs = undefined;
		} else if (perMs < WITHOUT_EFFECT * acceptedPerMs(sample)) {
			this.sample = undefined;
			this.weight = EVIDENCE.afterCutsWithoutEffect;
		} else {
			// A rate that is refused before it is regained has to make room for others (fast convergence, RFC 9438).
			const { maxPerMs = acceptedPerMs(sample) } = this;
			this.maxPerMs = perMs < maxPerMs ? (perMs * (1 + LOWERED)) / 2 : perMs;
		}
		[this.cutAt, this.since, this.evidence] = [now, now, 0];
	}

	/** Notes that nothing is sent before a time, which is when the rate begins to grow again. */
	holdUntil(time: number): void {
		this.since = time;
	}
}

/** Returns the rate at which a sample was accepted. It is counted each time, because requests may still be refused. */
function acceptedPerMs(sample: SendSlot[]): number {
	return sample.filter(({ retryAfterMs }) => retryAfterMs === undefined).length / SAMPLE_MS;
}
