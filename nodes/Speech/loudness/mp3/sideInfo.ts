import type { Frame } from '../../audio/mp3Frames';
import { BitReader } from './bitReader';

/** How one channel of a granule, 576 samples, is encoded (ISO/IEC 11172-3, 2.4.1.7, and 13818-3, 2.4.1.7). */
export interface Granule {
	/** Its length in bits. */
	length: number;
	/** Values that are encoded in pairs. */
	pairedValues: number;
	/** The factor of all its values, in quarters of a power of two; 210 is 1. */
	gain: number;
	/** Where the gain is in the frame, in bits. */
	gainPosition: number;
	scaleFactorCode: number;
	/** Whether it consists of three short blocks. */
	isShort: boolean;
	/** Whether its lowest frequencies are a long block all the same. */
	isMixed: boolean;
	/** Numbers of the Huffman tables of its three regions. */
	tables: number[];
	/** Bands in the first and the second region; undefined for regions of fixed size. */
	regionBands: [number, number] | undefined;
	/** Factors of the short blocks, in powers of four by which they are divided. */
	blockGains: number[];
	/** Whether higher bands have larger factors. */
	hasEmphasis: boolean;
	/** By how many halves of a power of two one step of a scale factor divides: 1 or 2. */
	scaleFactorStep: number;
	/** Whether values up to 1 are encoded without a code. */
	hasPlainQuads: boolean;
}

/** What stands at the beginning of a frame. */
export interface SideInfo {
	/** How many bytes before this frame its sound begins, without headers. */
	reservoirBytes: number;
	/** For each channel, which groups of scale factors the second granule shares with the first. */
	shared: number[];
	/** For each granule, all channels. */
	granules: Granule[][];
	/** Bytes from the beginning of the frame to its sound. */
	length: number;
	isFirstVersion: boolean;
	/** Whether the second channel is stored as a direction, with other scale factors. */
	hasDirections: boolean;
}

/** @param bytes a whole frame of layer III */
export function sideInfoOf(bytes: Buffer, { channels }: Frame): SideInfo {
	const isFirstVersion = ((bytes[1] >> 3) & 3) === 3;
	const isStereo = channels === 2;
	const hasChecksum = (bytes[1] & 1) === 0;
	const reader = new BitReader(bytes, 8 * (hasChecksum ? 6 : 4));
	const reservoirBytes = reader.bits(isFirstVersion ? 9 : 8);
	reader.bits(isFirstVersion ? (isStereo ? 3 : 5) : channels);
	const shared = Array.from({ length: channels }, () => (isFirstVersion ? reader.bits(4) : 0));
	const granules = Array.from({ length: isFirstVersion ? 2 : 1 }, () =>
		Array.from({ length: channels }, () => readGranule(reader, isFirstVersion)),
	);
	const isJoint = bytes[3] >> 6 === 1;
	const hasDirections = isJoint && (bytes[3] & 0x10) !== 0;
	return { reservoirBytes, shared, granules, length: reader.position >> 3, isFirstVersion, hasDirections };
}

function readGranule(reader: BitReader, isFirstVersion: boolean): Granule {
	const length = reader.bits(12);
	const pairedValues = Math.min(576, 2 * reader.bits(9));
	const gainPosition = reader.position;
	const gain = reader.bits(8);
	const scaleFactorCode = reader.bits(isFirstVersion ? 4 : 9);
	const blocks = reader.bit() === 1 ? readBlocks(reader) : readRegions(reader);
	const hasEmphasis = isFirstVersion ? reader.bit() === 1 : scaleFactorCode >= 500;
	const scaleFactorStep = 1 + reader.bit();
	const hasPlainQuads = reader.bit() === 1;
	const own = { length, pairedValues, gain, gainPosition, scaleFactorCode };
	return { ...own, ...blocks, hasEmphasis, scaleFactorStep, hasPlainQuads };
}

type Blocks = Pick<Granule, 'isShort' | 'isMixed' | 'tables' | 'regionBands' | 'blockGains'>;

/** Short blocks, and the long ones before and after them. */
function readBlocks(reader: BitReader): Blocks {
	const isShort = reader.bits(2) === 2;
	const isMixed = reader.bit() === 1;
	const tables = [reader.bits(5), reader.bits(5), 0];
	const blockGains = [reader.bits(3), reader.bits(3), reader.bits(3)];
	return { isShort, isMixed: isShort && isMixed, tables, regionBands: undefined, blockGains };
}

function readRegions(reader: BitReader): Blocks {
	const tables = [reader.bits(5), reader.bits(5), reader.bits(5)];
	const first = reader.bits(4) + 1;
	const regionBands: [number, number] = [first, reader.bits(3) + 1];
	return { isShort: false, isMixed: false, tables, regionBands, blockGains: [0, 0, 0] };
}
