import { asRecord } from '../../shared/values';

/** Assembles the events of one format's stream into the body that the same request returns without a stream. */
export interface Assembler {
	/**
	 * Adds one event.
	 *
	 * @returns the text that it adds to the answer, empty for none
	 */
	add(event: Fields): string;
	/** Whether the answer is complete, so that it does not matter if the connection is lost after it. */
	readonly isComplete: boolean;
	/** The body, as far as it has arrived. */
	body(): Fields;
}

/** A JSON object of a format. */
export type Fields = Record<string, unknown>;

/** Fields that identify something: a later value replaces an earlier one. */
const REPLACED = ['id', 'type', 'role', 'name', 'index', 'object', 'model'];

/**
 * Adds a chunk of a stream to what is known: texts and lists grow, list elements with an `index` are merged with the
 * element of that index, everything else is replaced. Null and empty texts change nothing.
 */
export function mergeDelta(target: Fields, delta: Fields): void {
	for (const [key, value] of Object.entries(delta)) {
		// Assigning it would change the prototype of the object.
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
	return asRecord(value) !== undefined;
}

/** Copies fields of a chunk that say something. @param ignored values that change nothing */
export function assignFilled(target: Fields, fields: Fields, ignored: unknown[] = [null]): void {
	for (const [key, value] of Object.entries(withoutPrototype(fields))) {
		if (!ignored.includes(value)) target[key] = value;
	}
}

/** The fields except `__proto__`: assigning that one would change the prototype of the object. */
export function withoutPrototype(fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== '__proto__'));
}

/** The elements of a map by their number, lowest first. */
export function inOrder<T>(byIndex: Map<number, T>): T[] {
	return [...byIndex.entries()].sort(([one], [other]) => one - other).map(([, value]) => value);
}

/** The number of a choice, candidate, or block; gateways that send only one may omit it. */
export function indexOf({ index }: Fields): number {
	return typeof index === 'number' ? index : 0;
}
