import type { Clock } from './clock';

/** Permission to send one request, granted by `Pacer.acquire`. */
export interface SendSlot {
	/** When the request was sent, in milliseconds since the epoch. */
	readonly sentAt: number;
	/** Identifies the refusals that were known at that time: the requests of a burst are refused together and count once. */
	readonly epoch: number;
	refused: boolean;
}

/** Time windows in which gateways commonly count requests. */
const WINDOWS_MS = [1_000, 10_000, 60_000];

/** Share of the observed limit that is used, so that network jitter does not exceed it again. */
const SAFETY = { usual: 0.96, least: 0.7, step: 0.04 };

/** While nothing is refused, the rate increases regularly, by a larger step each time. */
const GROWTH_EVERY_MS = 10_000;
const GROWTH_STEP = 0.02;

/**
 * The rate that a gateway allows, learned from its 429 responses. When a request is refused, the number of requests
 * accepted in the preceding window is the limit. The window is one second, or longer when the gateway refuses requests
 * although nothing was accepted for several windows.
 */
export class LearnedRate {
	private readonly sentSlots: SendSlot[] = [];
	private perMs: number | undefined;
	private safety = SAFETY.usual;
	private lastGrowthAt = 0;
	private growths = 0;

	constructor(private readonly clock: Clock) {}

	/** Records a request that is being sent. */
	sent(slot: SendSlot): void {
		const oldest = slot.sentAt - WINDOWS_MS[WINDOWS_MS.length - 1];
		while (this.sentSlots.length > 0 && this.sentSlots[0].sentAt < oldest) this.sentSlots.shift();
		this.sentSlots.push(slot);
		this.grow();
	}

	/**
	 * Learns from a refusal.
	 *
	 * @param sentAt when the refused request was sent
	 * @param firstOfBurst whether it is the first of several requests that were refused together
	 */
	learn(sentAt: number, firstOfBurst: boolean): void {
		if (firstOfBurst && this.perMs !== undefined) {
			this.safety = Math.max(SAFETY.least, this.safety - SAFETY.step);
		}
		const window = WINDOWS_MS.find((length) => this.acceptedWithin(3 * length, sentAt) > 0);
		// Without accepted requests, a refusal reveals nothing about the rate.
		const accepted = window === undefined ? 0 : this.acceptedWithin(window, sentAt);
		if (window !== undefined && accepted > 0) this.perMs = (accepted / window) * this.safety;
		this.lastGrowthAt = this.clock.now();
		this.growths = 0;
	}

	/** Milliseconds between two requests; undefined while the rate is unknown. */
	get intervalMs(): number | undefined {
		return this.perMs === undefined ? undefined : 1 / this.perMs;
	}

	private acceptedWithin(milliseconds: number, end: number): number {
		return this.sentSlots.filter(
			({ refused, sentAt }) => !refused && sentAt > end - milliseconds && sentAt <= end,
		).length;
	}

	private grow(): void {
		if (this.perMs === undefined || this.clock.now() - this.lastGrowthAt < GROWTH_EVERY_MS) return;
		this.lastGrowthAt = this.clock.now();
		this.growths += 1;
		this.perMs *= 1 + GROWTH_STEP * this.growths;
		this.safety = Math.min(SAFETY.usual, this.safety + SAFETY.step / 2);
	}
}
