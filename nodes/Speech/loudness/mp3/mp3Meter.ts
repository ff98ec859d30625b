import type { Frame } from '../../audio/mp3Frames';
import { frequencyWeight } from '../kWeighting';
import { LevelMeter } from '../levels';
import { BitReader } from './bitReader';
import { readScaleFactors } from './scaleFactors';
import { type Granule, type SideInfo, sideInfoOf } from './sideInfo';
import { energyOf, LINES, type LineWeights, readValues } from './spectrum';

/** The most sound of a frame that may be in the frames before it, in bytes. */
const MAX_RESERVOIR = 511;
/** The longest frame: 320 kbit/s at 32 kHz. */
const MAX_FRAME = 1441;
/** A granule sounds so many samples later than those of a decoder's output with the same number: half of it overlaps. */
const DELAY_SAMPLES = 528;

/** Measures how loud an MP3 file is, from the energies of its frequencies; nothing is decoded into samples. */
export class Mp3Meter {
	private readonly meter = new LevelMeter();
	/** The sound of the frames before, and then that of a frame. */
	private readonly sound = Buffer.alloc(MAX_RESERVOIR + MAX_FRAME);
	private reservoirBytes = 0;
	private weights: LineWeights | undefined;
	private readonly values = new Int32Array(LINES);

	get levels(): number[] {
		return this.meter.levels;
	}

	/** @param bytes the whole frame */
	add(frame: Frame, bytes: Buffer): void {
		const info = sideInfoOf(bytes, frame);
		const { sampleRate } = frame;
		if (!this.weights) {
			this.weights = weightsOf(sampleRate);
			this.meter.add(0, DELAY_SAMPLES / sampleRate);
		}
		const length = this.reservoirBytes + bytes.copy(this.sound, this.reservoirBytes, info.length);
		const start = 8 * (this.reservoirBytes - info.reservoirBytes);
		const energies = start < 0 ? info.granules.map(() => 0) : this.energies(info, start, sampleRate);
		for (const energy of energies) this.meter.add(energy, LINES / sampleRate);
		this.reservoirBytes = Math.min(MAX_RESERVOIR, length);
		this.sound.copyWithin(0, length - this.reservoirBytes, length);
	}

	private energies(info: SideInfo, start: number, sampleRate: number): number[] {
		const earlier: number[][] = [];
		let position = start;
		return info.granules.map((channels) => {
			let energy = 0;
			channels.forEach((granule, channel) => {
				energy += this.energy(
					granule,
					info,
					channel,
					earlier,
					new BitReader(this.sound, position),
					sampleRate,
				);
				position += granule.length;
			});
			return energy;
		});
	}

	private energy(
		granule: Granule,
		info: SideInfo,
		channel: number,
		earlier: number[][],
		reader: BitReader,
		sampleRate: number,
	): number {
		if (!this.weights || granule.length === 0) return 0;
		const end = reader.position + granule.length;
		const factors = readScaleFactors(reader, granule, info, channel, earlier[channel]);
		earlier[channel] = factors;
		readValues(reader, granule, sampleRate, end, this.values);
		return energyOf(granule, factors, this.values, sampleRate, this.weights);
	}
}

/**
 * The energy of samples as a share of that of the values. Those of a short block are transformed with a third of the
 * lines, without a factor that makes up for it.
 */
const SAMPLE_ENERGY = { long: 1 / 2, short: 1 / 6 };

function weightsOf(sampleRate: number): LineWeights {
	const weights = (lines: number, energy: number) =>
		Float64Array.from(
			{ length: lines },
			(_, line) => energy * frequencyWeight(sampleRate, ((line + 0.5) * sampleRate) / (2 * lines)),
		);
	return { long: weights(LINES, SAMPLE_ENERGY.long), short: weights(LINES / 3, SAMPLE_ENERGY.short) };
}
