import { type Fields, asRecord } from '../../shared/plain/values';

/** Tells whether a value is an object with named fields. */
export function isFields(value: unknown): value is Fields {
	return asRecord(value) !== undefined;
}

/** The value if it is a list, otherwise an empty one. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The objects in a list; none if it is no list. */
export function objectsIn(value: unknown): Fields[] {
	return listOf(value).filter(isFields);
}

/** The elements of a map by their number, lowest first. */
export function inOrder<T>(byIndex: Map<number, T>): T[] {
	return [...byIndex.entries()].sort(([one], [other]) => one - other).map(([, value]) => value);
}

/** The number of a choice, candidate, or block. @param place its place in a list, for gateways that omit the number */
export function indexOf({ index }: Fields, place = 0): number {
	return typeof index === 'number' && index >= 0 ? index : place;
}

/** The elements of a list by their number, if all have one; otherwise in their order. */
export function byIndex<T extends Fields>(list: T[]): T[] {
	if (!list.every(({ index }) => typeof index === 'number')) return list;
	return [...list].sort((one, other) => (one.index as number) - (other.index as number));
}

/** A body without fields that would make it look like one of another format. */
export function withoutFields(body: Fields, names: string[]): Fields {
	return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}
