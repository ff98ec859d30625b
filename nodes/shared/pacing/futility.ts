/**
 * Refusals that are independent of the rate go on for long although the rate is much lower. Others that use a limit would
 * have slowed down meanwhile as well. The fewer are refused, the more answers are needed to be sure.
 */
const LASTING = { times: 2, forMs: 150_000, over: 25, from: 0.2, ends: 0.04 };
const CERTAIN = [
	{ refused: 0.2, answers: 60 },
	{ refused: 0.08, answers: 300 },
];
/** If more are refused, the gateway is at a limit or out of order. */
const MOST_REFUSED = 0.5;

/**
 * In a trial, the rate rises after so many requests, unless many more of them are refused than before. If they are, and
 * it is no coincidence, there is no other trial for a while, and for longer each time.
 */
const TRIAL = { answers: 40, factor: 4, more: 0.2, failures: 2, less: 0.5, pauseMs: 60_000, longer: 2 };

interface Answers {
	refused: number;
	all: number;
}

/** A time in which requests are refused. */
interface Spell extends Answers {
	readonly since: number;
	highest: number;
	/** The share of the latest requests that was refused. */
	latest: number;
}

interface Trial extends Answers {
	/** The rate and the share of refused requests before. */
	readonly lowest: number;
	readonly before: number;
	failures: number;
}

/**
 * Tells whether the gateway refuses requests for another reason than their rate, for example at random: a much lower
 * rate is refused as often, and a higher one not more. Under a limit, all its users would notice the latter.
 */
export class Futility {
	private spell: Spell | undefined;
	private trial: Trial | undefined;
	private pauseUntil = Number.NEGATIVE_INFINITY;
	private pauseMs = TRIAL.pauseMs;

	/** @param highest the rate that was measured before anything was refused, in requests per millisecond */
	constructor(private readonly highest: number) {}

	/** Whether refusals say nothing about the rate. */
	get holds(): boolean {
		return this.trial !== undefined;
	}

	/** The rate was found anew, so earlier answers do not count. */
	reset(): void {
		this.spell = undefined;
		this.trial = undefined;
	}

	/**
	 * Records an answer.
	 *
	 * @param perMs the rate at this time
	 * @returns the rate from now on, if it changes
	 */
	answered(isAccepted: boolean, perMs: number, now: number): number | undefined {
		if (this.trial) return this.judge(this.trial, isAccepted, perMs, now);
		if (now < this.pauseUntil) return undefined;
		this.spell ??= { since: now, highest: perMs, latest: LASTING.from, refused: 0, all: 0 };
		const { spell } = this;
		count(spell, isAccepted);
		spell.highest = Math.max(spell.highest, perMs);
		spell.latest += ((isAccepted ? 0 : 1) - spell.latest) / LASTING.over;
		if (spell.latest < LASTING.ends) this.spell = undefined;
		const isLasting = now - spell.since >= LASTING.forMs && LASTING.times * perMs <= spell.highest;
		const before = Math.min(spell.latest, spell.refused / spell.all);
		const isCertain = CERTAIN.some(({ refused, answers }) => before >= refused && spell.all >= answers);
		if (!isLasting || !isCertain || before > MOST_REFUSED) return undefined;
		this.trial = { lowest: perMs, before, failures: 0, refused: 0, all: 0 };
		return this.raised(perMs);
	}

	private raised(perMs: number): number {
		return Math.max(perMs, Math.min(this.highest, TRIAL.factor * perMs));
	}

	private fail(trial: Trial, now: number): number {
		this.reset();
		this.pauseUntil = now + this.pauseMs;
		this.pauseMs *= TRIAL.longer;
		return trial.lowest;
	}

	private judge(trial: Trial, isAccepted: boolean, perMs: number, now: number): number | undefined {
		count(trial, isAccepted);
		const isFailure = trial.refused > TRIAL.answers * (trial.before + TRIAL.more);
		if (!isFailure && trial.all < TRIAL.answers) return undefined;
		const isEnough = !isFailure && trial.refused < TRIAL.less * trial.before * trial.all;
		trial.failures = isFailure ? trial.failures + 1 : 0;
		trial.refused = 0;
		trial.all = 0;
		if (isEnough) this.reset();
		if (trial.failures === TRIAL.failures) return this.fail(trial, now);
		return isFailure || isEnough ? undefined : this.raised(perMs);
	}
}

function count(answers: Answers, isAccepted: boolean): void {
	answers.all += 1;
	if (!isAccepted) answers.refused += 1;
}
