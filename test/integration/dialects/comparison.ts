import type { Meaning } from '../../../emulator/dialects';

type Same = Extract<Meaning, { kind: 'same' }>;
type Json = Record<string, unknown>;

/** What follows from the file, if it is another one than the regular. */
const OF_THE_FILE = [
	...['mimeType', 'bytes', 'width', 'height', 'format', 'durationSeconds', 'content', 'name', 'problem'],
];
const SHOWN_LENGTH = 60;

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_LENGTH);

/**
 * Compares the output of a row with the regular one.
 *
 * @returns where it is another one than the meaning allows, in words; undefined for nowhere
 */
export function differenceTo(output: unknown, regular: unknown, meaning?: Meaning): string | undefined {
	return difference(output, regular, meaning?.kind === 'same' ? meaning : { kind: 'same' }, '');
}

function difference(one: unknown, other: unknown, meaning: Same, path: string): string | undefined {
	if (Array.isArray(one) && Array.isArray(other)) {
		if (one.length !== other.length) return `${path} has ${one.length} instead of ${other.length} entries`;
		return firstOf(one.map((entry, index) => difference(entry, other[index], meaning, `${path}[${index}]`)));
	}
	if (isObject(one) && isObject(other)) {
		const keys = [...new Set([...Object.keys(other), ...Object.keys(one)])];
		return firstOf(keys.map((key) => fieldDifference(key, one, other, meaning, path)));
	}
	return JSON.stringify(one) === JSON.stringify(other)
		? undefined
		: `${path} is ${shown(one)} instead of ${shown(other)}`;
}

function fieldDifference(
	key: string,
	one: Json,
	other: Json,
	meaning: Same,
	path: string,
): string | undefined {
	const { variable = {}, file } = meaning;
	if (file !== undefined && OF_THE_FILE.includes(key)) {
		if (key !== 'mimeType' || one[key] === file) return undefined;
		return `${path}.mimeType is ${shown(one[key])} instead of ${file}`;
	}
	// What the gateway does not send is left out, or null, but not a text without content.
	if (key in variable && (one[key] ?? undefined) === undefined) return undefined;
	const expected = variable[key];
	const value = typeof one[key] === 'string' ? one[key] : JSON.stringify(one[key]);
	if (expected && expected.test(value ?? '')) return undefined;
	return difference(one[key], other[key], meaning, `${path}.${key}`);
}

const firstOf = (all: Array<string | undefined>) => all.find((one) => one !== undefined);
