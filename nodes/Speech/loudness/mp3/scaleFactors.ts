import type { BitReader } from './bitReader';
import type { Granule, SideInfo } from './sideInfo';

/** Bits of the scale factors of lower and higher bands, by their code (ISO/IEC 11172-3, 2.4.2.7). */
const SIZES = [
	...[
		[0, 0],
		[0, 1],
		[0, 2],
		[0, 3],
		[3, 0],
		[1, 1],
		[1, 2],
		[1, 3],
	],
	...[
		[2, 1],
		[2, 2],
		[2, 3],
		[3, 1],
		[3, 2],
		[3, 3],
		[4, 2],
		[4, 3],
	],
];
/** Number of factors of long blocks that are shared together. */
const LONG_GROUPS = [6, 5, 5, 5];
/** Numbers of factors of each size: for long, short, and mixed blocks (13818-3, 2.4.3.2). */
const GROUPS: number[][][] = [
	[
		[6, 5, 5, 5],
		[9, 9, 9, 9],
		[6, 9, 9, 9],
	],
	[
		[6, 5, 7, 3],
		[9, 9, 12, 6],
		[6, 9, 12, 6],
	],
	[
		[11, 10, 0, 0],
		[18, 18, 0, 0],
		[15, 18, 0, 0],
	],
	[
		[7, 7, 7, 0],
		[12, 12, 12, 0],
		[6, 15, 12, 0],
	],
	[
		[6, 6, 6, 3],
		[12, 9, 9, 6],
		[6, 12, 9, 6],
	],
	[
		[8, 8, 5, 0],
		[15, 12, 9, 0],
		[6, 18, 9, 0],
	],
];

/** Reads the scale factors of a granule of MPEG 1. @param earlier those of the same channel in the first granule */
function readFirstVersion(
	reader: BitReader,
	{ scaleFactorCode, isShort, isMixed }: Granule,
	shared: number,
	earlier: number[] | undefined,
): number[] {
	const [low, high] = SIZES[scaleFactorCode];
	if (isShort) return readGroups(reader, isMixed ? [17, 18] : [18, 18], [low, high]);
	const factors: number[] = [];
	LONG_GROUPS.forEach((count, group) => {
		const isShared = earlier !== undefined && ((shared >> (3 - group)) & 1) === 1;
		const own = isShared
			? earlier.slice(factors.length, factors.length + count)
			: readGroups(reader, [count], [group < 2 ? low : high]);
		factors.push(...own);
	});
	return factors;
}

/** Reads the scale factors of a granule of MPEG 2 and 2.5. @param isDirection whether they are directions */
function readSecondVersion(
	reader: BitReader,
	{ scaleFactorCode, isShort, isMixed }: Granule,
	isDirection: boolean,
): number[] {
	const { table, sizes } = isDirection ? directionSizes(scaleFactorCode >> 1) : sizesOf(scaleFactorCode);
	const groups = GROUPS[table][isShort ? (isMixed ? 2 : 1) : 0];
	return readGroups(reader, groups, sizes);
}

function sizesOf(code: number): { table: number; sizes: number[] } {
	if (code < 400) {
		const high = code >> 4;
		return { table: 0, sizes: [Math.floor(high / 5), high % 5, (code >> 2) & 3, code & 3] };
	}
	if (code < 500) {
		const high = (code - 400) >> 2;
		return { table: 1, sizes: [Math.floor(high / 5), high % 5, code & 3, 0] };
	}
	return { table: 2, sizes: [Math.floor((code - 500) / 3), (code - 500) % 3, 0, 0] };
}

function directionSizes(code: number): { table: number; sizes: number[] } {
	if (code < 180)
		return { table: 3, sizes: [Math.floor(code / 36), Math.floor((code % 36) / 6), code % 6, 0] };
	if (code < 244) {
		const rest = code - 180;
		return { table: 4, sizes: [rest >> 4, (rest >> 2) & 3, rest & 3, 0] };
	}
	return { table: 5, sizes: [Math.floor((code - 244) / 3), (code - 244) % 3, 0, 0] };
}

function readGroups(reader: BitReader, counts: number[], sizes: number[]): number[] {
	return counts.flatMap((count, group) => Array.from({ length: count }, () => reader.bits(sizes[group])));
}

/**
 * Reads the scale factors of one channel of a granule.
 *
 * @param earlier those of the same channel in the first granule of the frame
 * @returns for long blocks one per band, and for short ones three, one per block; missing ones are zero
 */
export function readScaleFactors(
	reader: BitReader,
	granule: Granule,
	{ isFirstVersion, shared, hasDirections }: SideInfo,
	channel: number,
	earlier: number[] | undefined,
): number[] {
	return isFirstVersion
		? readFirstVersion(reader, granule, shared[channel], earlier)
		: readSecondVersion(reader, granule, hasDirections && channel === 1);
}
