import { GatewayFailure, toFailure } from '../failure/failure';
import { Turns } from '../plain/turns';
import {
	Search,
	type Range,
	partialSpellings,
	realKeys,
	wholeSpellings,
	withoutPrefix,
} from '../plain/keySearch';

const REPLACEMENT = '[API key]';
/** The beginning of a placeholder for one of the spellings of the secrets. */
const NUMBERED = '[API key ';
/** Replaces each byte of a key in a file, so that the positions of all other bytes stay. */
const MASK = '*';
const VALUES_PER_CHECK = 1000;
/** n8n cannot handle deeper values, so nothing of them is kept where a key has to be removed. */
const MAX_DEPTH = 600;

/**
 * Removes secrets from whatever leaves the nodes (see {@link partialSpellings}). In texts, the beginning or the end of
 * a secret suffices, because a text may have been cut off.
 */
export class Redactor {
	private readonly texts: Search;
	private readonly whole: Search;

	/** @param secrets any with fewer than eight characters are placeholders, and are not removed */
	constructor(secrets: string[]) {
		const keys = realKeys(secrets);
		this.texts = new Search(keys.flatMap(partialSpellings));
		// A search for both, with and without a prefix, would take twice as long.
		this.whole = new Search(keys.map(withoutPrefix).flatMap(wholeSpellings));
	}

	text(text: string): string {
		return redacted(text, this.texts.in(text));
	}

	/** Removes secrets from a value of JSON, including its names; returns the same value if there are none in it. */
	async value<T>(value: T): Promise<T> {
		const isIn = (text: string) => this.texts.isIn(text);
		return await replacedIn(value, isIn, (text) => this.text(text));
	}

	/**
	 * Replaces whole secrets in a value of JSON to be saved by numbers: a link or an ID that contains one would be useless
	 * without it. {@link fromSaved} restores them; parts of a secret are removed at an exit later.
	 */
	async toSaved<T>(value: T): Promise<T> {
		const isIn = (text: string) => this.whole.isIn(text);
		return await replacedIn(value, isIn, (text) =>
			redacted(text, this.whole.in(text), (found) => this.whole.numberOf(found)),
		);
	}

	/** Restores what {@link toSaved} was given. */
	async fromSaved<T>(value: T): Promise<T> {
		const isIn = (text: string) => text.includes(NUMBERED);
		return await replacedIn(value, isIn, (text) =>
			text.replace(/\[API key (\d+)\]/g, (mark, number) => this.whole.spelling(Number(number)) ?? mark),
		);
	}

	async failure(thrown: unknown): Promise<GatewayFailure> {
		const failure = toFailure(thrown);
		const plain = failure.toPlain();
		const clean = await this.value(plain);
		return clean === plain ? failure : GatewayFailure.fromPlain(clean);
	}

	live(): LiveRedactor {
		return new LiveRedactor(this.texts);
	}

	/** Passes on the content of a file, with an asterisk in place of each byte of a secret. */
	async *bytes(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
		let held: Buffer = Buffer.alloc(0);
		for await (const chunk of chunks) {
			const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
			// Large files as text would need much memory, and only the end of a chunk may be the beginning of a key.
			const from = this.whole.isInBytes(bytes) ? 0 : Math.max(0, bytes.length - this.whole.longest);
			const { found, length } = this.whole.settled(bytes.toString('latin1', from));
			held = bytes.subarray(from + length);
			if (from + length > 0) yield masked(bytes.subarray(0, from + length), found);
		}
		if (held.length > 0) yield masked(held, this.whole.in(held.toString('latin1')));
	}
}

/** Redacts a text that arrives in chunks. It holds back only what may be the beginning of a secret. */
export class LiveRedactor {
	private held = '';

	constructor(private readonly search: Search) {}

	push(chunk: string): string {
		const text = this.held + chunk;
		const { found, length } = this.search.settled(text);
		this.held = text.slice(length);
		return redacted(text.slice(0, length), found);
	}

	end(): string {
		const text = this.held;
		this.held = '';
		return redacted(text, this.search.in(text));
	}
}

function redacted(text: string, found: Range[], numberOf?: (found: string) => number): string {
	let clean = '';
	let kept = 0;
	for (const { start, end } of found) {
		const number = numberOf?.(text.slice(start, end)) ?? -1;
		clean += text.slice(kept, start) + (number < 0 ? REPLACEMENT : `${NUMBERED}${number}]`);
		kept = end;
	}
	return clean + text.slice(kept);
}

function masked(bytes: Buffer, found: Range[]): Buffer {
	if (found.length === 0) return bytes;
	const copy = Buffer.from(bytes);
	for (const { start, end } of found) copy.fill(MASK, start, end);
	return copy;
}

type Replace = (text: string) => string;

async function replacedIn<T>(value: T, isIn: (text: string) => boolean, replace: Replace): Promise<T> {
	return (await isInValue(value, isIn)) ? (copyOf(value, replace, 0) as T) : value;
}

/** Tells whether a value is an object or a list of JSON, even if it comes from the realm of `n8n-workflow`. */
function isPlain(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) return true;
	const prototype = Object.getPrototypeOf(value) as object | null;
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

async function isInValue(root: unknown, isIn: (text: string) => boolean): Promise<boolean> {
	const open: unknown[] = [root];
	// Items of other nodes may contain circular references.
	const seen = new Set<object>();
	const turns = new Turns();
	for (let count = 1; open.length > 0; count++) {
		if (count % VALUES_PER_CHECK === 0 && turns.isOver) await turns.next();
		const value = open.pop();
		if (typeof value === 'string' && isIn(value)) return true;
		if (!isPlain(value) || seen.has(value)) continue;
		seen.add(value);
		for (const list of Array.isArray(value) ? [value] : [Object.keys(value), Object.values(value)]) {
			for (const entry of list as unknown[]) if (typeof entry !== 'number') open.push(entry);
		}
	}
	return false;
}

function copyOf(value: unknown, replace: Replace, depth: number): unknown {
	if (typeof value === 'string') return replace(value);
	if (!isPlain(value)) return value;
	if (depth > MAX_DEPTH) return REPLACEMENT;
	if (Array.isArray(value)) return value.map((entry) => copyOf(entry, replace, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [replace(name), copyOf(entry, replace, depth + 1)]),
	);
}
