import type { SendSlot } from './slot';

/** The requests sent, and items run, at once before anything is known (the initial window of TCP, RFC 6928). */
export const FIRST_WIDTH = 10;

/** The factor by which the width grows, and shrinks before it tries again. Doubling would take half as long again. */
export const GROWTH = 3;

/** The width grows while latency rises by less than this power of what is in flight: 2.2 times for {@link GROWTH}. */
const FLAT = 0.7;

/** The fewest answers that a width is judged by: enough to average. A large width is judged by a part of itself. */
const JUDGED_BY = 6;

/** The answers per request of its width after which another width is tried, because gateways change. */
const HELD_FOR = 20;

/** The averages before any answer: the latency, and the number of requests in flight. */
const NO_LOAD = { answers: 0, latencyMs: 0, inFlight: 0 };

/** Limits the requests at once: before anything is known (`first`), and at any time (`widest`). */
export interface WidthBounds {
	readonly first?: number;
	readonly widest?: number;
}

/** Refusals that have made the width narrower. */
interface Cut {
	readonly number: number;
	/** The number of requests in flight that was too high. */
	readonly inFlight: number;
	readonly at: number;
	readonly width: number;
	/** The most requests in flight when a refused one was sent. */
	readonly most: number;
	/** The number of requests that were refused together. */
	readonly refusals: number;
}

/**
 * Finds how many requests at once suit the gateway. It grows as in TCP slow start, until latencies rise (the gradient
 * of Netflix's concurrency-limits; Little's law then tells how many are processed) or the gateway refuses more.
 */
export class Width {
	round = 0;
	private width: number;
	private isGrowing = true;
	/** The number of requests that the gateway has certainly processed at once. */
	private proven = 0;
	/** The means of the answers since the width changed, and of those before it grew. */
	private load = NO_LOAD;
	private before: typeof NO_LOAD | undefined;
	private cut: Cut | undefined;

	private readonly widest: number;

	constructor({ first = FIRST_WIDTH, widest = Infinity }: WidthBounds) {
		this.widest = widest;
		this.width = Math.min(first, widest);
	}

	get limit(): number {
		return Math.floor(this.width);
	}

	/** True if the gateway has refused more at once, so that a number set by the user is limited as well. */
	get isCut(): boolean {
		return this.cut !== undefined;
	}

	/**
	 * Records an admitted request. @param together how many admitted requests are in flight @returns how many earlier
	 * refusals turn out to have had another reason
	 */
	admitted(slot: SendSlot, together: number): number {
		this.proven = Math.max(this.proven, together);
		const { cut } = this;
		if (!cut || slot.number < cut.number || slot.inFlight < cut.inFlight) return 0;
		// As many are accepted as were refused, so the cut had another reason (Eifel detection, RFC 3522), like the next.
		this.cut = undefined;
		this.proven = Math.max(this.proven, cut.most);
		this.change(Math.max(this.width, cut.width), true);
		return cut.refusals;
	}

	/** Forgets what was proven: a gateway that refuses everything may process fewer at once than before. */
	reset(): void {
		this.proven = 0;
	}

	answered({ round, inFlight }: SendSlot, latencyMs: number): void {
		if (round !== this.round || (this.isGrowing && inFlight < this.limit / 2)) return;
		const answers = this.load.answers + 1;
		const mean = (before: number, next: number) => before + (next - before) / answers;
		// Latencies are compared as ratios, so one that the clock measures as 0 counts as 1.
		this.load = {
			answers,
			latencyMs: mean(this.load.latencyMs, Math.max(1, latencyMs)),
			inFlight: mean(this.load.inFlight, inFlight),
		};
		if (this.isGrowing && answers >= Math.max(JUDGED_BY, this.limit / GROWTH)) this.judge();
		if (!this.isGrowing && answers >= HELD_FOR * this.limit) {
			this.before = undefined;
			this.change(this.isCut ? this.width + 1 : this.width / GROWTH, true);
		}
	}

	/** Records a refusal. @param others the requests still in flight @returns whether it was due to too many at once */
	refused({ sentAt, number, inFlight }: SendSlot, others: number, now: number): boolean {
		const { cut } = this;
		// Requests sent before the cut were refused for the same reason as the one that caused it.
		const isSameBurst = cut !== undefined && sentAt < cut.at;
		if (!isSameBurst && (inFlight <= this.proven || others === 0)) return false;
		const next = Math.max((isSameBurst ? this.width : inFlight) - 1, others);
		const { width, refusals } = isSameBurst ? cut : { width: this.width, refusals: 0 };
		this.cut = {
			...{ number, inFlight: next + 1, at: now, width },
			most: Math.max(inFlight, cut?.most ?? 0),
			refusals: Math.max(refusals + 1, cut?.refusals ?? 0),
		};
		this.change(next, false);
		return true;
	}

	private judge(): void {
		const { load, before = load } = this;
		const slower = load.latencyMs / before.latencyMs;
		if (slower <= (load.inFlight / before.inFlight) ** FLAT) {
			this.proven = Math.max(this.proven, this.limit);
			this.before = load;
			this.change(GROWTH * this.width, this.width < this.widest);
		} else {
			this.change(Math.max(this.proven, load.inFlight / slower), false);
		}
	}

	private change(width: number, isGrowing: boolean): void {
		this.width = Math.max(1, Math.min(width, this.widest));
		this.isGrowing = isGrowing;
		this.round += 1;
		this.load = NO_LOAD;
	}
}
