/** A first entry with less room than this is left out. */
const LEAST_ROOM = 40;
/** How much room an entry of a list or an object takes at least, roughly. */
const ENTRY_ROOM = 40;

/**
 * A list that takes at most `maxLength` characters as JSON, if that is 200 or more: the last entries are left out, and a
 * first entry that is too long itself is shortened.
 *
 * @param noteOf the entry that says how many are left out
 */
export function shortList(
	list: unknown[],
	maxLength: number,
	noteOf: (left: number) => unknown = (left) => entriesLeft(left, list),
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
	if (kept.length === 0 && room >= LEAST_ROOM) kept.push(...shortened(list[0], room - 1));
	const left = list.length - kept.length;
	return left > 0 ? [...kept, noteOf(left)] : kept;
}

/** The value with texts, lists, and objects that are as long as the room allows; nothing if not even that fits. */
function shortened(value: unknown, room: number): unknown[] {
	for (let most = room; most >= 1; most = Math.floor(most / 2)) {
		const short = cutTo(value, most);
		if (lengthOf(short) <= room) return [short];
	}
	return [];
}

/** The value with the beginnings of its texts, lists, and objects. */
function cutTo(value: unknown, most: number): unknown {
	if (typeof value === 'string') return cutText(value, most);
	if (typeof value !== 'object' || value === null) return value;
	const all = Object.entries(value);
	const kept = all
		.slice(0, Math.max(1, Math.floor(most / ENTRY_ROOM)))
		.map(([name, entry]) => [name, cutTo(entry, most)] as const);
	const left = all.length - kept.length;
	if (Array.isArray(value)) {
		return [...kept.map(([, entry]) => entry), ...(left > 0 ? [entriesLeft(left, value)] : [])];
	}
	return { ...Object.fromEntries(kept), ...(left > 0 ? { leftOut: `${left} more fields` } : {}) };
}

function cutText(text: string, most: number): string {
	if (text.length <= most) return text;
	// A character of two units is not cut in the middle.
	const beginning = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
	return `${beginning}… ${text.length - beginning.length} more of ${text.length} characters`;
}

function entriesLeft(left: number, { length }: unknown[]): string {
	return `… ${left} more of ${length} entries`;
}

/** The length as JSON. What JSON cannot express takes no room. */
function lengthOf(value: unknown): number {
	return JSON.stringify(value)?.length ?? 0;
}
