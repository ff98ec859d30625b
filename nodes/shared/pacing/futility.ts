/** Answers are counted in periods of this length. */
const PERIOD_MS = 20_000;

/**
 * Refusals that are independent of the rate go on, period after period, although the rate is several times lower than
 * it was. Others that use a limit would have slowed down meanwhile as well. The fewer are refused, the more answers are
 * needed to be sure.
 */
const LASTING = { periods: 4, lowered: 3 };
const CERTAIN = [
	{ refused: 0.2, answers: 30 },
	{ refused: 0.08, answers: 200 },
];
/** If more are refused, the gateway is at a limit or out of order. */
const MOST_REFUSED = 0.5;

/**
 * In a trial, the rate rises after so many requests, unless many more of them are refused than before. If they are,
 * there is no other trial for a while, and for longer each time.
 */
const TRIAL = { answers: 40, factor: 8, more: 0.2, least: 0.05, pauseMs: 60_000, longer: 2 };

interface Answers {
	refused: number;
	all: number;
}

/**
 * Tells whether the gateway refuses requests for another reason than their rate, for example at random: a much lower
 * rate is refused as often, and a higher one not more. Under a limit, all its users would notice the latter.
 */
export class Futility {
	private highest = 0;
	private periods: Answers[] = [];
	private periodEnd = Number.NEGATIVE_INFINITY;
	private trial: (Answers & { lowest: number; before: number }) | undefined;
	private pauseUntil = Number.NEGATIVE_INFINITY;
	private pauseMs = TRIAL.pauseMs;

	/** Whether refusals say nothing about the rate. */
	get holds(): boolean {
		return this.trial !== undefined;
	}

	/**
	 * Records an answer.
	 *
	 * @param perMs the rate at this time
	 * @returns the rate from now on, if it changes
	 */
	answered(isAccepted: boolean, perMs: number, now: number): number | undefined {
		if (this.trial) return this.judge(this.trial, isAccepted, perMs, now);
		this.highest = Math.max(this.highest, perMs);
		if (now >= this.periodEnd) {
			this.periods = [...this.periods.slice(1 - LASTING.periods), { refused: 0, all: 0 }];
			this.periodEnd = Math.max(now, this.periodEnd + PERIOD_MS) + PERIOD_MS;
		}
		count(this.periods.at(-1)!, isAccepted);
		if (now < this.pauseUntil || this.highest < LASTING.lowered * perMs) return undefined;
		const before = this.lastingShare();
		if (before === undefined) return undefined;
		this.trial = { lowest: perMs, before, refused: 0, all: 0 };
		return this.raised(perMs);
	}

	private judge(
		trial: NonNullable<typeof this.trial>,
		isAccepted: boolean,
		perMs: number,
		now: number,
	): number | undefined {
		count(trial, isAccepted);
		if (trial.refused > TRIAL.answers * (trial.before + TRIAL.more)) {
			this.begin();
			this.pauseUntil = now + this.pauseMs;
			this.pauseMs *= TRIAL.longer;
			return trial.lowest;
		}
		if (trial.all < TRIAL.answers) return undefined;
		if (trial.refused < TRIAL.least * trial.all) {
			this.begin();
			return undefined;
		}
		trial.refused = 0;
		trial.all = 0;
		return this.raised(perMs);
	}

	private begin(): void {
		this.trial = undefined;
		this.highest = 0;
		this.periods = [];
		this.periodEnd = Number.NEGATIVE_INFINITY;
	}

	private raised(perMs: number): number {
		return Math.max(perMs, Math.min(this.highest, TRIAL.factor * perMs));
	}

	/** The share of requests that is refused all the time. */
	private lastingShare(): number | undefined {
		if (this.periods.length < LASTING.periods) return undefined;
		const total = { refused: 0, all: 0 };
		for (const { refused, all } of this.periods) {
			total.refused += refused;
			total.all += all;
		}
		const share = total.refused / total.all;
		const certain = CERTAIN.find(({ refused, answers }) => share >= refused && total.all >= answers);
		if (!certain || share > MOST_REFUSED) return undefined;
		return this.periods.every(({ refused, all }) => refused >= certain.refused * all) ? share : undefined;
	}
}

function count(answers: Answers, isAccepted: boolean): void {
	answers.all += 1;
	if (!isAccepted) answers.refused += 1;
}
