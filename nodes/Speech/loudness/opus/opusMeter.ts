import { OPUS_RATE, type OpusPacket } from '../../audio/opus';
import { frequencyWeight } from '../kWeighting';
import { LevelMeter } from '../levels';
import { readBandEnergies } from './bandEnergies';
import { framesOf, modeOf, type OpusMode } from './opusFrames';
import { RangeDecoder } from './rangeDecoder';

/** The first line of each band of a frame of 2.5 ms, and the end (RFC 6716, table 55). */
const BANDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 34, 40, 48, 60, 78, 100];
const LINE_HERTZ = 200;
/** What energies are relative to, in powers of two (RFC 6716, 4.3.2.1). */
const MEANS = [
	...[6.4375, 6.25, 5.75, 5.3125, 5.0625, 4.8125, 4.5, 4.375, 4.875, 4.6875, 4.5625],
	...[4.4375, 4.875, 4.625, 4.3125, 4.5, 4.375, 4.625, 4.75, 4.4375, 3.75],
];
/** High frequencies are encoded louder than they are. */
const EMPHASIS = 0.85;
/** The energy of a frame without sound, in powers of two. */
const NO_ENERGY = -28;
/** What stands for speech whose energy is not known. */
const SOME_ENERGY = 0.001;
/** Symbols of the filter after decoding. */
const TAPSET = [2, 1, 0];
/** The energy of samples as a share of that of their bands. */
const SAMPLE_ENERGY = 10 ** -9.43;

/** Measures how loud an Opus stream is, from the energies of its bands; nothing is decoded into samples. */
export class OpusMeter {
	/** Whether all energies are known; those of frames for speech at low bit rates are not. */
	isMeasured = true;
	private readonly meter = new LevelMeter();
	private readonly energies: number[][] = MEANS.map(() => [0, 0]);

	get levels(): number[] {
		return this.meter.levels;
	}

	add({ bytes, samples }: OpusPacket): void {
		const mode = modeOf(bytes);
		const frames = framesOf(bytes);
		for (const frame of frames) {
			this.meter.add(this.energyOf(frame, mode), samples / frames.length / OPUS_RATE);
		}
	}

	private energyOf(frame: Buffer, mode: OpusMode): number {
		if (frame.length <= 1) return 0;
		const decoder = new RangeDecoder(frame);
		if (mode.layer === 'celt') return this.bandEnergy(decoder, mode);
		this.isMeasured = false;
		return speaks(decoder, mode) ? SOME_ENERGY : 0;
	}

	/** Reads what stands before the energies (RFC 6716, 4.3), and adds them up. */
	private bandEnergy(decoder: RangeDecoder, { samples, bands, channels }: OpusMode): number {
		if (decoder.bit(15)) {
			for (const band of this.energies) band.fill(NO_ENERGY);
			return 0;
		}
		const size = Math.log2(samples / 120);
		const fits = (bits: number) => decoder.used + bits <= decoder.size;
		const filtered = fits(16) && decoder.bit(1) ? readFilter(decoder) : 1;
		const isTransient = size > 0 && fits(3) && decoder.bit(3);
		const isIndependent = fits(3) && decoder.bit(3);
		readBandEnergies(decoder, { size, isIndependent, bands, channels }, this.energies);
		let energy = 0;
		for (let band = 0; band < bands; band++) {
			for (let channel = 0; channel < channels; channel++) {
				energy += WEIGHTS[band] * 4 ** (this.energies[band][channel] + MEANS[band]);
			}
		}
		return energy / filtered / (isTransient ? 2 ** size : 1);
	}
}

/** Gains of the filter are multiples of this; encoders choose this share of what they measure. */
const FILTER = { gain: 3 / 32, share: 0.45 };

/**
 * Reads the filter that makes sounds with a pitch quieter before they are encoded, and louder afterwards.
 *
 * @returns about how much of the energy is left between the two
 */
function readFilter(decoder: RangeDecoder): number {
	const octave = decoder.uniform(6);
	decoder.rawBits(4 + octave);
	const gain = FILTER.gain * (decoder.rawBits(3) + 1);
	if (decoder.used + 2 <= decoder.size) decoder.symbol(TAPSET, 2);
	const likeness = Math.min(1, gain / FILTER.share);
	return 1 + gain ** 2 - 2 * gain * likeness;
}

/** Whether the encoder has heard speech in one of the parts of a frame (RFC 6716, 4.2.3). */
function speaks(decoder: RangeDecoder, { samples }: OpusMode): boolean {
	const parts = Math.max(1, samples / 960);
	let speech = false;
	for (let part = 0; part < parts; part++) speech = decoder.bit(1) || speech;
	return speech;
}

/** How much each band counts. */
const WEIGHTS = MEANS.map((_, band) => {
	let sum = 0;
	for (let line = BANDS[band]; line < BANDS[band + 1]; line += 0.25) {
		const frequency = (line + 0.125) * LINE_HERTZ;
		const cosine = Math.cos((2 * Math.PI * frequency) / OPUS_RATE);
		sum += frequencyWeight(OPUS_RATE, frequency) / (1 + EMPHASIS ** 2 - 2 * EMPHASIS * cosine);
	}
	return (SAMPLE_ENERGY * sum) / (4 * (BANDS[band + 1] - BANDS[band]));
});
