import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');

/** A plausible mistake in one place of the source. */
export interface Fault {
	/** The promise of the docs that the fault breaks. */
	promise: string;
	/** The path relative to the project, with slashes. */
	file: string;
	find: string;
	replace: string;
}

/** Reads all faults from `faults.txt`, which explains its format. */
export function faults(): Fault[] {
	const all: Fault[] = [];
	let file = '';
	for (const line of readFileSync(join(__dirname, 'faults.txt'), 'utf8').split('\n')) {
		const text = line.slice(2);
		const last = all.at(-1);
		if (line.startsWith('=== ')) file = line.slice(4);
		else if (line.startsWith('#')) all.push({ promise: text, file, find: '', replace: '' });
		else if (line.startsWith('-') && last) last.find = text;
		else if (line.startsWith('+') && last) last.replace = text;
	}
	return all;
}

/** Returns the source of a file with a fault. @throws RangeError unless exactly one place matches */
export function plantedSource({ file, find, replace }: Fault): string {
	const source = readFileSync(join(PROJECT, file), 'utf8');
	// Formatting may have moved a part of it to another line.
	const words = find.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	const places = [...source.matchAll(new RegExp(words.join('\\s+'), 'g'))];
	if (find === '' || places.length !== 1) throw new RangeError(`${places.length} places: ${find}`);
	const [{ 0: found, index }] = places;
	return source.slice(0, index) + replace + source.slice(index + found.length);
}
