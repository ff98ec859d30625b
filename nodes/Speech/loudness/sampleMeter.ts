import { kWeighting } from './kWeighting';
import { LEVEL_SECONDS, LevelMeter } from './levels';
import type { SampleFormat } from './samples';

/** Measures how loud samples are while they are read. */
export class SampleMeter {
	/** The largest sample; 1 is full scale. */
	peak = 0;
	private readonly meter = new LevelMeter();
	private readonly weights: Array<(sample: number) => number>;
	private readonly samplesPerLevel: number;
	private energy = 0;
	private samples = 0;

	constructor(
		private readonly format: SampleFormat,
		channels: number,
		private readonly sampleRate: number,
	) {
		this.weights = Array.from({ length: channels }, () => kWeighting(sampleRate));
		this.samplesPerLevel = Math.max(1, Math.round(sampleRate * LEVEL_SECONDS));
	}

	get levels(): number[] {
		return this.meter.levels;
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
			if (this.samples < this.samplesPerLevel) continue;
			this.meter.add(this.energy / this.samples, this.samples / this.sampleRate);
			this.energy = 0;
			this.samples = 0;
		}
	}
}
