/** How many times wider it becomes: while answers come as fast as ever, and when they do so again. */
const GROWTH = { start: 3, again: 2 };

/** The smallest relative step to a neighboring width. */
const STEP = 0.25;

/** How much slower answers count against more of them: ten percent slower is worth about one and a half percent more. */
const IMPATIENCE = 0.15;

/** How much better a wider width must be, and how much its value changes if the gateway has changed. */
const BETTER = 1.02;
const CHANGED = { worse: 0.7, better: 1.2 };

/** From which multiples of the usual latency requests wait for each other: not, hardly, probably, certainly. */
const QUEUED = { not: 1.15, hardly: 1.2, probably: 1.5, certainly: 2.2 };

/** How many times a width is confirmed before a neighboring one is tried. */
const CONFIRMATIONS = 3;

/** How fast the usual latency follows answers without a queue, and is forgotten otherwise. */
const USUAL = { adapt: 0.2, forget: 1.01 };

/** Latencies that vary by less are as good as constant. */
const CONSTANT = 0.1;

/**
 * What is assumed of latencies that vary: by how much at least, how much higher their mean is than the latency that the
 * early ones do not exceed, and from which multiple of the usual latency on requests certainly wait for each other.
 */
const VARYING = { least: 0.5, meanOfEarly: 1.3, certainly: 4 };

/** What a width does: it grows, stays, or tries whether more or fewer requests are better. */
export type Phase = 'growing' | 'settled' | 'more' | 'fewer';

/** Which width to try, and why. */
export interface Step {
	phase: Phase;
	width: number;
}

/** What was measured at a width. */
export interface Measured {
	width: number;
	/** How many requests were in progress. */
	inProgress: number;
	latencyMs: number;
	/** How much the latencies vary: their standard deviation as a share of their mean. */
	variation: number;
	/** How many answers these are. */
	answers: number;
	/** Whether a wider width is possible. */
	canGrow: boolean;
}

/** What a width is worth. */
interface Finding {
	width: number;
	/** Answers per time, less for slow ones; only comparable with others. */
	value: number;
	latencyMs: number;
}

/**
 * Decides which width to try next. At first, the width grows fast while answers come as fast as with few requests. Then
 * neighboring widths are compared by how much is answered in a time; if that is about the same, the narrower one is
 * better, because requests would only wait for each other.
 */
export class WidthSearch {
	/** How long an answer takes when requests do not wait for each other, and how many answers say so. */
	private readonly usual: { ms: number; answers: number };
	private varied = 0;
	/** What a narrower width was worth, while it grew. */
	private narrower: Finding;
	private isFirst = true;
	private isConstant = true;
	private best: Finding | undefined;
	private confirmations = 0;
	private steps = 0;
	private nextTry: 'more' | 'fewer' = 'more';
	private answers = 1;
	private canGrow = true;

	/** @param first what was measured at a width at which requests hardly wait for each other */
	constructor(private readonly first: Measured) {
		this.usual = { ms: first.latencyMs, answers: first.answers };
		this.narrower = findingOf(first);
	}

	/** How long an answer takes when requests do not wait for each other, in milliseconds. */
	get usualMs(): number {
		return this.usual.ms;
	}

	/** How much latencies have varied lately. */
	get variation(): number {
		return this.varied;
	}

	/** The next step after a growing width was measured by the first of its answers. */
	afterGrowing(measured: Measured): Step {
		const { width, variation, answers, inProgress, canGrow } = measured;
		if (this.isConstant && Math.max(this.first.variation, variation) >= CONSTANT) {
			this.isConstant = false;
			this.usual.ms *= VARYING.meanOfEarly;
			this.narrower.value /= VARYING.meanOfEarly;
		}
		const latencyMs = measured.latencyMs * (this.isConstant ? 1 : VARYING.meanOfEarly);
		// The first answers vary less than all of them.
		this.varied = Math.max(0.9 * this.varied, variation, this.isConstant ? 0 : VARYING.least);
		const queued = latencyMs / this.usual.ms;
		const doubt = 2 * this.varied * Math.sqrt(1 / answers + 1 / this.usual.answers);
		// With few answers that vary, a longer time says nothing yet.
		const isUncertain = this.isFirst && !this.isConstant;
		this.isFirst = false;
		if (queued < QUEUED.probably + doubt || isUncertain) {
			this.learnUsual(latencyMs, answers);
			this.narrower = findingOf({ ...measured, latencyMs });
			return canGrow ? growing(width * GROWTH.start) : settled(width);
		}
		this.best = undefined;
		const certainly = this.isConstant ? QUEUED.certainly : VARYING.certainly;
		return settled(queued > certainly ? 1.5 * (inProgress / queued) : width);
	}

	/** The next step after another width was measured by all of its answers. */
	after(phase: Exclude<Phase, 'growing'>, measured: Measured): Step {
		const { latencyMs, variation, answers, canGrow } = measured;
		const { best, usual } = this;
		this.varied += 0.3 * (variation - this.varied);
		this.answers = answers;
		this.canGrow = canGrow;
		const isNoFaster = phase === 'fewer' && best !== undefined && latencyMs > 0.9 * best.latencyMs;
		if (isNoFaster) usual.ms = Math.max(usual.ms, 0.9 * latencyMs);
		const queued = latencyMs / usual.ms;
		if (queued < QUEUED.not) usual.ms += USUAL.adapt * (latencyMs - usual.ms);
		else usual.ms *= USUAL.forget;
		const here = findingOf(measured);
		if (isNoFaster && canGrow && here.value < best.value) {
			// Nothing was queued, so it had not grown enough.
			this.steps = 0;
			return growing(best.width * GROWTH.again);
		}
		return phase === 'settled' || !best ? this.watch(here, queued) : this.compare(here, best, queued, phase);
	}

	/** Compares a neighboring width with the best one. */
	private compare(here: Finding, best: Finding, queued: number, phase: 'more' | 'fewer'): Step {
		const needed = phase === 'fewer' ? 1 : BETTER * (1 + this.doubt / 5);
		if (here.value < best.value * needed) {
			this.nextTry = phase === 'fewer' ? 'more' : 'fewer';
			this.steps = 0;
			// A new width may be too wide already.
			const isNew = this.confirmations === 0 && best.latencyMs > QUEUED.hardly * this.usual.ms;
			return phase === 'more' && isNew ? this.fewer(best.width) : settled(best.width);
		}
		this.best = here;
		this.steps += 1;
		const isFlat = here.latencyMs < 1.1 * best.latencyMs;
		if (phase === 'more' && isFlat && this.canGrow) return growing(here.width * GROWTH.again);
		if (phase === 'fewer' && queued >= QUEUED.not) return this.fewer(here.width);
		if (phase === 'fewer') this.steps = 0;
		return this.more(here.width);
	}

	/** Confirms a width, or tries another one. */
	private watch(here: Finding, queued: number): Step {
		const { best, doubt } = this;
		this.steps = 0;
		if (best?.width !== here.width) return this.begin(here, queued);
		const change = here.value / best.value;
		if (change < CHANGED.worse - doubt && queued > QUEUED.probably) {
			this.best = undefined;
			return settled(fittingWidth(here, queued));
		}
		if (change > CHANGED.better + doubt && this.canGrow) {
			this.best = here;
			return growing(here.width * GROWTH.again);
		}
		best.value += (here.value - best.value) / 2;
		this.confirmations += 1;
		return this.confirmations % CONFIRMATIONS === 0 ? this.next(here.width, queued) : settled(here.width);
	}

	/** Begins at a width that is measured for the first time. */
	private begin(here: Finding, queued: number): Step {
		const isKnown = this.best !== undefined;
		this.best = here;
		this.confirmations = 0;
		const hasPaidOff = this.narrower.width < here.width && here.value > this.narrower.value * BETTER;
		const fitting = fittingWidth(here, queued);
		if (!isKnown && !hasPaidOff && fitting < 0.85 * here.width) {
			return { phase: 'fewer', width: Math.max(1, fitting) };
		}
		return queued < QUEUED.not ? this.more(here.width) : this.next(here.width, queued);
	}

	private next(width: number, queued: number): Step {
		return this.nextTry === 'more' || queued < QUEUED.hardly ? this.more(width) : this.fewer(width);
	}

	private more(width: number): Step {
		if (!this.canGrow) return settled(width);
		return { phase: 'more', width: Math.max(width + 1, width * this.step) };
	}

	private fewer(width: number): Step {
		const fewer = Math.min(width - 1, width / this.step);
		return fewer >= 1 ? { phase: 'fewer', width: fewer } : this.more(width);
	}

	/** The factor to the next width. Steps become larger while they help, and if latencies vary much. */
	private get step(): number {
		return 1 + Math.min(1, Math.max(STEP, this.varied) * (1 + this.steps));
	}

	/** How far a value may be wrong because latencies vary. */
	private get doubt(): number {
		return (2.5 * this.varied) / Math.sqrt(this.answers);
	}

	private learnUsual(latencyMs: number, answers: number): void {
		const { usual } = this;
		const total = usual.answers + answers;
		usual.ms = (usual.ms * usual.answers + latencyMs * answers) / total;
		usual.answers = total;
	}
}

function growing(width: number): Step {
	return { phase: 'growing', width };
}

function settled(width: number): Step {
	return { phase: 'settled', width };
}

/** How many requests a gateway processes at once by Little's law, and some more to keep it busy. */
function fittingWidth({ width }: Finding, queued: number): number {
	return (width / queued) * (1 + STEP);
}

function findingOf({ width, inProgress, latencyMs }: Measured): Finding {
	return { width, latencyMs, value: inProgress / latencyMs ** (1 + IMPATIENCE) };
}
