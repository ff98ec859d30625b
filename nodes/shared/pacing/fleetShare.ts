/**
 * After so many refusals in a row without success, a long window may be used up. After some more, they say nothing new
 * about the rate.
 */
const BLIND = { from: 3, most: 4 };

/**
 * How strongly a refusal lowers the rate, and which share of requests is refused when one request per second is right.
 * Small shares are refused more often per request, so that shares become equal.
 */
const HOT = { step: 0.4, refused: 0.2, most: 0.6, evenness: 1 };
const COLD = { step: 0.04, refused: 0.015, most: 0.02, evenness: 0.5 };

/** How fast a share becomes certain, and from which share of refused requests on it is uncertain again. */
const COOLING_MS = 9_000;
const DOUBT = { over: 12, from: 0.05, to: 0.4 };

/** While uncertain, it sends at least at this rate, to find out. */
const CURIOUS_PER_MS = 0.25 / 1_000;

/** Refusals alone do not lower it further: more patience helps nobody. */
const LEAST_PER_MS = 1 / 10_000;

/** A rate that is refused so often soon after it was found is not only this process's to use. */
const SHARED_AFTER = { refusals: 3, withinMs: 60_000, requests: 20 };

/**
 * After about as many requests without a refusal as are usual between two, higher and higher rates are tried. Part of what
 * was tried is kept at the next refusal.
 */
const TRY = { from: 0.8, step: 0.6, most: 3, kept: 0.5 };

/** While it begins, the rate doubles with each request. */
const BEGIN = { factor: 2, back: 0.25, until: 1 };

/**
 * The share of a limit that a process uses, next to others that it knows nothing of. Refusals lower it in proportion,
 * and requests without one raise it, in such a way that few are refused when the sum of all shares is the limit, and
 * that a small share rises faster than a large one. At first, and when much is refused, steps are large and many
 * refusals are accepted, because they tell how large the share is; then it cools down.
 */
export class FleetShare {
	private streak = 0;
	private blindSteps = 0;
	private refusedShare = 0;
	private lastHeat: number;
	private hotAt: number;
	private readonly createdAt: number;
	private refusals = 0;
	private requests = 0;

	constructor(
		private base: number,
		now: number,
		private begins = false,
	) {
		this.lastHeat = begins ? 1 : 0;
		this.hotAt = now;
		this.createdAt = now;
	}

	/** Whether it was found at this moment. */
	isNew(now: number): boolean {
		return now === this.createdAt;
	}

	/** Whether it has become so high that it limits nothing. */
	get isUnlimited(): boolean {
		return this.begins && this.base >= BEGIN.until;
	}

	/** Requests per millisecond. */
	perMs(now: number): number {
		const heat = this.heat(now);
		return Math.max(CURIOUS_PER_MS * heat, this.base * this.tried(now));
	}

	/** A request is sent, which is probably accepted. */
	sent(now: number): void {
		if (this.begins) {
			this.base *= BEGIN.factor;
			return;
		}
		const heat = this.heat(now);
		const refused = this.rightRefusals(heat);
		this.streak += 1;
		this.requests += 1;
		this.base *= 1 + (stepOf(heat) * refused) / (1 - refused);
		this.refusedShare -= this.refusedShare / DOUBT.over;
	}

	/** @param somethingAccepted whether anything was accepted since the refusal before */
	refused(now: number, somethingAccepted: boolean): void {
		if (this.begins) this.base *= BEGIN.back;
		this.begins = false;
		this.blindSteps = somethingAccepted ? 0 : this.blindSteps + 1;
		this.refusedShare += 1 / DOUBT.over;
		this.refusals += 1;
		const isShared = this.refusals === SHARED_AFTER.refusals && now - this.createdAt < SHARED_AFTER.withinMs && this.requests < SHARED_AFTER.requests;
		const doubt = Math.min(1, (this.refusedShare - DOUBT.from) / (DOUBT.to - DOUBT.from));
		const heat = isShared ? 1 : Math.max(this.heat(now), doubt);
		const tried = this.tried(now);
		const isLowered = this.blindSteps <= BLIND.most;
		const lowered = this.base * tried ** TRY.kept * (1 - stepOf(heat));
		if (isLowered) this.base = Math.max(lowered, Math.min(this.base, LEAST_PER_MS));
		this.lastHeat = heat;
		this.hotAt = now;
		this.streak = 0;
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

	/** Whether several refusals followed each other without success. */
	get isBlind(): boolean {
		return this.blindSteps >= BLIND.from;
	}

	/** It was counted over a long window, so there is no doubt. */
	countedAs(perMs: number): void {
		this.base = Math.min(this.base, perMs);
		this.lastHeat = 0;
		this.refusedShare = 0;
		this.streak = 0;
	}

	/** The same share, to return to. */
	copy(): FleetShare {
		return Object.assign(new FleetShare(this.base, this.createdAt), this);
	}

	/** From 1 (uncertain) to 0. */
	private heat(now: number): number {
		return this.lastHeat * Math.exp((this.hotAt - now) / COOLING_MS);
	}

	/** How many times the share is tried, because nothing was refused for long. */
	private tried(now: number): number {
		const usual = this.rightRefusals(this.heat(now));
		return Math.min(TRY.most, Math.exp(TRY.step * Math.max(0, this.streak * usual - TRY.from)));
	}

	/** Which share of requests is refused at the right rate. */
	private rightRefusals(heat: number): number {
		const perSecond = this.base * 1000;
		const hot = Math.min(HOT.most, HOT.refused * perSecond ** -HOT.evenness);
		const cold = Math.min(COLD.most, COLD.refused * perSecond ** -COLD.evenness);
		return cold + (hot - cold) * heat;
	}
}

function stepOf(heat: number): number {
	return COLD.step + (HOT.step - COLD.step) * heat;
}
