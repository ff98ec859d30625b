import type { Meaning } from '../../../emulator/dialects';

type Same = Extract<Meaning, { kind: 'same' }>;
type Json = Record<string, unknown>;

/** What follows from the file, if it is another one than the regular. */
const OF_THE_FILE = ['mimeType', 'bytes', 'width', 'height', 'format', 'durationSeconds', 'content', 'name'];
const SHOWN_LENGTH = 60;

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_LENGTH);

/** Masked numbers have no quotes. */
const parsed = (text: string) =>
	JSON.parse(text.replace(/(?<=[:[,])(TIME|ID)(?=[,}\]])/g, '"$1"')) as unknown;

/**
 * Compares the output of a row with the regular one.
 *
 * @param output as in `Row.output`
 * @returns where it is another one than the meaning allows, in words; undefined for nowhere
 */
export function differenceTo(output: string, regular: string, meaning: Meaning): string | undefined {
	const [one, other] = [output, regular].map(parsed);
	if (meaning.kind === 'oneLess')
		return hasOneLess(one, other) ? undefined : 'not the same without one entry';
	return difference(one, other, meaning.kind === 'same' ? meaning : { kind: 'same' }, '');
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
	const { loose = {}, file } = meaning;
	if (file !== undefined && OF_THE_FILE.includes(key)) {
		if (key !== 'mimeType' || one[key] === file) return undefined;
		return `${path}.mimeType is ${shown(one[key])} instead of ${file}`;
	}
	if (key in loose && (one[key] ?? '') === '') return undefined;
	const expected = loose[key];
	if (expected && expected.test(String(one[key]))) return undefined;
	return difference(one[key], other[key], meaning, `${path}.${key}`);
}

const firstOf = (all: Array<string | undefined>) => all.find((one) => one !== undefined);

/**
 * Whether a value is another one without at most one entry of one of its lists, or with a failure in its place. None is
 * missing where the node filters the entry out.
 */
function hasOneLess(one: unknown, other: unknown): boolean {
	return lostEntries(one, other) <= 1;
}

const isFailed = (value: unknown) =>
	isObject(value) && isObject(value.json) && 'error' in value.json && 'details' in value.json;

/** How many entries of its lists a value lacks; NaN if it differs in another way. */
function lostEntries(one: unknown, other: unknown): number {
	if (Array.isArray(one) && Array.isArray(other)) {
		if (one.length === other.length) {
			return one.reduce<number>(
				(sum, entry, index) => sum + (isFailed(entry) ? 1 : lostEntries(entry, other[index])),
				0,
			);
		}
		const rest = [...other];
		// An entry that cannot be read may fail beside the others.
		for (const entry of one.filter((each) => !isFailed(each))) {
			const index = rest.findIndex((known) => lostEntries(entry, known) === 0);
			if (index < 0) return Number.NaN;
			rest.splice(index, 1);
		}
		return rest.length;
	}
	if (isObject(one) && isObject(other)) {
		const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
			(key) => !COUNTS.includes(key),
		);
		return keys.reduce((sum, key) => sum + lostEntries(one[key], other[key]), 0);
	}
	return JSON.stringify(one) === JSON.stringify(other) ? 0 : Number.NaN;
}

/** Fields that count or number the entries of a list, and the names of files, which have the number in them. */
const COUNTS = ['image', 'images', 'track', 'name', 'field', 'total', 'count'];
