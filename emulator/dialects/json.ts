import type { StreamEvent } from '../http/streamEvent';

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** Tells whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list; empty for anything that is not a list. */
export function objectsIn(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns an object without some of its fields. */
export function without(object: JsonObject, ...keys: string[]): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Changes every object in a value, innermost objects first. */
export function eachObject(value: unknown, change: (object: JsonObject) => unknown): unknown {
	if (Array.isArray(value)) return value.map((entry) => eachObject(entry, change));
	if (!isObject(value)) return value;
	const inner = Object.entries(value).map(([key, entry]) => [key, eachObject(entry, change)] as const);
	return change(Object.fromEntries(inner));
}

/** Changes every field of a value at any depth, by its key. */
export function eachField(value: unknown, change: (value: unknown, key: string) => unknown): unknown {
	return eachObject(value, (object) =>
		Object.fromEntries(Object.entries(object).map(([key, entry]) => [key, change(entry, key)])),
	);
}

/** Changes the data of every event whose data is JSON. */
export function eachData(events: StreamEvent[], change: (data: unknown) => unknown): StreamEvent[] {
	return events.map((event) =>
		typeof event.data === 'string' ? event : { ...event, data: change(event.data) as object },
	);
}
