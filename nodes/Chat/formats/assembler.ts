/** Puts the events of one format's stream together into the body that the same request gives without a stream. */
export interface Assembler {
	/**
	 * Takes one event.
	 *
	 * @returns the text that it adds to the answer, empty for none
	 */
	add(event: Record<string, unknown>): string;
	/** Whether the answer has come to its end, so that a connection lost afterwards does no harm. */
	readonly isComplete: boolean;
	/** The whole body as far as it has come. */
	body(): Record<string, unknown>;
}

type Fields = Record<string, unknown>;

/** Fields that name or sort something: a later value takes the place of an earlier one. */
const REPLACED = ['id', 'type', 'role', 'name', 'index', 'object', 'model'];

/**
 * Adds what a chunk of a stream says to what is known: texts and lists grow, elements with an `index` find
 * their own, everything else is replaced; null and empty texts change nothing that is there.
 */
export function mergeDelta(target: Fields, delta: Fields): void {
	for (const [key, value] of Object.entries(delta)) {
		// Assigned like a field, it would change what the object is.
		if (key === '__proto__') continue;
		target[key] = merged(target[key], value, REPLACED.includes(key));
	}
}

function merged(before: unknown, value: unknown, isReplaced: boolean): unknown {
	if (before === undefined || before === null) return Array.isArray(value) ? mergedList([], value) : value;
	if (value === undefined || value === null) return before;
	if (typeof before === 'string' && typeof value === 'string') {
		if (isReplaced) return value === '' ? before : value;
		return before + value;
	}
	if (Array.isArray(before) && Array.isArray(value)) return mergedList(before, value);
	if (!isFields(before) || !isFields(value)) return value;
	mergeDelta(before, value);
	return before;
}

function mergedList(list: unknown[], delta: unknown[]): unknown[] {
	for (const entry of delta) {
		const known = isFields(entry) && entry.index !== undefined ? withIndex(list, entry.index) : undefined;
		if (known) mergeDelta(known, entry as Fields);
		else list.push(entry);
	}
	return list;
}

function withIndex(list: unknown[], index: unknown): Fields | undefined {
	return list.filter(isFields).find((entry) => entry.index === index);
}

/** Whether a value is an object with named fields. */
export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The elements of a map by their number, lowest first. */
export function inOrder<T>(byIndex: Map<number, T>): T[] {
	return [...byIndex.entries()].sort(([one], [other]) => one - other).map(([, value]) => value);
}

/** The number of a choice, candidate or block; gateways that send only one may leave it out. */
export function indexOf({ index }: Fields): number {
	return typeof index === 'number' ? index : 0;
}
