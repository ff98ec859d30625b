import type { BitReader } from './bitReader';
import { PAIR_CODES, QUAD_CODE } from './huffmanCodes';

/**
 * A code as a tree in one array: at each node, what follows a zero and what follows a one. That is another node, or, if
 * negative, a symbol (−1 − symbol).
 */
type Tree = Int16Array;

/** Bits that are added to the value 15, by the number of the table, from 16. */
const EXTRA_BITS = [1, 2, 3, 4, 6, 8, 10, 13, 4, 5, 6, 7, 8, 9, 11, 13];
/** Tables from here, and from here, differ in their extra bits only. */
const [FIRST_LONG, SECOND_LONG] = [16, 24];

const trees = new Map<number, Tree>();
const quadTree = treeOf(QUAD_CODE);

/** Decodes values in pairs. @param table 0 to 31 @param end index in `values` after the last one */
export function readPairs(
	reader: BitReader,
	table: number,
	values: Int32Array,
	start: number,
	end: number,
): void {
	const tree = pairTree(table);
	const extraBits = table >= FIRST_LONG ? EXTRA_BITS[table - FIRST_LONG] : 0;
	for (let index = start; index < end; index += 2) {
		if (!tree) {
			values[index] = values[index + 1] = 0;
			continue;
		}
		const pair = readSymbol(reader, tree);
		values[index] = readValue(reader, pair >> 4, extraBits);
		values[index + 1] = readValue(reader, pair & 15, extraBits);
	}
}

/** Decodes four values, each of which is at most 1, without their signs. @param isPlain whether each value is a bit */
export function readQuad(reader: BitReader, isPlain: boolean, values: Int32Array, start: number): void {
	const quad = isPlain ? 15 - reader.bits(4) : readSymbol(reader, quadTree);
	for (let index = 0; index < 4; index++) {
		const value = (quad >> (3 - index)) & 1;
		values[start + index] = value;
		if (value === 1) reader.bit();
	}
}

/** A value without its sign. */
function readValue(reader: BitReader, value: number, extraBits: number): number {
	if (value === 0) return 0;
	const size = value === 15 && extraBits > 0 ? value + reader.bits(extraBits) : value;
	reader.bit();
	return size;
}

function readSymbol(reader: BitReader, tree: Tree): number {
	let node = 0;
	do node = tree[node + reader.bit()];
	while (node > 0);
	return -1 - node;
}

/** @returns undefined for the tables without codes, whose values are all zero */
function pairTree(table: number): Tree | undefined {
	const number = table >= SECOND_LONG ? SECOND_LONG : Math.min(table, FIRST_LONG);
	const known = trees.get(number);
	if (known || !(number in PAIR_CODES)) return known;
	const tree = treeOf(PAIR_CODES[number]);
	trees.set(number, tree);
	return tree;
}

function treeOf(code: string): Tree {
	const tree: number[] = [];
	let position = 0;
	const read = (): number => {
		if (code[position] !== '.') {
			position += 2;
			return -1 - Number.parseInt(code.slice(position - 2, position), 16);
		}
		position += 1;
		const node = tree.push(0, 0) - 2;
		tree[node] = read();
		tree[node + 1] = read();
		return node;
	};
	read();
	return Int16Array.from(tree);
}
