import { type Fields, asRecord } from '../../shared/plain/values';

/** Assembles the events of one format's stream into the body that the same request returns without a stream. */
export interface Assembler {
	/** Adds one event. @returns the text that it adds to the answer, empty for none */
	add(event: Fields): string;
	/** True if the answer is complete, so that it does not matter if the connection is lost after it. */
	readonly isComplete: boolean;
	body(): Fields;
}

/** Names of fields that say nothing about the answer itself. */
const NOT_CONTENT = [
	...['id', 'type', 'role', 'index', 'object', 'model'],
	...['logprobs', 'native_finish_reason'],
];

/** Tells whether an event continues an answer. Gateways keep a connection open with comments, pings, and empty events. */
export function isProgress(event: Fields): boolean {
	const { choices, candidates, delta, message, content_block: block, promptFeedback } = event;
	const parts = [message, block, promptFeedback].map(asRecord);
	// The delta of the Responses API is a text.
	return [choices, candidates, delta, ...parts].some(hasContent);
}

/** Tells whether a value contains a text, a number, or `true` under a name that stands for content. */
function hasContent(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) {
		return value !== undefined && value !== null && value !== '' && value !== false;
	}
	if (Array.isArray(value)) return value.some(hasContent);
	return Object.entries(value).some(([name, inner]) => !NOT_CONTENT.includes(name) && hasContent(inner));
}

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
