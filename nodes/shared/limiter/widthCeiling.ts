/** After how many accepted requests one more than the ceiling is tried; each time, after twice as many. */
const TRY_AGAIN = { after: 16, most: 4096 };

/** How fast the ceiling rises once more than it was accepted. */
const RISE = 1.25;

/** How much longer than the slowest refusal so far another one may take. */
const REFUSAL_MARGIN = 1.5;

/**
 * What is refused although as much was processed before may be due to a gateway that has become narrower. So many times in
 * a row, this is tried; above this width.
 */
const NARROWER = { inARow: 3, times: 3, above: 4 };

/** A refused request. */
interface Refused {
	/** Counts what is sent. */
	readonly number: number;
	/** How many requests were in progress, including itself. */
	readonly inProgress: number;
	/** On the monotonic clock. */
	readonly sentAt: number;
}

/** How many requests at once a gateway has refused, and how many it has been seen to process. */
export class WidthCeiling {
	private height = Number.POSITIVE_INFINITY;
	private refusedAbove = Number.POSITIVE_INFINITY;
	private seenTogether = 0;
	private acceptedSinceCut = 0;
	private tryAgainAfter = TRY_AGAIN.after;
	private slowestRefusalMs: number | undefined;
	private cutAt = Number.NEGATIVE_INFINITY;
	private lastRefused = Number.NaN;
	private inARow = 0;
	private narrowings = 0;
	private beforeNarrowing = Number.POSITIVE_INFINITY;

	/** The most that may be in progress at once; infinite while nothing was refused. */
	get highest(): number {
		return this.height;
	}

	/** How many requests the gateway has processed at once for certain. */
	get proven(): number {
		return this.seenTogether;
	}

	/** When it was last found too high, on the monotonic clock. */
	get changedAt(): number {
		return this.cutAt;
	}

	/** After so many milliseconds, a request would have been refused; infinite while that is unknown. */
	get refusalMs(): number {
		return REFUSAL_MARGIN * (this.slowestRefusalMs ?? Number.POSITIVE_INFINITY);
	}

	/**
	 * A request was accepted.
	 *
	 * @param together how many requests were in progress for long enough to be accepted as well
	 * @param width how many requests are allowed at once
	 * @returns whether the ceiling has risen
	 */
	accepted(together: number, width: number): boolean {
		this.seenTogether = Math.max(this.seenTogether, together);
		this.acceptedSinceCut += 1;
		if (this.acceptedSinceCut >= 2 * width) this.narrowings = 0;
		if (width < this.height) return false;
		if (together > this.refusedAbove) {
			this.tryAgainAfter = TRY_AGAIN.after;
			this.refusedAbove = this.height;
			this.height = Math.ceil(this.height * RISE);
			return true;
		}
		if (this.acceptedSinceCut < Math.max(this.tryAgainAfter, 2 * width)) return false;
		this.acceptedSinceCut = 0;
		this.tryAgainAfter = Math.min(TRY_AGAIN.most, 2 * this.tryAgainAfter);
		this.height += 1;
		return true;
	}

	/**
	 * A request was refused.
	 *
	 * @param isAsked whether the gateway says how long to wait, as it does for rates
	 * @returns how many requests to allow at once; undefined if their number is not the reason
	 */
	refused(request: Refused, now: number, isAsked: boolean): number | undefined {
		const { inProgress, sentAt, number } = request;
		this.slowestRefusalMs = Math.max(now - sentAt, this.slowestRefusalMs ?? 0);
		this.inARow = number === this.lastRefused + 1 ? this.inARow + 1 : 1;
		this.lastRefused = number;
		// What was sent since the last cut, under it, shows that the number is not the reason.
		const isUnderCut =
			sentAt >= this.cutAt && this.cutAt > Number.NEGATIVE_INFINITY && inProgress <= this.refusedAbove;
		if (inProgress > this.seenTogether && !(isUnderCut && this.inARow >= NARROWER.inARow)) {
			this.cut(request, now);
			return this.height;
		}
		if (sentAt < this.cutAt && this.narrowings > 0) return this.height;
		return isAsked || this.inARow < NARROWER.inARow ? undefined : this.narrow(request, now);
	}

	/** As much was accepted before, so the gateway may have become narrower. */
	private narrow(request: Refused, now: number): number | undefined {
		if (request.inProgress <= NARROWER.above) return undefined;
		if (this.narrowings >= NARROWER.times) {
			this.height = this.beforeNarrowing;
			this.refusedAbove = this.height;
			return undefined;
		}
		if (this.narrowings === 0) this.beforeNarrowing = this.height;
		this.narrowings += 1;
		this.cut(request, now);
		this.seenTogether = 0;
		return request.inProgress / 2;
	}

	private cut({ inProgress, sentAt }: Refused, now: number): void {
		this.height = Math.max(1, Math.min(this.height, inProgress - 1));
		this.refusedAbove = this.height;
		this.seenTogether = Math.min(this.seenTogether, this.height);
		this.acceptedSinceCut = 0;
		if (sentAt >= this.cutAt) this.cutAt = now;
	}
}
