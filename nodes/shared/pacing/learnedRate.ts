import type { Clock } from './clock';
import type { SendSlot } from './sendSlot';

/** Time windows in which gateways commonly count requests. */
const WINDOWS_MS = [1_000, 10_000, 60_000];

/** Share of the observed limit that is used, so that network jitter does not exceed it again. */
const SAFETY = { usual: 0.96, least: 0.7, step: 0.04 };

/** While nothing is refused, the rate increases regularly, by a larger step each time. */
const GROWTH_EVERY_MS = 10_000;
const GROWTH_STEP = 0.02;

/** Among how many of the latest requests at most which share may be refused, if single requests are to blame. */
const UNDO = { of: 20, refused: 0.5 };

/**
 * A gateway that refuses again after so few accepted requests, although they were sent at a lower rate, refuses for
 * another reason. After some such refusals, the rate is not lowered further for a while.
 */
const FUTILE = { accepted: 10, refusals: 3, forMs: 60_000 };

/**
 * The rate that a gateway allows, learned from its 429 responses. When a request is refused, the number of requests
 * accepted in the preceding window is the limit. The window is one second, or longer when the gateway refuses requests
 * although nothing was accepted for several windows.
 */
export class LearnedRate {
	private readonly sentSlots: SendSlot[] = [];
	private perMs: number | undefined;
	private safety = SAFETY.usual;
	private before: { perMs: number | undefined; safety: number } = { perMs: undefined, safety: SAFETY.usual };
	private lessonAt = Number.NEGATIVE_INFINITY;
	private futileLessons = 0;
	private futileUntil = Number.NEGATIVE_INFINITY;
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
		if (firstOfBurst) this.noteLesson(sentAt);
		if (this.perMs !== undefined && this.clock.now() < this.futileUntil) return;
		if (firstOfBurst && this.perMs !== undefined) {
			this.safety = Math.max(SAFETY.least, this.safety - SAFETY.step);
		}
		const window = WINDOWS_MS.find((length) => this.acceptedWithin(3 * length, sentAt) > 0);
		// Without accepted requests, a refusal reveals nothing about the rate.
		const accepted = window === undefined ? 0 : this.acceptedWithin(window, sentAt);
		if (window !== undefined && accepted > 0) this.perMs = (accepted / window) * this.safety;
		// What seemed accepted had only not been refused yet.
		if (window === undefined && !firstOfBurst) this.perMs = this.before.perMs;
		this.lastGrowthAt = this.clock.now();
		this.growths = 0;
	}

	/** Notes whether slowing down has helped. */
	private noteLesson(sentAt: number): void {
		const accepted = this.sentSlots.filter(
			(slot) => !slot.refused && slot.sentAt > this.lessonAt && slot.sentAt <= sentAt,
		).length;
		// If nothing is accepted, the limit is for a longer window.
		if (accepted > 0) this.futileLessons = accepted < FUTILE.accepted ? this.futileLessons + 1 : 0;
		this.lessonAt = sentAt;
		if (this.futileLessons < FUTILE.refusals) return;
		this.futileLessons = 0;
		this.futileUntil = this.clock.now() + FUTILE.forMs;
	}

	/** Keeps the rate for {@link undo}. */
	remember(): void {
		this.before = { perMs: this.perMs, safety: this.safety };
	}

	/** Back to the rate before the last refusals, which turned out to have another reason. Not if many are refused. */
	undo(): void {
		const latest = this.sentSlots.slice(-UNDO.of);
		if (latest.filter(({ refused }) => refused).length > UNDO.refused * latest.length) return;
		this.perMs = this.before.perMs;
		this.safety = this.before.safety;
	}

	/** When the last refused request was sent from which the rate was learned. */
	get lastLessonAt(): number {
		return this.lessonAt;
	}

	/** Slows down a little, because a single request was refused, and was accepted later. */
	slowDown(): void {
		if (this.perMs === undefined) return;
		this.perMs *= 1 - SAFETY.step;
		this.lessonAt = this.clock.now();
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
