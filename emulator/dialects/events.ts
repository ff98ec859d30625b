import type { StreamEvent } from '../http/streamEvent';
import { type Dialect, variant } from './dialect';
import { isObject, type JsonObject, objectsIn } from './json';

type Change = (events: StreamEvent[]) => StreamEvent[];

/** Returns a function that defines dialects of the event streams of some routes. */
export const onRoute =
	(prefix: string, routes: readonly string[]) =>
	(
		name: string,
		description: string,
		source: string,
		events: Change,
		variable: Readonly<Record<string, RegExp | null>> = {},
	): Dialect =>
		variant({
			name: `${prefix}-${name}`,
			description,
			source,
			routes,
			needsStream: true,
			meaning: { kind: 'same', variable },
			events,
		});

/** Returns the data of an event; empty if it is not an object. */
export function dataOf({ data }: StreamEvent): JsonObject {
	return isObject(data) ? data : {};
}

/** Returns the choices of a chunk. */
export function choicesOf(event: StreamEvent): JsonObject[] {
	return objectsIn(dataOf(event).choices);
}

/** Merges each event that `isMeant` selects into the event before it. */
export const merged =
	(
		isMeant: (event: StreamEvent) => boolean,
		merge: (before: JsonObject, data: JsonObject) => JsonObject,
	): Change =>
	(events) => {
		const after: StreamEvent[] = [];
		for (const event of events) {
			const before = after.pop();
			if (before && isMeant(event)) after.push({ ...before, data: merge(dataOf(before), dataOf(event)) });
			else after.push(...(before ? [before] : []), event);
		}
		return after;
	};

/** Inserts an event after every other one, except after the sentinel. */
export const between =
	(extra: StreamEvent): Change =>
	(events) =>
		events.flatMap((event) => (event.data === '[DONE]' ? [event] : [event, extra]));

/** Changes the choices of every chunk. */
export const choices =
	(change: (choice: JsonObject) => unknown): Change =>
	(events) =>
		events.map((event) => {
			const list = choicesOf(event);
			return list.length === 0 ? event : { ...event, data: { ...dataOf(event), choices: list.map(change) } };
		});
