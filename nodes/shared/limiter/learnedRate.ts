import type { Clock } from './clock';
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

/** A refusal lowers the rate to this share, and each request raises it by a thousandth. */
const LOWERED = 0.9;
const RAISED = 1.001;

/** Refusals alone lower it no further than to this share of the last measurement: they may have another reason. */
const LEAST = 0.1;

/** From so many refusals in a row without success, a long window may be used up. */
const MANY_REFUSALS = 5;

/** Accepted requests in a window. */
interface Count {
	accepted: number;
	windowMs: number;
}

/**
 * The rate that a gateway allows this process, learned from its 429 responses. When a request is refused for the first
 * time, the number of requests accepted in the preceding window is the limit. The window is one second, or longer when
 * the gateway refuses requests although nothing was accepted for several windows. From then on, each refusal lowers the
 * rate, and requests raise it again, because limits change, and others may use them too.
 */
export class LearnedRate {
	private readonly sentSlots: SendSlot[] = [];
	/** Requests per millisecond; undefined while the rate is unknown. */
	private perMs: number | undefined;
	/** The last measurement, and when the first one was made. */
	private measured = 0;
	private measuredAt = Number.NEGATIVE_INFINITY;
	/** How many refusals followed each other without success. */
	private refusalsInARow = 0;
	private wasKnown = false;
	private lessonAt = Number.NEGATIVE_INFINITY;

	constructor(private readonly clock: Clock) {}

	/** Records a request that is being sent. */
	sent(slot: SendSlot): void {
		const oldest = slot.sentAt - 1.05 * WINDOWS_MS[WINDOWS_MS.length - 1];
		while (this.sentSlots.length > 0 && this.sentSlots[0].sentAt < oldest) this.sentSlots.shift();
		this.sentSlots.push(slot);
		if (this.perMs === undefined) return;
		this.perMs *= RAISED;
	}

	/**
	 * Learns from a refusal.
	 *
	 * @param sentAt when the refused request was sent
	 * @param firstOfBurst whether it is the first of several requests that were refused together
	 * @param retryAfterMs how long the gateway asks to wait: the window of its limit is no shorter
	 */
	learn(sentAt: number, firstOfBurst: boolean, retryAfterMs = 0): void {
		const isLesson = firstOfBurst && sentAt > this.lessonAt;
		const somethingAccepted = this.acceptedSince(this.lessonAt, sentAt) > 0;
		if (isLesson) this.lessonAt = sentAt;
		if (this.perMs === undefined) this.measure(sentAt, retryAfterMs);
		else if (isLesson) this.lower(this.perMs, sentAt, retryAfterMs, somethingAccepted);
		else if (!firstOfBurst && this.measuredAt === this.clock.now()) {
			// The first of several refusals counted requests as accepted that had only not been refused yet.
			const count = this.countBefore(sentAt, retryAfterMs);
			this.perMs = count && Math.min(this.perMs, this.rateOf(count));
		}
	}

	/** Learns from a single refusal, if a rate is known: without one, the request may be to blame. */
	learnMore(sentAt: number, retryAfterMs?: number): void {
		if (this.perMs !== undefined) this.learn(sentAt, true, retryAfterMs);
	}

	/** Notes whether a rate is known, for {@link undo}. */
	remember(): void {
		this.wasKnown = this.perMs !== undefined;
	}

	/**
	 * The last refusals turned out to have another reason than a rate, so it is as unknown as before. Not if many are
	 * refused.
	 */
	undo(): void {
		const latest = this.sentSlots.slice(-UNDO.of);
		const refused = latest.filter((slot) => slot.refused).length;
		if (!this.wasKnown && refused <= UNDO.refused * latest.length) this.perMs = undefined;
	}

	/** When the last refused request was sent from which the rate was learned. */
	get lastLessonAt(): number {
		return this.lessonAt;
	}

	/** Milliseconds between two requests; undefined while the rate is unknown. */
	get intervalMs(): number | undefined {
		return this.perMs && 1 / this.perMs;
	}

	private measure(sentAt: number, retryAfterMs: number): void {
		const count = this.countBefore(sentAt, retryAfterMs);
		if (!count) return;
		this.perMs = this.measured = this.rateOf(count);
		this.measuredAt = this.clock.now();
		this.refusalsInARow = 0;
	}

	private lower(perMs: number, sentAt: number, retryAfterMs: number, somethingAccepted: boolean): void {
		this.refusalsInARow = somethingAccepted ? 1 : this.refusalsInARow + 1;
		this.perMs = Math.max(LOWERED * perMs, Math.min(perMs, LEAST * this.measured));
		const count = this.countBefore(sentAt, retryAfterMs);
		if (!count || count.accepted < COUNTABLE) return;
		const isSecond = count.windowMs === WINDOWS_MS[0];
		const isSilent =
			this.refusalsInARow >= MANY_REFUSALS && this.acceptedSince(sentAt - SILENCE_MS, sentAt) === 0;
		const isAsked = retryAfterMs > LONGEST_ASKED * WINDOWS_MS[0];
		if (!isSecond && !isSilent && !isAsked) return;
		this.measured = this.rateOf(count);
		this.perMs = Math.min(this.perMs, this.measured);
	}

	/** Requests per millisecond. */
	private rateOf({ accepted, windowMs }: Count): number {
		return (accepted / windowMs) * SAFETY;
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
