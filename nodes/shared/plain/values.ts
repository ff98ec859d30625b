import { hash } from 'crypto';

/** An object of JSON. */
export type Fields = Record<string, unknown>;

/** The value as an object with named fields, or undefined. */
export function asRecord(value: unknown): Fields | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The value if it is text, otherwise the fallback. */
export function textOr(value: unknown, fallback = ''): string {
	return typeof value === 'string' ? value : fallback;
}

/** The entry of a table for a name from outside, which may also be `constructor` or another name that all objects have. */
export function entryOf<T>(table: Record<string, T>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A text without the given characters at its end; a regular expression takes quadratic time for that. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}

/** Any value as text: an empty text for null and undefined, JSON for objects and lists, the ISO time of a date. */
export function toText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return `${value as string}`;
	// Dates of JavaScript and of Luxon, in which n8n's `$now` is one.
	const { toJSON } = value as { toJSON?: unknown };
	return typeof toJSON === 'function' ? toText(toJSON.call(value)) : JSON.stringify(value);
}

/** An object without the fields that have no value, which n8n leaves out when it saves an item. */
export function withoutGaps<T extends object>(fields: T): T {
	if (!Object.values(fields).includes(undefined)) return fields;
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Milliseconds since the epoch as an ISO time; undefined for a number that is no time. */
export function isoTime(milliseconds: number): string | undefined {
	const time = new Date(milliseconds);
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** As milliseconds, a smaller number would be within four months of 1970: it counts seconds. */
const MOST_SECONDS = 1e10;

/** A moment from outside (a date, or a time since the epoch) as an ISO time; undefined also for 0. */
export function timeOf(value: unknown): string | undefined {
	const count = numberOf(value);
	if (count === undefined) {
		const milliseconds = Date.parse(textOr(value));
		return milliseconds > 0 ? isoTime(milliseconds) : undefined;
	}
	if (count <= 0) return undefined;
	return isoTime(count < MOST_SECONDS ? count * 1000 : count);
}

/** A number that may have been sent as text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
	const isNumber =
		typeof value === 'string' &&
		/^\s{0,9}[-+]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][-+]?\d{1,3})?\s{0,9}$/.test(value);
	return isNumber ? numberOf(Number(value)) : undefined;
}

/** Tells whether a text contains nothing but white space. */
export function isBlank(text: string): boolean {
	return text.trim() === '';
}

/** For lists that are sorted while n8n loads the nodes: the data of `localeCompare` takes milliseconds to load. */
export function compareTexts(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}

/** Entries with the same key together; both groups and entries keep their order. */
export function groupBy<Entry>(entries: Entry[], keyOf: (entry: Entry) => string): Entry[][] {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return [...groups.values()];
}

/** A number may have this many characters; an empty object takes as much memory. */
const VALUE_LENGTH = 20;

/** The approximate length of a value as JSON, much faster than writing it. Small values count as long ones. */
export function approximateLength(value: unknown): number {
	if (typeof value === 'string') return value.length + 2;
	if (typeof value !== 'object' || value === null) return VALUE_LENGTH;
	// Vectors are long.
	if (Array.isArray(value) && value.every((entry) => typeof entry === 'number')) {
		return Math.max(1, value.length) * VALUE_LENGTH;
	}
	let length = VALUE_LENGTH;
	for (const [name, entry] of Object.entries(value)) length += name.length + 4 + approximateLength(entry);
	return length;
}

const KEY_CHARACTER = /[\w.~+/=%-]/;
/** Hardly any key is longer; a longer run of its characters is a file, for example. */
const MOST_KEY_CHARACTERS = 200;

/**
 * The beginning of a text, of at most `length` characters. A cut within a key would leave a beginning of it, which may be too
 * short to be found, so the word at the cut goes as well.
 */
export function beginningOf(text: string, length: number): string {
	if (text.length <= length) return text;
	let end = length;
	while (end > 0 && KEY_CHARACTER.test(text.charAt(end - 1))) {
		end -= 1;
		if (length - end > MOST_KEY_CHARACTERS) return text.slice(0, length);
	}
	return text.slice(0, end);
}

/** A copy of the first `length` characters of a value, for failures that keep what arrived. Written as JSON, a value of 30 MB would keep the event loop. */
export function shortened<T>(value: T, length: number): T {
	let left = length;
	const copy = (one: unknown): unknown => {
		left -= typeof one === 'number' ? VALUE_LENGTH : 1;
		if (typeof one === 'string') {
			const text = beginningOf(one, Math.max(0, left));
			left -= Math.min(one.length, Math.max(0, left));
			return text;
		}
		if (typeof one !== 'object' || one === null) return one;
		if (Array.isArray(one)) {
			const list: unknown[] = [];
			for (let index = 0; index < one.length && left > 0; index++) list.push(copy(one[index]));
			return list;
		}
		const fields: Array<[string, unknown]> = [];
		for (const name in one) {
			if (left <= 0) break;
			left -= name.length;
			fields.push([name, copy((one as Record<string, unknown>)[name])]);
		}
		return Object.fromEntries(fields);
	};
	return copy(value) as T;
}

/** A short text that differs where texts differ, and tells nothing about them. */
export function hashOf(text: string): string {
	return hash('sha256', text, 'base64url').slice(0, 22);
}
