/** A text, list, or object that would have less room than this is left out. */
const LEAST_ROOM = 40;
/** Room for the words that say what is left out. */
const NOTE_LENGTH = 60;

/**
 * A list that takes at most `maxLength` characters as JSON, if that is 200 or more: the last entries are left out, and a
 * first entry that is too long itself is shortened, with its longest fields first.
 *
 * @param noteOf the entry that says how many are left out
 */
export function shortList(
	list: unknown[],
	maxLength: number,
	noteOf: (left: number) => unknown = (left) => `… ${left} more of ${list.length} entries`,
): unknown[] {
	if (lengthOf(list) <= maxLength) return list;
	const kept: unknown[] = [];
	let room = maxLength - 2 - lengthOf(noteOf(list.length));
	for (const entry of list) {
		const length = lengthOf(entry) + 1;
		if (length > room) break;
		kept.push(entry);
		room -= length;
	}
	if (kept.length === 0 && room >= LEAST_ROOM) kept.push(short(list[0], room - 1));
	const left = list.length - kept.length;
	return left > 0 ? [...kept, noteOf(left)] : kept;
}

function short(value: unknown, room: number): unknown {
	if (lengthOf(value) <= room) return value;
	if (typeof value === 'string') return shortText(value, room);
	if (Array.isArray(value)) return shortList(value, room);
	return shortRecord(value as Record<string, unknown>, room);
}

/** The beginning of a text. Escapes count as JSON writes them. */
function shortText(text: string, room: number): string {
	let end = Math.max(0, room - NOTE_LENGTH);
	while (end > 0 && lengthOf(text.slice(0, end)) > room - NOTE_LENGTH) end = Math.floor(end * 0.8);
	// A character of two units is not cut in the middle.
	if (/[\uD800-\uDBFF]$/.test(text.slice(0, end))) end -= 1;
	return `${text.slice(0, end)}… ${text.length - end} more of ${text.length} characters`;
}

/** All fields share the room; what the short ones do not need is for the long ones. */
function shortRecord(record: Record<string, unknown>, room: number): Record<string, unknown> {
	const lengths = Object.entries(record).map(([name, value]) => ({
		name,
		length: lengthOf(name) + 2 + lengthOf(value),
	}));
	let left = room - NOTE_LENGTH;
	const kept = new Map<string, unknown>();
	const fromShortest = lengths.sort((one, other) => one.length - other.length);
	for (const [index, { name, length }] of fromShortest.entries()) {
		const share = Math.floor(left / (fromShortest.length - index));
		if (length > share && share - lengthOf(name) < LEAST_ROOM + NOTE_LENGTH) continue;
		const value = length > share ? short(record[name], share - lengthOf(name) - 2) : record[name];
		kept.set(name, value);
		left -= lengthOf(name) + 2 + lengthOf(value);
	}
	const fields = Object.keys(record).filter((name) => kept.has(name));
	const missing = fromShortest.length - fields.length;
	return {
		...Object.fromEntries(fields.map((name) => [name, kept.get(name)])),
		...(missing > 0 ? { leftOut: `${missing} more fields` } : {}),
	};
}

/** The length as JSON. What JSON cannot express takes no room. */
function lengthOf(value: unknown): number {
	return JSON.stringify(value)?.length ?? 0;
}
