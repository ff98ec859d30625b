import { Cohort, type Member } from './cohort';
import { WidthCeiling } from './widthCeiling';
import { type Phase, type Step, WidthSearch } from './widthSearch';

/** How many requests are sent at once before anything is known. */
export const FIRST_WIDTH = 10;

/** The smallest and largest number of requests that a width is judged by. If latencies vary, more are needed. */
const COHORT = { growing: 4, settled: 12, most: 60, precision: { growing: 0.15, settled: 0.12 } };

/**
 * Over which share of the usual latency requests are spread: those that are more than ever before, and otherwise, also
 * after a refusal, because regular ones tell better whether their number or their rate is limited. Once
 * it is known how long a refusal takes, the former are as far apart as this, up to a share of the usual latency.
 */
const SPREAD = { more: 0.25, usual: 1 / 3, limited: 0.8, refusal: 1 / 8, mostMs: 1000 };

/** A request in progress. */
interface Request extends Member {
	/** Counts what is sent. */
	readonly number: number;
	/** On the monotonic clock. */
	readonly sentAt: number;
}

/**
 * How many requests at once suit a gateway, found from the latencies of its answers ({@link WidthSearch}) and from what it
 * refuses ({@link WidthCeiling}).
 */
export class Width {
	private step: Step;
	private readonly ceiling = new WidthCeiling();
	private readonly inProgress = new Set<Request>();
	/** The first requests, until some of them are answered. */
	private first: Cohort | undefined;
	private cohort: Cohort;
	private search: WidthSearch | undefined;

	/** @param widest how many requests at once are never exceeded */
	constructor(private readonly widest: number) {
		const width = Math.min(FIRST_WIDTH, widest);
		const half = Math.ceil(width / 2);
		this.step = { phase: 'growing', width };
		this.first = new Cohort(half, half, 1);
		this.cohort = new Cohort(width, Math.max(1, width - half), half + 1);
	}

	/** How many requests may be in progress at once. */
	get limit(): number {
		return Math.max(1, Math.floor(this.step.width));
	}

	/** How long an answer takes when requests do not wait for each other, in milliseconds; undefined at first. */
	get usualMs(): number | undefined {
		return this.search?.usualMs;
	}

	/** How long after a request the next one is sent, in milliseconds, so that a refusal is known before too many follow. */
	get spacingMs(): number {
		const { usualMs } = this;
		if (usualMs === undefined) return 0;
		const { proven, refusalMs } = this.ceiling;
		const even = Number.isFinite(this.ceiling.highest) ? SPREAD.limited : SPREAD.usual;
		const evenMs = (even * usualMs) / this.limit;
		if (this.inProgress.size <= proven) return Math.min(SPREAD.mostMs, evenMs);
		const spreadMs = (SPREAD.more * usualMs) / Math.max(1, this.limit - proven);
		const knownMs = Number.isFinite(refusalMs) ? Math.min(refusalMs, SPREAD.refusal * usualMs) : 0;
		return Math.min(SPREAD.mostMs, Math.max(evenMs, spreadMs, knownMs));
	}

	/** A request is being sent. @param isWithinWidth whether it waited for its turn within this width */
	sent(request: Request, isWithinWidth = true): void {
		this.inProgress.add(request);
		if (isWithinWidth && !this.first?.take(request)) this.cohort.take(request);
	}

	/** A request ended in a way that says nothing about the width. */
	ended(request: Request): void {
		if (this.inProgress.delete(request)) request.cohort?.drop(request);
	}

	/** The gateway accepted a request. @param isAnswered whether it also did what was asked for, so that its latency counts */
	accepted(request: Request, now: number, isAnswered: boolean): void {
		if (this.ceiling.accepted(this.togetherAt(now), this.step.width)) {
			this.take({ phase: 'settled', width: this.ceiling.highest });
		}
		const { cohort } = request;
		if (!isAnswered || !cohort) return this.ended(request);
		this.inProgress.delete(request);
		cohort.answered(now - request.sentAt);
		this.judge(cohort);
	}

	/**
	 * A request was refused.
	 *
	 * @param isAsked whether the gateway says how long to wait
	 * @returns whether this is probably because too much was in progress; then less is allowed now
	 */
	refused(request: Request, now: number, isAsked: boolean): boolean {
		const others = [...this.inProgress];
		for (const later of others.slice(others.indexOf(request) + 1)) later.inProgress -= 1;
		this.ended(request);
		const width = this.inProgress.size > 0 ? this.ceiling.refused(request, now, isAsked) : undefined;
		if (width !== undefined) this.take({ phase: 'settled', width: Math.min(this.step.width, width) });
		return width !== undefined;
	}

	/** How many requests are in progress for so long that they would have been refused by now. */
	private togetherAt(now: number): number {
		const admittedMs = Math.min((this.usualMs ?? 0) / 2, this.ceiling.refusalMs);
		const { changedAt } = this.ceiling;
		return [...this.inProgress].filter(({ sentAt }) => sentAt >= changedAt && now - sentAt >= admittedMs)
			.length;
	}

	/** Judges a cohort as soon as enough of it is answered. */
	private judge(cohort: Cohort): void {
		if (cohort === this.first) {
			const { early, width } = cohort;
			if (early === undefined) return;
			this.search = new WidthSearch(this.measured(cohort, early, width));
			this.first = undefined;
		}
		const { phase } = this.step;
		if (!this.search) return;
		if (phase === 'growing') {
			const { early } = this.cohort;
			if (early !== undefined) this.take(this.search.afterGrowing(this.measured(this.cohort, early)));
		} else if (cohort === this.cohort && cohort.isComplete) {
			this.take(this.search.after(phase, this.measured(cohort, cohort.mean)));
		}
	}

	private measured(cohort: Cohort, latencyMs: number, inProgress = cohort.meanInProgress) {
		const { width, variation, size: answers } = cohort;
		const canGrow = this.limit < Math.min(this.widest, this.ceiling.highest);
		return { width, inProgress, latencyMs, variation, answers, canGrow };
	}

	private take({ phase, width }: Step): void {
		this.step = { phase, width: Math.max(1, Math.min(width, this.widest, this.ceiling.highest)) };
		this.cohort = this.newCohort(phase);
	}

	private newCohort(phase: Phase): Cohort {
		const { limit } = this;
		const isGrowing = phase === 'growing';
		const precision = isGrowing ? COHORT.precision.growing : COHORT.precision.settled;
		const least = isGrowing ? COHORT.growing : Math.max(COHORT.settled, limit);
		const needed = Math.ceil(((this.search?.variation ?? 0) / precision) ** 2);
		const size = Math.min(COHORT.most, Math.max(least, Math.min(needed, 2 * limit)));
		const from = isGrowing ? Math.max(limit - size + 1, 0.7 * limit) : 0.75 * limit;
		return new Cohort(this.step.width, size, Math.floor(from));
	}
}
