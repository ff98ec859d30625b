import type { SendSlot } from './slot';

/** How many requests are sent at once before anything is known (the initial window of TCP, RFC 6928). */
export const FIRST_WIDTH = 10;

/** How many times wider it becomes while latencies allow it. Doubling takes half as long again at an open gateway. */
const GROWTH = 3;

/** It grows while latency rises by less than this power of what is in flight: by less than 2.2 for three times as much. */
const FLAT = 0.7;

/** From how many answers a width is judged: enough to average, and few enough to grow at once. */
const JUDGED_BY = 6;

/** After how many windows of answers another width is tried, because gateways change. */
const HELD_FOR = 20;

/** How long answers took while so many requests were in flight. */
interface Load {
	latencyMs: number;
	inFlight: number;
}

/** Refusals that have made it narrower. */
interface Cut {
	/** The last refused slot. */
	number: number;
	/** The fewest in flight that were refused. */
	least: number;
	/** So many in flight would have been too many. */
	inFlight: number;
	at: number;
	/** How wide it was before. */
	width: number;
}

/**
 * How many requests at once suit the gateway. It grows as in TCP slow start, until latencies rise (the gradient of Netflix'
 * concurrency-limits; Little's law then says how many requests are being processed) or the gateway refuses more.
 */
export class Width {
	/** Counts how many times the width has changed. */
	round = 0;
	private width: number;
	private isGrowing = true;
	/** What the gateway has processed at once for certain. */
	private good = 0;
	/** What was measured before it grew. */
	private before: Load | undefined;
	private loads: Load[] = [];
	private cut: Cut | undefined;

	/** @param widest how many requests at once are never exceeded */
	constructor(private readonly widest: number) {
		this.width = Math.min(FIRST_WIDTH, widest);
	}

	/** How many requests may be in flight at once. */
	get limit(): number {
		return Math.max(1, Math.floor(this.width));
	}

	/** Whether the gateway has refused more requests at once, so that a number that the user has set is limited as well. */
	get isCut(): boolean {
		return this.cut !== undefined;
	}

	/** A request was admitted. @param together how many requests have been admitted and are in flight */
	admitted(slot: SendSlot, together: number): void {
		this.good = Math.max(this.good, together);
		const { cut } = this;
		if (!cut || slot.number < cut.number || slot.inFlight < cut.inFlight) return;
		// As many are accepted as were refused, so the cut had another reason (Eifel detection, RFC 3522).
		this.cut = undefined;
		this.change(Math.max(this.width, cut.width), true);
	}

	/** A request was answered. */
	answered({ round, inFlight }: SendSlot, latencyMs: number): void {
		if (round !== this.round || (this.isGrowing && inFlight < this.limit / 2)) return;
		// Latencies are compared as ratios, and a clock may show none.
		this.loads.push({ latencyMs: Math.max(1, latencyMs), inFlight });
		const { length } = this.loads;
		if (this.isGrowing && length >= Math.max(JUDGED_BY, this.limit / GROWTH)) this.judge(mean(this.loads));
		else if (!this.isGrowing && length >= HELD_FOR * this.limit) this.tryAnother();
	}

	/**
	 * A request was refused.
	 *
	 * @param others how many requests are still in flight
	 * @returns whether this is because too many were in flight; then fewer are sent from now on
	 */
	refused({ sentAt, number, inFlight }: SendSlot, others: number, now: number): boolean {
		const { cut } = this;
		// What was sent before a cut belongs to it.
		const isSameBurst = cut !== undefined && sentAt < cut.at;
		if (!isSameBurst && (inFlight <= this.good || others === 0)) return false;
		const least = isSameBurst ? Math.min(cut.least, inFlight) : inFlight;
		const next = Math.max(least - 1, others);
		const before = isSameBurst ? cut.width : cut ? inFlight : this.width;
		this.cut = { number, least, inFlight: next + 1, at: now, width: before };
		this.change(next, false);
		return true;
	}

	private judge(load: Load): void {
		const before = this.before ?? load;
		const slower = load.latencyMs / before.latencyMs;
		if (slower <= (load.inFlight / before.inFlight) ** FLAT) {
			this.good = Math.max(this.good, this.limit);
			this.before = load;
			this.change(GROWTH * this.width, this.width < this.widest);
		} else {
			this.change(Math.max(this.good, load.inFlight / slower), false);
		}
	}

	private tryAnother(): void {
		this.before = undefined;
		this.change(this.isCut ? this.width + 1 : this.width / GROWTH, true);
	}

	private change(width: number, isGrowing: boolean): void {
		this.width = Math.max(1, Math.min(width, this.widest));
		this.isGrowing = isGrowing;
		this.round += 1;
		this.loads = [];
	}
}

function mean(loads: Load[]): Load {
	const sum = (one: keyof Load) => loads.reduce((total, load) => total + load[one], 0);
	return { latencyMs: sum('latencyMs') / loads.length, inFlight: sum('inFlight') / loads.length };
}
