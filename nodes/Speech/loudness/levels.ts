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
