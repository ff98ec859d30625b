import type { SendSlot } from './sendSlot';

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

/** The latency of requests while so many were in flight. */
interface Load {
	latencyMs: number;
	inFlight: number;
}

/**
 * How many requests at once suit the gateway. It grows as in TCP slow start, until latencies rise (the gradient of Netflix'
 * concurrency-limits; Little's law then says how many requests are being processed) or the gateway refuses more.
 */
export class Width {
	private width: number;
	private isGrowing = true;
	/** What the gateway has processed at once for certain. */
	private good = 0;
	private round = 0;
	/** What was measured before it grew. */
	private before: Load | undefined;
	private loads: Load[] = [];
	private first: Load[] = [];
	private answersHeld = 0;
	/** The last refusal that made it narrower. */
	private cut: { number: number; inFlight: number; at: number; width: number } | undefined;

	/** @param widest how many requests at once are never exceeded */
	constructor(private readonly widest: number) {
		this.width = Math.min(FIRST_WIDTH, widest);
	}

	/** How many requests may be in flight at once. */
	get limit(): number {
		return Math.max(1, Math.floor(this.width));
	}

	/** Counts the judgements. */
	get currentRound(): number {
		return this.round;
	}

	/** Whether so many requests in flight are more than the gateway has processed since it refused some. */
	isTrial(inFlight: number): boolean {
		return this.cut !== undefined && inFlight > this.good;
	}

	/** A request was admitted. @param together how many requests have been admitted and are in flight */
	admitted(slot: SendSlot, together: number): void {
		this.good = Math.max(this.good, together);
		const { cut } = this;
		if (!cut || slot.number < cut.number || slot.inFlight < cut.inFlight) return;
		// As many are accepted as were refused, so the cut was for nothing (Eifel detection, RFC 3522).
		this.cut = undefined;
		this.next(Math.max(this.width, cut.width), true);
	}

	/** A request was answered. */
	answered({ round, inFlight }: SendSlot, latencyMs: number): void {
		if (round !== this.round) return;
		if (!this.isGrowing) {
			this.answersHeld += 1;
			if (this.answersHeld >= Math.max(10 * JUDGED_BY, HELD_FOR * this.limit)) this.tryAgain();
			return;
		}
		if (inFlight < this.limit / 2) {
			if (round === 0) this.first.push({ latencyMs, inFlight });
			return;
		}
		this.loads.push({ latencyMs, inFlight });
		if (this.loads.length >= Math.max(JUDGED_BY, this.limit / GROWTH)) this.judge(mean(this.loads));
	}

	/**
	 * A request was refused.
	 *
	 * @param others how many requests are still in flight
	 * @returns whether this is because too many were in flight; then fewer are sent from now on
	 */
	refused({ sentAt, number, inFlight }: SendSlot, others: number, now: number): boolean {
		const { cut } = this;
		if (cut && sentAt < cut.at) {
			if (inFlight < cut.inFlight) return false;
			this.hold(Math.max(cut.inFlight - 1, others));
			return true;
		}
		if (inFlight <= this.good || others === 0) return false;
		this.cut = { number, inFlight, at: now, width: cut ? inFlight : this.width };
		this.hold(Math.max(inFlight - 1, others));
		return true;
	}

	private judge(load: Load): void {
		const before = this.before ?? (this.first.length > 0 ? mean(this.first) : load);
		const slower = load.latencyMs / before.latencyMs;
		const fuller = load.inFlight / before.inFlight;
		if (slower <= fuller ** FLAT) {
			this.good = Math.max(this.good, this.limit);
			this.before = load;
			this.next(GROWTH * this.width, this.width < this.widest);
		} else {
			this.hold(Math.max(this.good, (1.25 * load.inFlight) / slower));
		}
	}

	private tryAgain(): void {
		if (this.cut) this.next(this.width + 1, true);
		else {
			this.before = undefined;
			this.first = [];
			this.next(Math.max(1, this.width / GROWTH), true);
		}
	}

	private hold(width: number): void {
		this.next(width, false);
	}

	private next(width: number, isGrowing: boolean): void {
		this.width = Math.max(1, Math.min(width, this.widest));
		this.isGrowing = isGrowing;
		this.round += 1;
		this.loads = [];
		this.answersHeld = 0;
	}
}

function mean(loads: Load[]): Load {
	const sum = (one: keyof Load) => loads.reduce((total, load) => total + load[one], 0);
	return { latencyMs: sum('latencyMs') / loads.length, inFlight: sum('inFlight') / loads.length };
}
