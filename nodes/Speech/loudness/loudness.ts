import { kWeighting } from './kWeighting';
import type { SampleFormat } from './samples';

/** How loud sound is. */
export interface Loudness {
	/** Energy of each block of 400 ms that begins every 100 ms. */
	blocks: number[];
	/** The largest sample; 1 is full scale. */
	peak: number;
}

const STEP_SECONDS = 0.1;
const STEPS_PER_BLOCK = 4;
/** Blocks below this are silence, and those so much below the rest are pauses (EBU R 128, BS.1770-5). */
const GATES = { silenceLufs: -70, pauseLu: -10 };

/** Measures sound while it is read. */
export class LoudnessMeter {
	private readonly weights: Array<(sample: number) => number>;
	private readonly samplesPerStep: number;
	private readonly steps: number[] = [];
	private energy = 0;
	private samples = 0;
	private peak = 0;

	constructor(
		private readonly format: SampleFormat,
		channels: number,
		sampleRate: number,
	) {
		this.weights = Array.from({ length: channels }, () => kWeighting(sampleRate));
		this.samplesPerStep = Math.round(sampleRate * STEP_SECONDS);
	}

	/** @param blocks whole samples of all channels */
	add(blocks: Buffer): void {
		const { bytes, read } = this.format;
		const blockBytes = bytes * this.weights.length;
		for (let offset = 0; offset + blockBytes <= blocks.length; offset += blockBytes) {
			for (let channel = 0; channel < this.weights.length; channel++) {
				const sample = read(blocks, offset + channel * bytes);
				const size = Math.abs(sample);
				if (size > this.peak) this.peak = size;
				const weighted = this.weights[channel](sample);
				this.energy += weighted * weighted;
			}
			this.samples += 1;
			if (this.samples < this.samplesPerStep) continue;
			this.steps.push(this.energy / this.samplesPerStep);
			this.energy = 0;
			this.samples = 0;
		}
	}

	get loudness(): Loudness {
		const blocks: number[] = [];
		for (let end = STEPS_PER_BLOCK; end <= this.steps.length; end++) {
			const steps = this.steps.slice(end - STEPS_PER_BLOCK, end);
			blocks.push(steps.reduce((sum, energy) => sum + energy, 0) / STEPS_PER_BLOCK);
		}
		return { blocks, peak: this.peak };
	}
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
		peak: parts.reduce((most, { peak }) => Math.max(most, peak), 0),
	};
}

/** The same sound with another gain, as a factor of its samples. */
export function amplifiedLoudness({ blocks, peak }: Loudness, gain: number): Loudness {
	return { blocks: blocks.map((energy) => energy * gain * gain), peak: peak * gain };
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
		return part && lufs !== undefined ? lufs + decibels(MAX_PEAK / part.peak) : Number.POSITIVE_INFINITY;
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
