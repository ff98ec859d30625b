/** Which share of requests is refused when a rate is right, by requests per second. Between them, it is interpolated. */
type Curve = ReadonlyArray<readonly [perSecond: number, refused: number]>;

/**
 * While a process finds its share, many refusals are accepted, because they tell how large it is: the smaller a rate is,
 * the more, so that shares become equal. Steps get smaller. In the end, the rate of the last seconds counts, without what
 * was refused.
 */
const FINDING = {
	forMs: 40_000,
	step: { from: 0.3, to: 0.075, withinMs: 10_000 },
	refused: [
		[0.25, 0.7],
		[1, 0.26],
		[3, 0.055],
		[10, 0.0125],
		[100, 0.0017],
	] as Curve,
	countsAfterMs: 35_000,
	kept: 0.86,
};

/** While it uses its share, few requests are refused. */
const USING = {
	step: 0.07,
	refused: [
		[0.4, 0.017],
		[3, 0.013],
		[30, 0.001],
		[300, 0.0006],
	] as Curve,
};

/** The refused share of about so many requests shows that a share must be found again, but not right after it was found. */
const DOUBT = { over: 15, from: 0.5, notWithinMs: 90_000 };

/** A rate that is refused so often soon after it was measured is not only this process's to use. */
const SHARED_AFTER = { refusals: 3, withinMs: 60_000, requests: 20 };

/** While it finds its share, it sends at least at this rate. */
const CURIOUS_PER_MS = 0.14 / 1_000;

/** Refusals alone do not lower it further: more patience helps nobody. */
const LEAST_PER_MS = 1 / 10_000;

/**
 * After so many refusals in a row without success, a long window may be used up. After some more, they say nothing new
 * about the rate.
 */
const BLIND = { from: 5, most: 4 };

/**
 * After about as many requests without a refusal as are usual between two, higher and higher rates are tried. Part of what
 * was tried is kept at the next refusal.
 */
const TRY = { from: 0.9, step: 0.6, most: 2.5, kept: 0.34 };

/** While it begins, the rate doubles with each request. */
const BEGIN = { factor: 2, back: 0.25, until: 1 };

/** What is noted while a share is found. */
interface Finding {
	readonly sinceMs: number;
	requests: number;
	refused: number;
	/** Sum of the logarithms of the rates. */
	rates: number;
}

/**
 * The share of a limit that a process uses, next to others that it knows nothing of. Refusals lower it in proportion, and
 * requests without one raise it, in such a way that few are refused when the sum of all shares is the limit, and that a
 * small share rises faster than a large one. If much is refused, it is found anew, together with the others.
 */
export class FleetShare {
	private streak = 0;
	private blindSteps = 0;
	private refusedShare = 0;
	private refusals = 0;
	private requests = 0;
	private finding: Finding | undefined;
	private usedSince: number;

	constructor(
		private base: number,
		private readonly createdAt: number,
		private begins = false,
	) {
		this.usedSince = createdAt;
	}

	/** Whether it was measured at this moment. */
	isNew(now: number): boolean {
		return now === this.createdAt;
	}

	/** Whether it has become so high that it limits nothing. */
	get isUnlimited(): boolean {
		return this.begins && this.base >= BEGIN.until;
	}

	/** Requests per millisecond. */
	perMs(now: number): number {
		this.endFinding(now);
		return this.finding ? Math.max(CURIOUS_PER_MS, this.base) : this.base * this.tried;
	}

	/** A request is sent, which is probably accepted. */
	sent(now: number): void {
		if (this.begins) {
			this.base *= BEGIN.factor;
			return;
		}
		this.endFinding(now);
		this.note(now, 0);
		this.base *= 1 + this.step(now) * this.usualRefusals;
		this.streak += 1;
		this.requests += 1;
		this.refusedShare -= this.refusedShare / DOUBT.over;
	}

	/** @param somethingAccepted whether anything was accepted since the refusal before */
	refused(now: number, somethingAccepted: boolean): void {
		if (this.begins) {
			this.begins = false;
			this.base *= BEGIN.back;
			this.find(now);
		}
		this.endFinding(now);
		this.note(now, 1);
		this.blindSteps = somethingAccepted ? 0 : this.blindSteps + 1;
		if (this.blindSteps <= BLIND.most) {
			const tried = this.finding ? 1 : this.tried ** TRY.kept;
			this.base = Math.max(this.base * tried * (1 - this.step(now)), Math.min(this.base, LEAST_PER_MS));
		}
		this.streak = 0;
		this.refusals += 1;
		this.refusedShare += 1 / DOUBT.over;
		if (!this.finding && this.isDoubtful(now)) this.find(now);
	}

	/** It is no higher than this. */
	limitTo(perMs: number): void {
		this.base = Math.min(this.base, perMs);
	}

	/** It was found in another way. */
	setTo(perMs: number): void {
		this.base = perMs;
		this.streak = 0;
	}

	/** Whether it is being found, so that each refusal counts. */
	isFinding(now: number): boolean {
		this.endFinding(now);
		return this.finding !== undefined;
	}

	/** Whether several refusals followed each other without success. */
	get isBlind(): boolean {
		return this.blindSteps >= BLIND.from;
	}

	/** It was counted over a long window, so there is no doubt. */
	countedAs(perMs: number, now: number): void {
		this.base = Math.min(this.base, perMs);
		this.use(now);
	}

	private isDoubtful(now: number): boolean {
		const { refusals, withinMs, requests } = SHARED_AFTER;
		if (this.refusals === refusals && now - this.createdAt < withinMs && this.requests < requests)
			return true;
		return this.refusedShare > DOUBT.from && now - this.usedSince > DOUBT.notWithinMs;
	}

	private find(now: number): void {
		this.finding = { sinceMs: now, requests: 0, refused: 0, rates: 0 };
	}

	private use(now: number): void {
		this.finding = undefined;
		this.usedSince = now;
		this.refusedShare = 0;
		this.streak = 0;
	}

	private note(now: number, refused: 0 | 1): void {
		const { finding } = this;
		if (!finding || now < finding.sinceMs + FINDING.countsAfterMs) return;
		finding.refused += refused;
		if (refused) return;
		finding.requests += 1;
		finding.rates += Math.log(this.base);
	}

	private endFinding(now: number): void {
		const { finding } = this;
		if (!finding || now < finding.sinceMs + FINDING.forMs) return;
		const { requests, refused, rates } = finding;
		const mean = requests > 0 ? Math.exp(rates / requests) : this.base;
		// Of very few requests, chance decides how many are refused.
		const accepted = 1 - Math.min(1, (refused + 0.3) / (requests + 2));
		this.base = mean * accepted * FINDING.kept;
		this.use(now);
	}

	/** By which share a refusal lowers the rate. */
	private step(now: number): number {
		if (!this.finding) return USING.step;
		const { from, to, withinMs } = FINDING.step;
		return from * (to / from) ** Math.min(1, (now - this.finding.sinceMs) / withinMs);
	}

	/** How many times the share is tried, because nothing was refused for long. */
	private get tried(): number {
		return Math.min(TRY.most, Math.exp(TRY.step * Math.max(0, this.streak * this.usualRefusals - TRY.from)));
	}

	/** Which share of requests is refused at the right rate. */
	private get usualRefusals(): number {
		return valueOf(this.finding ? FINDING.refused : USING.refused, this.base * 1_000);
	}
}

/** The value of a curve, whose axes are logarithmic. No higher than its first value. */
function valueOf(curve: Curve, perSecond: number): number {
	const last = curve.length - 1;
	const next = curve.findIndex(([rate]) => rate > perSecond);
	if (next === 0) return curve[0][1];
	const [from, to] = next < 0 ? [curve[last - 1], curve[last]] : [curve[next - 1], curve[next]];
	const part = Math.log(perSecond / from[0]) / Math.log(to[0] / from[0]);
	return from[1] * (to[1] / from[1]) ** part;
}
