import type { RangeDecoder } from './rangeDecoder';

/** How likely the energies of bands are, by frame size: for each band, of no difference, and how it falls from there. */
const PROBABILITIES = [
	[
		'487f41814280418040803e80408040805c4e5c4f5c4e5a4f742973287228841a841a9111a10cb00ab10b',
		'18b3308a3687368435863885378437843d7246604a584b58574a59425b43643b6c3278287a25612b4e32',
	],
	[
		'534e5451584b564a57475a495d4a5d4a6d287224752275228f1191129213a20ca50ab207bd06be08b109',
		'17b236733f66426245634a59475b495b4e5956505c425d40663b673c683c75347b2c8a23851f61264d2d',
	],
	[
		'3d5a5d3c692a6b296e2d7426712670267c1a841b88138c149b0e9f109e12aa0db10abb08c006af099f0a',
		'15b23b6e47564b5554535b42584957485c4b6248693a6b367334723770388133842896218c1d62234d2a',
	],
	[
		'2a7960426c2b6f28752c7b20782477217f2186228b15931798149e199a1aa615ad10b80db80a960d8b0f',
		'16b23f724a5254535c52673e6048604365496b48713776347d3476347537873189279d20911d61214d28',
	],
].map((both) => both.map((bytes) => Buffer.from(bytes, 'hex')));
/** How much of the energy in the frame before is expected, by frame size; nothing of it in an independent frame. */
const OF_EARLIER = [29_440, 26_112, 21_248, 16_384].map((share) => share / 32_768);
/** How much of a difference is not expected in the next band. */
const OF_LOWER_BAND = [30_147, 22_282, 12_124, 6554].map((share) => share / 32_768);
const OF_LOWER_BAND_INDEPENDENT = 4915 / 32_768;
/** Where few bits are left: no difference, or one step down or up. */
const SMALL_DIFFERENCES = [2, 1, 0];
/** Energies are not expected to be below this, in powers of two. */
const LEAST_EXPECTED = -9;
/** The last band with probabilities of its own. */
const LAST_BAND = 20;

/** What the energies of a frame are encoded with. */
export interface EnergyFrame {
	/** 0 to 3, for 2.5 to 20 ms. */
	size: number;
	/** Whether the energies of the frame before are not needed. */
	isIndependent: boolean;
	bands: number;
	channels: number;
}

/**
 * Reads the energy of each band, in powers of two of its amplitude (RFC 6716, 4.3.2.1, in steps of 6 dB).
 *
 * @param energies those of the frame before, for each band all channels; they are changed
 */
export function readBandEnergies(
	decoder: RangeDecoder,
	{ size, isIndependent, bands, channels }: EnergyFrame,
	energies: number[][],
): void {
	const probabilities = PROBABILITIES[size][isIndependent ? 1 : 0];
	const ofEarlier = isIndependent ? 0 : OF_EARLIER[size];
	const ofLowerBand = 1 - (isIndependent ? OF_LOWER_BAND_INDEPENDENT : OF_LOWER_BAND[size]);
	const lower = new Array<number>(channels).fill(0);
	for (let band = 0; band < bands; band++) {
		const at = 2 * Math.min(band, LAST_BAND);
		for (let channel = 0; channel < channels; channel++) {
			const difference = readDifference(decoder, probabilities[at], probabilities[at + 1]);
			const earlier = Math.max(LEAST_EXPECTED, energies[band][channel]);
			energies[band][channel] = ofEarlier * earlier + lower[channel] + difference;
			lower[channel] += ofLowerBand * difference;
		}
	}
}

function readDifference(decoder: RangeDecoder, ofNone: number, decay: number): number {
	const left = decoder.size - decoder.used;
	if (left >= 15) return readLaplace(decoder, ofNone << 7, decay << 6);
	if (left >= 2) {
		const code = decoder.symbol(SMALL_DIFFERENCES, 2);
		return (code >> 1) ^ -(code & 1);
	}
	return left >= 1 && !decoder.bit(1) ? 0 : -1;
}

/** Numbers around zero that are never less likely than this; so many of them on either side. */
const RARE = { frequency: 1, numbers: 16 };

/** A number whose probability falls with its distance from zero. @param ofNone of 2^15 @param decay of 2^14 */
function readLaplace(decoder: RangeDecoder, ofNone: number, decay: number): number {
	const position = decoder.peek();
	if (position < ofNone) {
		decoder.take(0, ofNone);
		return 0;
	}
	let distance = 1;
	let low = ofNone;
	const others = 32_768 - 2 * RARE.numbers * RARE.frequency - ofNone;
	let frequency = ((others * (16_384 - decay)) >> 15) + RARE.frequency;
	while (frequency > RARE.frequency && position >= low + 2 * frequency) {
		low += 2 * frequency;
		frequency = (((2 * frequency - 2 * RARE.frequency) * decay) >> 15) + RARE.frequency;
		distance += 1;
	}
	if (frequency <= RARE.frequency) {
		const further = (position - low) >> 1;
		distance += further;
		low += 2 * further * RARE.frequency;
	}
	const isNegative = position < low + frequency;
	if (!isNegative) low += frequency;
	decoder.take(low, Math.min(low + frequency, 32_768));
	return isNegative ? -distance : distance;
}
