/** How long a model is left alone after a failure; longer each time, until it answers. */
const SHORTEST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;
/** How many models are remembered. */
const MOST_MODELS = 500;

interface Pause {
	/** When the failure was noted. */
	from: number;
	until: number;
	lengthMs: number;
	/** Why the model could not be used, in words. */
	reason: string;
}

/** How a request to a model failed. Times are in milliseconds of a clock that only moves forward. */
export interface ModelFailure {
	askedAt: number;
	now: number;
	reason: string;
	/** How long the gateway itself refuses requests to the model, as far as that is known. */
	refusedForMs: number;
}

/**
 * Remembers which models could not be used, so that items with fallback models do not all wait for the same one. After
 * its pause, one request tries the model again, and the others stay away until that is decided.
 */
export class ModelPauses {
	private readonly pauses = new Map<string, Pause>();

	/**
	 * Whether to leave a model alone for now. Otherwise the caller asks it, and says how that ended.
	 *
	 * @returns why; undefined when the model is to be asked
	 */
	reasonToSkip(model: string, now: number): string | undefined {
		const pause = this.pauses.get(model);
		if (!pause) return undefined;
		if (now < pause.until) return pause.reason;
		pause.until = now + pause.lengthMs;
		return undefined;
	}

	answered(model: string): void {
		this.pauses.delete(model);
	}

	failed(model: string, { askedAt, now, reason, refusedForMs }: ModelFailure): void {
		const known = this.pauses.get(model);
		// Requests that were under way at once fail for the same reason.
		if (known && askedAt < known.from) return;
		const lengthMs = known ? Math.min(LONGEST_MS, 2 * known.lengthMs) : SHORTEST_MS;
		const until = now + Math.max(lengthMs, refusedForMs);
		this.pauses.delete(model);
		this.pauses.set(model, { from: now, until, lengthMs, reason });
		if (this.pauses.size > MOST_MODELS) this.pauses.delete(this.pauses.keys().next().value as string);
	}
}

/** The pauses of this process, for models by credential and endpoint. */
export const modelPauses = new ModelPauses();
