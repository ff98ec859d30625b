import type { Learned } from '../../shared/send/client';

/** The time for which a model is not asked after a failure. It doubles with each failure, until the model answers. */
const SHORTEST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

interface Pause {
	from: number;
	until: number;
	lengthMs: number;
	reason: string;
}

/** Describes how a request to a model failed. Times are in milliseconds of a monotonic clock. */
interface ModelFailure {
	askedAt: number;
	now: number;
	reason: string;
	/** The time for which the gateway itself refuses requests to the model, as far as that is known. */
	refusedForMs: number;
}

/** Remembers models that failed. After a pause, one request tries the model again, while others go on skipping it. */
export class ModelPauses {
	constructor(private readonly learned: Pick<Learned, 'recall' | 'note'>) {}

	/** Returns why not to ask a model now. If undefined, the caller must ask it, then call `answered` or `failed`. */
	reasonToSkip(model: string, now: number): string | undefined {
		const pause = this.pauseOf(model);
		if (!pause) return undefined;
		if (now < pause.until) return pause.reason;
		this.note(model, { ...pause, until: now + pause.lengthMs });
		return undefined;
	}

	mayAsk(model: string, now: number): boolean {
		return now >= (this.pauseOf(model)?.until ?? 0);
	}

	answered(model: string): void {
		if (this.pauseOf(model)) this.note(model, undefined);
	}

	failed(model: string, { askedAt, now, reason, refusedForMs }: ModelFailure): void {
		const known = this.pauseOf(model);
		// Requests that were under way at the same time fail for the same reason.
		if (known && askedAt < known.from) return;
		const lengthMs = known ? Math.min(LONGEST_MS, 2 * known.lengthMs) : SHORTEST_MS;
		this.note(model, { from: now, until: now + Math.max(lengthMs, refusedForMs), lengthMs, reason });
	}

	private pauseOf(model: string): Pause | undefined {
		return this.learned.recall<Pause>(aboutPause(model));
	}

	private note(model: string, pause: Pause | undefined): void {
		this.learned.note(aboutPause(model), pause);
	}
}

function aboutPause(model: string): string {
	return `pause of the model: ${model}`;
}
