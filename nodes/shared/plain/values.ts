import { hash } from 'crypto';

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** Returns the value if it is an object with named fields; otherwise undefined. */
export function asRecord(value: unknown): Fields | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Returns the value if it is text; otherwise the fallback. */
export function textOr(value: unknown, fallback = ''): string {
	return typeof value === 'string' ? value : fallback;
}

/** Returns the first text or number under these names, as text; undefined for none. */
export function firstTextIn(fields: Fields | undefined, names: string[]): string | undefined {
	const value = names.map((name) => fields?.[name]).find(isIdentifier);
	return value === undefined ? undefined : String(value);
}

/** Tells whether a value may be an ID or a name. */
export function isIdentifier(value: unknown): value is string | number {
	return typeof value === 'string' ? !isBlank(value) : typeof value === 'number';
}

/** Looks up a name from outside in a table. A name that all objects have, such as `constructor`, finds nothing. */
export function entryOf<T>(table: Record<string, T>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns an object without the fields with these names. */
export function withoutFields<T extends object>(fields: T, names: readonly string[]): Partial<T> {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Partial<T>;
}

/** Removes the given characters from the end of a text; a regular expression would take quadratic time. */
export function withoutEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}

/** Converts any value to text: empty for null and undefined, JSON for objects and lists, the ISO time for a date. */
export function toText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return `${value as string}`;
	// Dates of JavaScript and of Luxon (n8n's `$now` is one) have this method.
	const { toJSON } = value as { toJSON?: unknown };
	return typeof toJSON === 'function' ? toText(toJSON.call(value)) : JSON.stringify(value);
}

/** Removes the fields that are undefined, which n8n leaves out as well when it saves an item. */
export function withoutGaps<T extends object>(fields: T): T {
	if (!Object.values(fields).includes(undefined)) return fields;
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Formats milliseconds since the epoch as an ISO time; undefined for a number that is no time. */
export function isoTime(milliseconds: number): string | undefined {
	const time = new Date(milliseconds);
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** A smaller number counts seconds: as milliseconds, it would be within the first four months of 1970. */
const MOST_SECONDS = 1e10;

/** Formats a time from outside (a date, or a number since the epoch) as an ISO time; undefined for none, and for 0. */
export function timeOf(value: unknown): string | undefined {
	const count = numberOf(value);
	if (count === undefined) {
		const milliseconds = Date.parse(textOr(value));
		return milliseconds > 0 ? isoTime(milliseconds) : undefined;
	}
	if (count <= 0) return undefined;
	return isoTime(count < MOST_SECONDS ? count * 1000 : count);
}

/** Reads a number that may have been sent as text; undefined for anything else. */
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

/** Tells whether gateways send this value for "nothing". */
export function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	if (typeof value === 'object') return Object.keys(value ?? {}).length === 0;
	return value === undefined || value === false;
}

/** Compares texts in lists sorted while n8n loads the nodes: the data of `localeCompare` takes milliseconds to load. */
export function compareTexts(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}

/** Groups entries by their keys; groups and entries keep their order. */
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

/** The characters that a number may have; an empty object takes as much memory. */
const VALUE_LENGTH = 20;

/** Estimates the length of a value as JSON, much faster than writing it. Short values count as 20 characters. */
export function approximateLength(value: unknown): number {
	if (typeof value === 'string') return value.length + 2;
	if (typeof value !== 'object' || value === null) return VALUE_LENGTH;
	// Vectors are long, so they are not measured entry by entry.
	if (Array.isArray(value) && value.every((entry) => typeof entry === 'number')) {
		return Math.max(1, value.length) * VALUE_LENGTH;
	}
	let length = VALUE_LENGTH;
	for (const [name, entry] of Object.entries(value)) length += name.length + 4 + approximateLength(entry);
	return length;
}

const KEY_CHARACTER = /[\w.~+/=%-]/;
/** Hardly any key is longer; a longer run of such characters is, for example, a file. */
const MOST_KEY_CHARACTERS = 200;

/**
 * Cuts a text to at most `length` characters. A cut within a key would leave a beginning that may be too short to be
 * recognized, so the word at the cut is removed as well.
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

/** Copies about the first `length` characters of a value. Cutting 30 MB of written JSON would block the event loop. */
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

/** Returns a short hash that differs for different texts, and reveals nothing about them. */
export function hashOf(text: string): string {
	return hash('sha256', text, 'base64url').slice(0, 22);
}
