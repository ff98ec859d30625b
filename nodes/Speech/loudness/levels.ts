import type { Place } from '../audio/joiner';

/** How long one level lasts. */
export const LEVEL_SECONDS = 0.01;
/** Rounding errors of this size are no time. */
const NO_TIME = 1e-9;

/** Collects how loud sound is from moment to moment. */
export class LevelMeter {
	/** The mean energy of each moment, weighted as people hear it. */
	readonly levels: number[] = [];
	private energy = 0;
	private elapsed = 0;

	/** @param energy its mean @param seconds how long it lasts */
	add(energy: number, seconds: number): void {
		let left = seconds;
		while (left > NO_TIME) {
			const part = Math.min(left, LEVEL_SECONDS - this.elapsed);
			this.energy += energy * part;
			this.elapsed += part;
			left -= part;
			if (this.elapsed < LEVEL_SECONDS - NO_TIME) continue;
			this.levels.push(this.energy / LEVEL_SECONDS);
			this.energy = 0;
			this.elapsed = 0;
		}
	}
}

/** Below what share of the energy of loud speech there is silence: at least, and at most for a voice with noise. */
const SILENCE = { least: 10 ** -3.5, most: 10 ** -1.5 };
/** Noise between words may vary by so much. */
const NOISE_FACTOR = 4;
/** Where among all levels, in ascending order, noise and loud speech are. */
const PERCENTILES = { noise: 0.05, speech: 0.95 };
/** The shortest silence within speech; consonants have shorter ones. In levels. */
const SHORTEST_SILENCE = 6;
/** A sound that is shorter is a click. In levels. */
const SHORTEST_SOUND = 3;

/**
 * Where a voice is silent: before, between, and after its words.
 *
 * @param seconds length of the whole; the last silence may end there
 */
export function silencesIn(levels: number[], seconds: number): Place[] {
	const sorted = Float64Array.from(levels).sort();
	const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
	const speech = at(PERCENTILES.speech);
	const noise = NOISE_FACTOR * at(PERCENTILES.noise);
	const limit = Math.min(Math.max(noise, SILENCE.least * speech), SILENCE.most * speech);
	const runs: Array<{ start: number; end: number }> = [];
	levels.forEach((level, index) => {
		if (level > limit) return;
		const last = runs.at(-1);
		if (last && index - last.end < SHORTEST_SOUND) last.end = index + 1;
		else runs.push({ start: index, end: index + 1 });
	});
	return runs.flatMap(({ start, end }) => {
		const isLast = end >= levels.length - SHORTEST_SOUND;
		if (start > 0 && !isLast && end - start < SHORTEST_SILENCE) return [];
		const startSeconds = Math.min(seconds, start * LEVEL_SECONDS);
		return [{ startSeconds, endSeconds: isLast ? seconds : Math.min(seconds, end * LEVEL_SECONDS) }];
	});
}
