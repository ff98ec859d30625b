import fc from 'fast-check';
import { anyCharacter } from '../anyCharacter';

/** Numbers that JSON can express, but `JSON.stringify` cannot, stand in a value as a text with this beginning. */
const RAW = '\uE000raw ';

/** Names with a special meaning in JavaScript, in JSON, in n8n, or in the readers. */
const NAMES = [
	...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length', 'then'],
	...['toJSON', 'error', 'message', 'data', 'index', 'id'],
	...['type', 'text', 'content', 'choices', 'url', 'name'],
	...['', '0', '-1', 'a.b', '$json', 'pairedItem', 'binary', 'json', '\0', '\ud800', 'é'],
];
const TEXTS = [
	...['', ' ', '\0', '\u001b[31m', '\ud800', '\udc00x', '\u202e', '\ufeff', '\u2028', 'e\u0301', '👩‍👩‍👧', '﷽'],
	...['__proto__', 'null', 'NaN', '1e999', '-1', '0', 'true', '[]', '{}', '{"a":', '[DONE]', '={{ 1 }}'],
	...['<script>alert(1)</script>', '<b', '%', '%00', '../../etc/passwd', 'CON', 'a\r\nb: c', '$&', '\\'],
	...['http://', 'http://[', 'https://a.invalid/x', 'file:///etc/passwd', 'data:image/png;base64,AAAA'],
	...['2024-13-45', 'P1Y', 'stop', 'SUCCESS', 'processing', 'AAAA', '////', '!!!!'],
];
const NUMBERS = [0, -0, 1, -1, 0.1, 1e21, -1e308, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e-7];
const RAW_NUMBERS = ['1e999', '-1e999', '1E400', '0e999', '1.0', '-0.0', '123456789012345678901234567890'];

/** The name of a field. */
const hostileName: fc.Arbitrary<string> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...NAMES) },
	{ weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 5 }) },
);

/** A text that some program misreads. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
	{ weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
	{
		weight: 1,
		arbitrary: fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(100, 3000, 20_000)).map(repeated),
	},
);

function repeated([text, length]: [string, number]): string {
	return text === '' ? 'x'.repeat(length) : text.repeat(Math.ceil(length / text.length));
}

/** Any value that JSON can express. Only {@link toJson} converts it to its JSON. */
export const hostileValue: fc.Arbitrary<unknown> = fc.anything({
	key: hostileName,
	values: [
		fc.constantFrom(null, true, false),
		fc.constantFrom(...NUMBERS, ...RAW_NUMBERS.map((number) => RAW + number)),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		hostileText,
	],
	maxDepth: 3,
	maxKeys: 4,
});

/** Returns the JSON of a value, including numbers that `JSON.stringify` does not write. */
export function toJson(json: unknown): string {
	return JSON.stringify(json).replace(new RegExp(`"${RAW}([^"]*)"`, 'g'), '$1');
}

/** A change at one place of a value. */
interface Change {
	at: number;
	how: 'drop' | 'replace' | 'wrap' | 'retype' | 'add';
	name: string;
	value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
	at: fc.nat({ max: 10_000 }),
	how: fc.constantFrom('drop', 'replace', 'replace', 'wrap', 'retype', 'add'),
	name: hostileName,
	value: hostileValue,
});

/** Changes to a valid value; empty for a value that stays as it is. */
export const changes: fc.Arbitrary<Change[]> = fc.array(change, { maxLength: 4, size: 'max' });

/** Returns a copy of a JSON value with changes. */
export function changed(original: unknown, all: Change[]): unknown {
	const root = { value: structuredClone(original) };
	for (const one of all) apply(placesIn(root), structuredClone(one));
	return root.value;
}

interface Place {
	parent: Record<string, unknown> | unknown[];
	key: string;
}

function placesIn(root: Record<string, unknown>): Place[] {
	const places: Place[] = [];
	const open: Array<Record<string, unknown> | unknown[]> = [root];
	for (let parent = open.pop(); parent; parent = open.pop()) {
		for (const [key, inner] of Object.entries(parent)) {
			places.push({ parent, key });
			if (typeof inner === 'object' && inner !== null) open.push(inner as Record<string, unknown>);
		}
	}
	return places;
}

function apply(places: Place[], { at, how, name, value: other }: Change): void {
	const [root] = places;
	const place = places[at % places.length];
	const { parent, key } = place;
	const before = Object.getOwnPropertyDescriptor(parent, key)?.value as unknown;
	switch (place === root && how === 'drop' ? 'replace' : how) {
		case 'replace':
			return set(parent, key, other);
		case 'wrap':
			return set(parent, key, at % 2 === 0 ? [before] : { [name]: before });
		case 'retype':
			return set(parent, key, retyped(before));
		case 'add':
			if (Array.isArray(before)) before.push(other);
			else if (typeof before === 'object' && before !== null) set(before, name, other);
			return;
		case 'drop':
			if (Array.isArray(parent)) parent.splice(Number(key), 1);
			else Reflect.deleteProperty(parent, key);
	}
}

function retyped(before: unknown): unknown {
	if (typeof before === 'number') return String(before);
	if (typeof before === 'string') return before === '' ? 0 : Number(before) || before.length;
	if (Array.isArray(before)) return Object.fromEntries(Object.entries(before));
	return typeof before === 'object' && before !== null ? Object.values(before) : [];
}

/** Sets a field. An assignment to `__proto__` would change the prototype instead. */
function set(parent: object, key: string, to: unknown): void {
	Object.defineProperty(parent, key, { value: to, enumerable: true, configurable: true, writable: true });
}
