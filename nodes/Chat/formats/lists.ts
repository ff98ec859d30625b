import { type Fields, asRecord } from '../../shared/plain/values';

/** Tells whether a value is an object with named fields. */
export function isFields(value: unknown): value is Fields {
	return asRecord(value) !== undefined;
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Returns the objects in a list; none if the value is not a list. */
export function objectsIn(value: unknown): Fields[] {
	return listOf(value).filter(isFields);
}

/** Returns the elements of a map, sorted by their number. */
export function inOrder<T>(byIndex: Map<number, T>): T[] {
	return [...byIndex.entries()].sort(([one], [other]) => one - other).map(([, value]) => value);
}

/** Returns the number of a choice, candidate, or block. @param place the number to use if the gateway omits it */
export function indexOf({ index }: Fields, place = 0): number {
	return typeof index === 'number' && index >= 0 ? index : place;
}

/** Sorts the elements of a list by their `index`, if all have one; otherwise they keep their order. */
export function byIndex<T extends Fields>(list: T[]): T[] {
	if (!list.every(({ index }) => typeof index === 'number')) return list;
	return [...list].sort((one, other) => (one.index as number) - (other.index as number));
}
