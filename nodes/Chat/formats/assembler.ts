import { answerFailure } from '../../shared/errors/errorMessages';
import { EVENTS_BUDGET } from '../../shared/plain/budgets';
import { asRecord } from '../../shared/plain/values';
import { beginsAnother, CALLS, isEmptyObject, newIn } from './toolCallPieces';

/** Assembles the events of one format's stream into the body that the same request returns without a stream. */
export interface Assembler {
	/**
	 * Adds one event.
	 *
	 * @returns the text that it adds to the answer, empty for none
	 * @throws GatewayFailure (kind `answer`) when the answer consists of too many values
	 */
	add(event: Fields): string;
	/** Whether the answer is complete, so that it does not matter if the connection is lost after it. */
	readonly isComplete: boolean;
	/** The body, as far as it has arrived. */
	body(): Fields;
}

/** A JSON object of a format. */
export type Fields = Record<string, unknown>;

/** Fields that identify something. */
const IDENTIFYING = ['id', 'type', 'role', 'name', 'index', 'object', 'model'];
/** The texts that the formats send in pieces. Of every other text, the last value counts: many repeat in each chunk. */
const GROWING = [
	...['content', 'text', 'arguments', 'partial_json', 'refusal', 'transcript', 'data'],
	...['reasoning', 'reasoning_content', 'thinking', 'signature', 'summary'],
];

/** Adds the chunks of one stream to what is known, which may become only so large. */
export class Merger {
	private values = 0;
	/** The elements of lists by their `index` or ID, so that finding one does not take longer with each. */
	private readonly elements = new WeakMap<unknown[], Map<unknown, Fields>>();

	/**
	 * Adds a chunk: texts in pieces and lists grow, list elements with an `index` are merged with the element of that
	 * index, and everything else is replaced. Null and empty texts change nothing.
	 *
	 * @throws GatewayFailure (kind `answer`) when there are too many values
	 */
	merge(target: Fields, delta: Fields): void {
		for (const [key, value] of Object.entries(delta)) {
			// Assigning it would change the prototype of the object.
			if (key === '__proto__') continue;
			// Every object has a field called "constructor", for example.
			const before = Object.hasOwn(target, key) ? target[key] : undefined;
			target[key] = this.merged(before, value, key);
		}
	}

	/** Copies fields of a chunk that say something. @param ignored values that change nothing */
	assign(target: Fields, fields: Fields, ignored: unknown[] = [null]): void {
		for (const [key, value] of Object.entries(fields)) {
			if (key === '__proto__' || ignored.includes(value)) continue;
			target[key] = Object.hasOwn(target, key) ? value : this.count(value);
		}
	}

	/** Counts values that the answer now contains. @throws GatewayFailure (kind `answer`) when there are too many */
	count<T>(value: T): T {
		const counted = [value as unknown];
		for (let next = counted.pop(); next !== undefined; next = counted.pop()) {
			this.values += 1;
			if (this.values > EVENTS_BUDGET.values) throw tooManyValues();
			if (typeof next === 'object' && next !== null) {
				for (const inner of Object.values(next)) counted.push(inner ?? null);
			}
		}
		return value;
	}

	private merged(before: unknown, value: unknown, key: string): unknown {
		if (before === undefined || before === null) {
			return Array.isArray(value) ? this.mergedList([], value, key) : this.count(value);
		}
		if (value === undefined || value === null) return before;
		const grows = GROWING.includes(key);
		if (typeof before === 'string' && typeof value === 'string') {
			return grows ? before + value : value === '' ? before : value;
		}
		// A text may have been seen.
		if (typeof before === 'string' && before !== '' && grows && !isEmptyObject(before)) return before;
		if (Array.isArray(before) && Array.isArray(value)) return this.mergedList(before, value, key);
		if (!isFields(before) || !isFields(value)) return value;
		this.merge(before, CALLS.includes(key) ? newIn(before, value) : value);
		return before;
	}

	private mergedList(list: unknown[], delta: unknown[], key: string): unknown[] {
		for (const entry of delta) {
			const known = key === 'tool_calls' ? this.callOf(list, entry) : this.elementOf(list, entry);
			if (known) this.merge(known, entry as Fields);
			else list.push(this.count(entry));
		}
		return list;
	}

	/** The element that an entry with the same `index` continues; a new element is noted for later. */
	private elementOf(list: unknown[], entry: unknown): Fields | undefined {
		if (!isFields(entry) || entry.index === undefined) return undefined;
		const elements = this.elementsOf(list);
		const known = elements.get(entry.index);
		// OpenRouter numbers thoughts of different types, and of different calls, alike.
		if (known && ['type', 'id'].every((name) => isSameOrNone(known[name], entry[name]))) return known;
		elements.set(entry.index, entry);
		return undefined;
	}

	/**
	 * The tool call that an entry continues. Some gateways give all calls the same index, or none: another ID with a name
	 * begins another call.
	 */
	private callOf(list: unknown[], entry: unknown): Fields | undefined {
		if (!isFields(entry)) return undefined;
		const { id, index = null } = entry;
		const elements = this.elementsOf(list);
		const sameId = id ? elements.get(id) : undefined;
		// The same ID at another index is another call.
		const isHere = index === null || (sameId?.index ?? index) === index;
		const last = sameId && isHere ? sameId : elements.get(index);
		const known = last && !beginsAnother(last, entry) ? last : undefined;
		elements.set(index, known ?? entry);
		if (id && !known) elements.set(id, entry);
		return known;
	}

	private elementsOf(list: unknown[]): Map<unknown, Fields> {
		const elements = this.elements.get(list) ?? new Map<unknown, Fields>();
		this.elements.set(list, elements);
		return elements;
	}
}

/** Whether two values do not contradict each other. */
function isSameOrNone(one: unknown, other: unknown): boolean {
	return one === other || !one || !other;
}

function tooManyValues() {
	return answerFailure(`its event stream contains more than ${EVENTS_BUDGET.values} values`, {
		mayHaveBeenCarriedOut: true,
	});
}

/** Names of fields that say nothing about the answer itself. */
const NOT_CONTENT = [...IDENTIFYING, 'logprobs', 'native_finish_reason'];

/** Whether an event continues an answer. Gateways keep a connection open with comments, pings, and empty events. */
export function isProgress(event: Fields): boolean {
	const { choices, candidates, delta, message, content_block: block, promptFeedback } = event;
	const parts = [delta, message, block, promptFeedback].map(asRecord);
	return [choices, candidates, ...parts].some(hasContent);
}

/** Whether a value contains a text, a number, or `true` under a name that stands for content. */
function hasContent(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) {
		return value !== undefined && value !== null && value !== '' && value !== false;
	}
	if (Array.isArray(value)) return value.some(hasContent);
	return Object.entries(value).some(([name, inner]) => !NOT_CONTENT.includes(name) && hasContent(inner));
}

/** Whether a value is an object with named fields. */
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
