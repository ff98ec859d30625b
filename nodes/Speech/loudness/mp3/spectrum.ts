import { bandsOf } from './bands';
import type { BitReader } from './bitReader';
import { readPairs, readQuad } from './huffman';
import type { Granule } from './sideInfo';

/** Lines of a granule. */
export const LINES = 576;
/** Short blocks that follow long ones in a mixed granule begin at this line. */
const MIXED_LINES = 36;
/** Factors of the highest bands, if they are emphasized (ISO/IEC 11172-3, table B.6). */
const EMPHASIS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 2, 0];

/**
 * Decodes the values of a granule.
 *
 * @param end position after the granule, in bits
 * @param values receives them, without their signs
 */
export function readValues(
	reader: BitReader,
	granule: Granule,
	sampleRate: number,
	end: number,
	values: Int32Array,
): void {
	const { pairedValues, tables, hasPlainQuads } = granule;
	const [first, second] = regionEnds(granule, sampleRate);
	readPairs(reader, tables[0], values, 0, Math.min(first, pairedValues));
	readPairs(reader, tables[1], values, first, Math.min(second, pairedValues));
	readPairs(reader, tables[2], values, second, pairedValues);
	let index = pairedValues;
	for (; index + 4 <= LINES && reader.position < end; index += 4) {
		readQuad(reader, hasPlainQuads, values, index);
		// Bits that fill the granule are no values.
		if (reader.position > end) break;
	}
	values.fill(0, index);
}

function regionEnds({ regionBands, isShort, isMixed }: Granule, sampleRate: number): [number, number] {
	const { long, short } = bandsOf(sampleRate);
	if (!regionBands) return [isShort && !isMixed ? 3 * short[3] : long[8], LINES];
	const [first, second] = regionBands;
	return [long[first] ?? LINES, long[first + second] ?? LINES];
}

/** How much each line counts, by its place among the lines of its block. */
export interface LineWeights {
	long: Float64Array;
	short: Float64Array;
}

/** The energy of the values of a granule. @param factors scale factors */
export function energyOf(
	granule: Granule,
	factors: number[],
	values: Int32Array,
	sampleRate: number,
	weights: LineWeights,
): number {
	const bands = bandsOf(sampleRate);
	const { isShort, isMixed, hasEmphasis, blockGains } = granule;
	let energy = 0;
	let line = 0;
	let factor = 0;
	const add = (end: number, weight: Float64Array, from: number, steps: number) => {
		let sum = 0;
		for (let index = line; index < end; index++) {
			const value = values[index];
			if (value > 0) sum += weight[from + index - line] * powerOf(value);
		}
		energy += sum * 2 ** (-steps * granule.scaleFactorStep);
		line = end;
	};
	const longEnd = isShort ? (isMixed ? MIXED_LINES : 0) : LINES;
	for (let band = 0; line < longEnd; band++) {
		add(
			bands.long[band + 1],
			weights.long,
			line,
			(factors[factor++] ?? 0) + (hasEmphasis ? EMPHASIS[band] : 0),
		);
	}
	for (let band = bands.short.findIndex((start) => 3 * start >= line); line < LINES; band++) {
		const width = bands.short[band + 1] - bands.short[band];
		for (let block = 0; block < 3; block++) {
			const own = (factors[factor++] ?? 0) + (4 * blockGains[block]) / granule.scaleFactorStep;
			add(line + width, weights.short, bands.short[band], own);
		}
	}
	return energy * 2 ** ((granule.gain - 210) / 2);
}

/** Values are powers of their roots; so their energies are these. */
const SMALL_POWERS = Float64Array.from({ length: 64 }, (_, value) => value ** (8 / 3));

function powerOf(value: number): number {
	return value < SMALL_POWERS.length ? SMALL_POWERS[value] : value ** (8 / 3);
}
