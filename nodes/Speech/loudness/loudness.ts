/** How loud sound is. */
export interface Loudness {
	/** Energy of each block of 400 ms that begins every 100 ms. */
	blocks: number[];
	/** The largest sample, of which 1 is full scale; undefined if samples have not been decoded. */
	peak: number | undefined;
}

const LEVELS_PER_STEP = 10;
const LEVELS_PER_BLOCK = 40;
/** Blocks below this are silence, and those so much below the rest are pauses (EBU R 128, BS.1770-5). */
const GATES = { silenceLufs: -70, pauseLu: -10 };

/** @param levels energies of moments of 10 ms */
export function loudnessFrom(levels: number[], peak?: number): Loudness {
	const blocks: number[] = [];
	for (let end = LEVELS_PER_BLOCK; end <= levels.length; end += LEVELS_PER_STEP) {
		blocks.push(mean(levels.slice(end - LEVELS_PER_BLOCK, end)));
	}
	return { blocks, peak };
}

/**
 * The loudness of a whole programme, in LUFS.
 *
 * @returns undefined for silence, and for less than 400 ms
 */
export function integrated({ blocks }: Loudness): number | undefined {
	const audible = blocks.filter((energy) => lufsOf(energy) > GATES.silenceLufs);
	if (audible.length === 0) return undefined;
	const gate = lufsOf(mean(audible)) + GATES.pauseLu;
	return lufsOf(mean(audible.filter((energy) => lufsOf(energy) > gate)));
}

/** Several parts as one programme. */
export function together(parts: Loudness[]): Loudness {
	return {
		blocks: parts.flatMap(({ blocks }) => blocks),
		peak: parts.reduce<number | undefined>(
			(most, { peak }) => (most === undefined || peak === undefined ? undefined : Math.max(most, peak)),
			0,
		),
	};
}

/** The same sound with another gain, as a factor of its samples. */
export function amplifiedLoudness({ blocks, peak }: Loudness, gain: number): Loudness {
	return { blocks: blocks.map((energy) => energy * gain * gain), peak: peak && peak * gain };
}

/** What podcasts are usually published with. */
const TARGET_LUFS = -16;
/** The largest sample after levelling, 1 dB below full scale. */
const MAX_PEAK = 10 ** (-1 / 20);

/**
 * The gains that make parts equally loud: as loud as a podcast, or, if one of them would be distorted then, as loud as
 * that one can be.
 *
 * @returns a factor for each part; 1 for one that is silent or not measured
 */
export function levelGains(parts: Array<Loudness | undefined>): number[] {
	const levels = parts.map((part) => part && integrated(part));
	const possible = parts.map((part, index) => {
		const lufs = levels[index];
		if (!part || lufs === undefined) return Number.POSITIVE_INFINITY;
		// What has unknown peaks must not become louder.
		return part.peak === undefined ? lufs : lufs + decibels(MAX_PEAK / part.peak);
	});
	const target = possible.reduce((least, lufs) => Math.min(least, lufs), TARGET_LUFS);
	return levels.map((lufs) => (lufs === undefined ? 1 : 10 ** ((target - lufs) / 20)));
}

function decibels(factor: number): number {
	return 20 * Math.log10(factor);
}

function lufsOf(energy: number): number {
	return -0.691 + 10 * Math.log10(energy);
}

function mean(values: number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
