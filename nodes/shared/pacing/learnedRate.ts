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

/** If refusals follow each other and nothing was accepted for so long, a long window is used up. */
const SILENCE_MS = 20_000;

/** Among how many of the latest requests at most which share may be refused, if single requests are to blame. */
const UNDO = { of: 20, refused: 0.5 };

/** Accepted requests in a window. */
interface Count {
	accepted: number;
	windowMs: number;
}

/**
 * The rate that a gateway allows this process, learned from its 429 responses. When a request is refused for the first
 * time, the number of requests accepted in the preceding window is the limit. The window is one second, or longer when
 * the gateway refuses requests although nothing was accepted for several windows. From then on, the rate is found as
 * {@link FleetShare} describes, because others may use the same limit.
 */
export class LearnedRate {
	private readonly sentSlots: SendSlot[] = [];
	private share: FleetShare | undefined;
	private wasKnown = false;
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

	/** A request was accepted, or refused. While a share is being found, each refusal counts. */
	answered(isAccepted: boolean): void {
		const { share, futility } = this;
		if (!share) return;
		const now = this.clock.now();
		if (share.isFinding(now) && !futility?.holds) {
			if (!isAccepted) share.refused(now, true);
			futility?.reset();
			return;
		}
		const better = futility?.answered(isAccepted, share.perMs(now), now);
		if (better !== undefined) share.setTo(better);
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
		const isLesson = firstOfBurst && sentAt > this.lessonAt;
		const somethingAccepted = this.acceptedSince(this.lessonAt, sentAt) > 0;
		if (isLesson) this.lessonAt = sentAt;
		const { share } = this;
		if (!share) this.measure(sentAt, retryAfterMs);
		else if (this.futility?.holds) return;
		else if (isLesson && !share.isFinding(now)) this.lower(share, sentAt, retryAfterMs, somethingAccepted);
		else if (!firstOfBurst && share.isNew(now)) {
			// The first of several refusals counted requests as accepted that had only not been refused yet.
			const count = this.countBefore(sentAt, retryAfterMs);
			if (count) share.limitTo(this.rateOf(count));
			else this.share = undefined;
		}
	}

	/** Learns from a single refusal, if a rate is known: without one, the request may be to blame. */
	learnMore(sentAt: number, retryAfterMs?: number): void {
		if (this.share) this.learn(sentAt, true, retryAfterMs);
	}

	/** Begins slowly, because something was accepted after pauses although the rate is unknown. */
	begin(perMs: number): void {
		this.share ??= new FleetShare(perMs, this.clock.now(), true);
	}

	/** Notes whether a rate is known, for {@link undo}. */
	remember(): void {
		this.wasKnown = this.share !== undefined;
	}

	/**
	 * The last refusals turned out to have another reason than a rate, so it is as unknown as before. Not if many are
	 * refused.
	 */
	undo(): void {
		const latest = this.sentSlots.slice(-UNDO.of);
		const refused = latest.filter((slot) => slot.refused).length;
		if (!this.wasKnown && refused <= UNDO.refused * latest.length) this.share = undefined;
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

	private measure(sentAt: number, retryAfterMs: number): void {
		const count = this.countBefore(sentAt, retryAfterMs);
		if (!count) return;
		if (retryAfterMs > LONGEST_ASKED * WINDOWS_MS[0]) this.countInWindow(count);
		this.share = new FleetShare(this.rateOf(count), this.clock.now());
		this.futility = new Futility(count.accepted / count.windowMs);
	}

	private lower(share: FleetShare, sentAt: number, retryAfterMs: number, somethingAccepted: boolean): void {
		const now = this.clock.now();
		if (somethingAccepted) this.longWindow?.refused(now);
		share.refused(now, somethingAccepted);
		const count = this.countBefore(sentAt, retryAfterMs);
		if (!count || count.accepted < COUNTABLE) return;
		if (count.windowMs === WINDOWS_MS[0]) return share.limitTo(this.rateOf(count));
		const isSilent = share.isBlind && this.acceptedSince(sentAt - SILENCE_MS, sentAt) === 0;
		if (!isSilent && retryAfterMs <= LONGEST_ASKED * WINDOWS_MS[0]) return;
		this.countInWindow(count);
		share.countedAs(this.rateOf(count), now);
	}

	/** The gateway counts in a long window. */
	private countInWindow({ accepted, windowMs }: Count): void {
		if (accepted < COUNTABLE || windowMs === WINDOWS_MS[0]) return;
		if (windowMs <= (this.longWindow?.milliseconds ?? 0)) return;
		this.longWindow = new LongWindow(windowMs, accepted);
		for (const slot of this.sentSlots) this.longWindow.add(slot);
	}

	/** Requests per millisecond. */
	private rateOf({ accepted, windowMs }: Count): number {
		return (accepted / windowMs) * (this.longWindow ? 1 : SAFETY);
	}

	/** What was accepted in the shortest window that says something; undefined if that is nothing. */
	private countBefore(sentAt: number, retryAfterMs: number): Count | undefined {
		const windowMs = WINDOWS_MS.find(
			(length) =>
				retryAfterMs <= LONGEST_ASKED * length && this.acceptedSince(sentAt - 3 * length, sentAt) > 0,
		);
		if (windowMs === undefined) return undefined;
		const accepted = this.acceptedSince(sentAt - windowMs, sentAt);
		return accepted === 0 ? undefined : { accepted, windowMs };
	}

	private acceptedSince(start: number, end: number): number {
		return this.sentSlots.filter(({ refused, sentAt }) => !refused && sentAt > start && sentAt <= end).length;
	}
}
