import type { Clock } from './clock';
import { FleetShare } from './fleetShare';
import { Futility } from './futility';
import { LongWindow } from './longWindow';
import type { SendSlot } from './sendSlot';

/** Time windows in which gateways commonly count requests. */
const WINDOWS_MS = [1_000, 10_000, 60_000];

/** Share of the observed limit that is used, so that network jitter does not exceed it again. */
const SAFETY = 0.96;

/** From so many accepted requests in a window, their number is a rate; fewer may be chance. */
const COUNTABLE = 10;

/** How many windows a gateway asks to wait at most; it rounds up to seconds, or doubles the time. */
const LONGEST_ASKED = 3;

/** Among how many of the latest requests at most which share may be refused, if single requests are to blame. */
const UNDO = { of: 20, refused: 0.5 };

/**
 * The rate that a gateway allows this process, learned from its 429 responses. When a request is refused for the first
 * time, the number of requests accepted in the preceding window is the limit. The window is one second, or longer when
 * the gateway refuses requests although nothing was accepted for several windows. From then on, the rate is found as
 * {@link FleetShare} describes, because others may use the same limit.
 */
export class LearnedRate {
	private readonly sentSlots: SendSlot[] = [];
	private share: FleetShare | undefined;
	private before: FleetShare | undefined;
	private lessonAt = Number.NEGATIVE_INFINITY;
	/** The window in which the gateway counts, if it is a long one. */
	private longWindow: LongWindow | undefined;
	private futility: Futility | undefined;

	constructor(private readonly clock: Clock) {}

	/** Records a request that is being sent. */
	sent(slot: SendSlot): void {
		const oldest = slot.sentAt - 1.05 * WINDOWS_MS[WINDOWS_MS.length - 1];
		while (this.sentSlots.length > 0 && this.sentSlots[0].sentAt < oldest) this.sentSlots.shift();
		this.sentSlots.push(slot);
		this.longWindow?.add(slot);
		this.share?.sent(this.clock.now());
		if (this.share?.isUnlimited) this.share = undefined;
	}

	/** A request was accepted, or refused. */
	answered(isAccepted: boolean): void {
		if (!this.share) return;
		const now = this.clock.now();
		if (this.share.isFinding(now) && !this.futility?.holds) {
			if (!isAccepted) this.share.refused(now, true);
			this.futility?.reset();
			return;
		}
		const better = this.futility?.answered(isAccepted, this.share.perMs(now), now);
		if (better !== undefined) this.share.setTo(better);
	}

	/**
	 * Learns from a refusal.
	 *
	 * @param sentAt when the refused request was sent
	 * @param firstOfBurst whether it is the first of several requests that were refused together
	 * @param retryAfterMs how long the gateway asks to wait: the window of its limit is no shorter
	 */
	learn(sentAt: number, firstOfBurst: boolean, retryAfterMs = 0): void {
		const now = this.clock.now();
		if (this.share && this.futility?.holds) {
			if (firstOfBurst) this.lessonAt = Math.max(this.lessonAt, sentAt);
			return;
		}
		const measured = this.measuredBefore(sentAt, retryAfterMs);
		if (this.share && !this.share.isFinding(now) && firstOfBurst && sentAt > this.lessonAt) {
			const somethingAccepted = this.acceptedSince(this.lessonAt, sentAt) > 0;
			if (somethingAccepted) this.longWindow?.refused(now);
			this.share.refused(now, somethingAccepted);
			const counted = this.countedBefore(sentAt, retryAfterMs);
			const isCertain = this.share.isBlind || retryAfterMs > LONGEST_ASKED * WINDOWS_MS[0];
			if (counted?.isLong && isCertain) {
				this.share.countedAs(counted.perMs, now);
				this.countInWindow(sentAt, retryAfterMs);
			} else if (counted && !counted.isLong) this.share.limitTo(counted.perMs);
		}
		if (!this.share && measured !== undefined) {
			if (retryAfterMs > LONGEST_ASKED * WINDOWS_MS[0]) this.countInWindow(sentAt, retryAfterMs);
			this.share = new FleetShare(measured * this.safety, now);
			this.futility = new Futility(measured);
		} else if (!firstOfBurst && this.share?.isNew(now)) {
			// The first of several refusals counted requests as accepted that had only not been refused yet.
			if (measured === undefined) this.share = this.before;
			else this.share.limitTo(measured * this.safety);
		}
		if (firstOfBurst) this.lessonAt = Math.max(this.lessonAt, sentAt);
	}

	/** Learns from a single refusal, if a rate is known: without one, the request may be to blame. */
	learnMore(sentAt: number, retryAfterMs?: number): void {
		if (this.share) this.learn(sentAt, true, retryAfterMs);
	}

	/** Begins slowly, because something was accepted after pauses although the rate is unknown. */
	begin(perMs: number): void {
		this.share ??= new FleetShare(perMs, this.clock.now(), true);
	}

	/** Keeps the rate for {@link undo}. */
	remember(): void {
		this.before = this.share?.copy();
	}

	/** Back to the rate before the last refusals, which turned out to have another reason. Not if many are refused. */
	undo(): void {
		const latest = this.sentSlots.slice(-UNDO.of);
		if (latest.filter(({ refused }) => refused).length > UNDO.refused * latest.length) return;
		if (!this.before) this.share = undefined;
	}

	/** When the last refused request was sent from which the rate was learned. */
	get lastLessonAt(): number {
		return this.lessonAt;
	}

	/** Milliseconds between two requests; undefined while the rate is unknown. */
	get intervalMs(): number | undefined {
		return this.share && 1 / this.share.perMs(this.clock.now());
	}

	/** The same, but all that fit into a long window may be sent at once. */
	get burstIntervalMs(): number | undefined {
		if (!this.share || !this.longWindow) return this.intervalMs;
		const now = this.clock.now();
		return this.longWindow.intervalMs(now, this.share.perMs(now));
	}

	/** Milliseconds until a request fits into the long window in which the gateway counts. */
	waitMs(now: number): number {
		return (this.share && this.longWindow?.waitMs(now, this.share.perMs(now))) ?? 0;
	}

	/** The gateway counts in a long window. */
	private countInWindow(sentAt: number, retryAfterMs: number): void {
		const window = this.windowBefore(sentAt, retryAfterMs);
		if (window === undefined || window <= (this.longWindow?.milliseconds ?? 0)) return;
		this.longWindow = new LongWindow(window, this.acceptedSince(sentAt - window, sentAt));
		for (const slot of this.sentSlots) this.longWindow.add(slot);
	}

	private get safety(): number {
		return this.longWindow ? 1 : SAFETY;
	}

	/** Requests per millisecond that were accepted, in the shortest window that says something. */
	private measuredBefore(sentAt: number, retryAfterMs: number): number | undefined {
		const window = this.windowBefore(sentAt, retryAfterMs);
		const accepted = window === undefined ? 0 : this.acceptedSince(sentAt - window, sentAt);
		return window === undefined || accepted === 0 ? undefined : accepted / window;
	}

	/** The rate that these were, if there were enough of them to be sure, and whether their window is a long one. */
	private countedBefore(
		sentAt: number,
		retryAfterMs: number,
	): { perMs: number; isLong: boolean } | undefined {
		const window = this.windowBefore(sentAt, retryAfterMs);
		const accepted = window === undefined ? 0 : this.acceptedSince(sentAt - window, sentAt);
		if (window === undefined || accepted < COUNTABLE) return undefined;
		return { perMs: (accepted / window) * (window > WINDOWS_MS[0] ? 1 : SAFETY), isLong: window > WINDOWS_MS[0] };
	}

	private windowBefore(sentAt: number, retryAfterMs: number): number | undefined {
		return WINDOWS_MS.find(
			(length) =>
				retryAfterMs <= LONGEST_ASKED * length && this.acceptedSince(sentAt - 3 * length, sentAt) > 0,
		);
	}

	private acceptedSince(start: number, end: number): number {
		return this.sentSlots.filter(({ refused, sentAt }) => !refused && sentAt > start && sentAt <= end).length;
	}
}
