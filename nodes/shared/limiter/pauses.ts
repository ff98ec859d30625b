import type { Clock } from './clock';

/** Longest pause when the gateway does not say how long to wait. */
const MAX_PAUSE_MS = 60_000;
export const BASE_PAUSE_MS = 1_000;

/** As many pauses in a row are as long as the gateway asked for; if they were not enough, the next ones get longer. */
const TRUSTED_PAUSES = 2;

/** After how many pauses without success and requests that were given up it is assumed that the limit is exhausted. */
const EXHAUSTED_AFTER = { pauses: 5, givenUp: 2 };

/** How far the requests of processes that pause together are spread, and how far a known rate is slowed down. */
const MAX_APART_MS = 10_000;
const SPREAD = 0.2;

/** The pauses of a lane that follow each other without success. */
export class Pauses {
	private count = 0;
	/** How many of them were as long as the gateway asked for. */
	private asked = 0;
	private givenUp = 0;

	get inARow(): number {
		return this.count;
	}

	/** Something was accepted, so that what was refused before does not count any more. */
	end(): void {
		this.count = 0;
		this.asked = 0;
		this.givenUp = 0;
	}

	/** @param isAsked whether the gateway says how long the pause must be */
	add(isAsked: boolean): void {
		this.count += 1;
		if (isAsked && this.asked < TRUSTED_PAUSES) this.asked += 1;
	}

	/** A request was given up during these pauses. @returns whether the next ones need not try for a while */
	giveUp(): boolean {
		if (this.count < EXHAUSTED_AFTER.pauses) return false;
		this.givenUp += 1;
		return this.givenUp >= EXHAUSTED_AFTER.givenUp;
	}

	/** How many times longer than usual requests are kept apart. */
	private get slowness(): number {
		return 2 ** Math.max(0, this.count - 1 - this.asked);
	}

	/** @param isLearned whether the distance is that of a learned rate, which refusals lower anyway */
	slowed(intervalMs: number, isLearned: boolean): number {
		const slowed = Math.min(intervalMs * this.slowness, MAX_PAUSE_MS);
		return isLearned ? Math.min(slowed, Math.max(intervalMs, MAX_APART_MS)) : slowed;
	}

	/**
	 * How long the latest pause is. Processes that were refused together must not come back together.
	 *
	 * @param intervalMs between two requests, if a rate was learned
	 */
	lengthMs(
		retryAfterMs: number | undefined,
		intervalMs: number | undefined,
		random: Clock['random'],
	): number {
		if (retryAfterMs === undefined) return pauseAfter(this.count, random);
		const spreadMs = Math.min(MAX_APART_MS, intervalMs ?? SPREAD * BASE_PAUSE_MS * this.slowness);
		const leastMs = this.slowness > 1 ? Math.min(BASE_PAUSE_MS * this.slowness, MAX_PAUSE_MS) : 0;
		return Math.max(retryAfterMs, leastMs) + spreadMs * random();
	}
}

/** A pause that no request waits for; see `RETRY_DEADLINE_MS`. */
const TOO_LONG_PAUSE_MS = 10 * 60_000;

/** Whether no request waits for as long as the gateway asks for. */
export function isTooLong(retryAfterMs: number | undefined): boolean {
	return retryAfterMs !== undefined && retryAfterMs > TOO_LONG_PAUSE_MS;
}

/** Doubles with each refusal without success; the small random part keeps separate processes out of step. */
export function pauseAfter(refusals: number, random: Clock['random']): number {
	return Math.min(MAX_PAUSE_MS, BASE_PAUSE_MS * 2 ** (refusals - 1)) * (1 + 0.2 * random());
}
