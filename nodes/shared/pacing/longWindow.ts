import type { SendSlot } from './sendSlot';

/** A window is a little longer here than at the gateway, because requests arrive at different speeds. */
const MARGIN = 1.01;

/** Share of what was accepted in a window before that is sent at once; then follow single requests. */
const SURE = 0.98;

/**
 * A limit that the gateway counts over many seconds. It may be used up at once, and is free again after the window, so
 * requests are counted in the same way here, rather than spread over the window.
 */
export class LongWindow {
	private sent: SendSlot[] = [];

	/**
	 * @param milliseconds length of the window
	 * @param sure how many requests were accepted in one
	 */
	constructor(
		readonly milliseconds: number,
		private sure: number,
	) {}

	/** Records a request. */
	add(slot: SendSlot): void {
		this.sent.push(slot);
	}

	/** How many requests fit into a window at this rate. */
	holds(perMs: number): number {
		return Math.max(1, Math.round(perMs * this.milliseconds));
	}

	/** A request was refused: no more than were accepted are sure. */
	refused(now: number): void {
		this.sure = this.taken(now);
	}

	/** Milliseconds until a request fits into the window. */
	waitMs(now: number, perMs: number): number {
		const most = this.holds(perMs);
		if (this.taken(now) < most) return 0;
		this.sure = Math.max(this.sure, most);
		return this.sent[this.sent.length - most].sentAt + MARGIN * this.milliseconds - now;
	}

	/** Milliseconds between two requests. */
	intervalMs(now: number, perMs: number): number {
		return this.taken(now) < Math.min(SURE * this.sure, this.holds(perMs)) ? 0 : 1 / perMs;
	}

	private taken(now: number): number {
		const start = now - MARGIN * this.milliseconds;
		this.sent = this.sent.filter(({ refused, sentAt }) => !refused && sentAt > start);
		return this.sent.length;
	}
}
