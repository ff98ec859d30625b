import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { inTurns } from '../pacing/turns';
import { Search, type Range } from './search';
import { spellingsOf } from './spellings';

/** What stands in a text instead of a key. */
const REPLACEMENT = '[API key]';
/** What stands in a file instead of each byte of a key, so that the positions of all other bytes stay. */
const MASK = '*';
/** Number of characters or bytes that are searched without a pause. */
const SLICE = 65_536;
/** Number of entries of a list that are looked at without a pause. */
const STEP = 4096;
/** An object takes as long as this many characters. */
const EFFORT = 64;
/** n8n cannot handle deeper values, so nothing of them is kept where a key has to be removed. */
const MAX_DEPTH = 600;

/**
 * Removes secrets from whatever leaves the nodes. A secret is found in every spelling that a gateway or one of our own
 * steps may give it: with escapes of JSON, JavaScript, URLs, and HTML, also within each other; in Base64 at any
 * offset, or in Base64 of that; in hexadecimal digits; both also in groups or lines; in lower or upper case; or only its
 * beginning or its end, because a text may have been cut off, or a gateway leaves `sk-` out.
 */
export class Redactor {
	/** Undefined when there is nothing to hide. */
	private readonly texts: Search | undefined;
	private readonly files: Search | undefined;
	private readonly wholeKeys: Search | undefined;

	/** @param secrets those with fewer than eight characters are placeholders, and not redacted */
	constructor(secrets: string[]) {
		const spellings = spellingsOf(secrets, true);
		if (spellings.plain.length === 0) return;
		this.texts = new Search(spellings, true);
		this.files = new Search(spellings, false);
		this.wholeKeys = new Search(spellingsOf(secrets, false), false);
	}

	/** A short text without secrets, at once. For anything that may be long, use {@link value}. */
	text(text: string): string {
		const steps = textSteps(text, this.texts);
		for (;;) {
			const step = steps.next();
			if (step.done) return step.value;
		}
	}

	/**
	 * A value of JSON without secrets, names of fields included. Long work is divided into turns of the event loop.
	 * Objects of classes, such as buffers, stay as they are.
	 *
	 * @returns the same value if there are none in it
	 */
	async value<T>(value: T): Promise<T> {
		return (await inTurns(this.valueSteps(value, this.texts))) as T;
	}

	/**
	 * Like {@link value} for what is not complete yet, and passes an exit later: only whole secrets are removed. Without
	 * its beginning, the rest of a secret could no longer be recognized when texts are joined.
	 */
	async unfinished<T>(value: T): Promise<T> {
		return (await inTurns(this.valueSteps(value, this.wholeKeys))) as T;
	}

	/** Anything thrown as a failure without secrets. */
	async failure(thrown: unknown): Promise<GatewayFailure> {
		const failure = toFailure(thrown);
		const plain = failure.toPlain();
		const clean = await this.value(plain);
		return clean === plain ? failure : GatewayFailure.fromPlain(clean);
	}

	/** For a text that arrives in chunks. */
	live(): LiveRedactor {
		return new LiveRedactor(this.texts, async (text) => await this.value(text));
	}

	/** The content of a file, in which each byte of a secret is replaced by an asterisk. */
	async *bytes(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
		const { files } = this;
		if (!files) {
			yield* chunks;
			return;
		}
		let held: Buffer = Buffer.alloc(0);
		for await (const slice of slicesOf(chunks)) {
			const bytes = held.length === 0 ? slice : Buffer.concat([held, slice]);
			const text = bytes.toString('latin1');
			const found = files.in(text);
			const end = files.unsettledEnd(text, found);
			held = bytes.subarray(end);
			if (end > 0) yield masked(bytes.subarray(0, end), found);
		}
		if (held.length > 0) yield held;
	}

	private *valueSteps(value: unknown, search: Search | undefined): Generator<void, unknown> {
		if (!search || !(yield* isIn(value, search))) return value;
		return yield* copyOf(value, search, 0);
	}
}

/** Redacts a text that arrives in chunks. It holds back only what may be the beginning of a secret. */
export class LiveRedactor {
	private held = '';

	constructor(
		private readonly search: Search | undefined,
		private readonly redact: (text: string) => Promise<string>,
	) {}

	/** @returns what can be passed on */
	async push(chunk: string): Promise<string> {
		if (!this.search) return chunk;
		const text = this.held + chunk;
		const from = Math.max(0, text.length - 2 * this.search.longest);
		const last = text.slice(from);
		const end = from + this.search.unsettledEnd(last, this.search.in(last));
		this.held = text.slice(end);
		return await this.redact(text.slice(0, end));
	}

	/** @returns the rest, once the text is complete */
	async end(): Promise<string> {
		const text = this.held;
		this.held = '';
		return await this.redact(text);
	}
}

function masked(bytes: Buffer, found: Range[]): Buffer {
	const hidden = found.filter(({ start }) => start < bytes.length);
	if (hidden.length === 0) return bytes;
	const copy = Buffer.from(bytes);
	for (const { start, end } of hidden) copy.fill(MASK, start, end);
	return copy;
}

async function* slicesOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
	for await (const chunk of chunks) {
		for (let from = 0; from < chunk.length; from += SLICE) yield chunk.subarray(from, from + SLICE);
	}
}

/** Whether a value is an object or a list of JSON; `n8n-workflow` may live in another realm. */
function isPlain(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) return true;
	const prototype = Object.getPrototypeOf(value) as object | null;
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function* textSteps(text: string, search: Search | undefined): Generator<void, string> {
	if (!search || text.length < search.shortest) return text;
	const parts: string[] = [];
	let kept = 0;
	for (let from = 0; from < text.length;) {
		const until = from + SLICE;
		const slice = text.length <= until ? text.slice(from) : text.slice(from, until + search.longest);
		let next = until;
		for (const { start, end } of search.in(slice)) {
			// The next slice contains it completely.
			if (from + start >= until) break;
			parts.push(text.slice(kept, from + start), REPLACEMENT);
			kept = from + end;
			next = Math.max(until, kept);
		}
		from = next;
		if (from < text.length) yield;
	}
	return kept === 0 ? text : parts.join('') + text.slice(kept);
}

/** Whether there is a secret in a value: the fast path, which copies nothing. */
function* isIn(root: unknown, search: Search): Generator<void, boolean> {
	const open: unknown[] = [root];
	// Items of other nodes may contain circles.
	const seen = new Set<object>();
	let work = 0;
	while (open.length > 0) {
		const value = open.pop();
		work += typeof value === 'string' ? value.length : EFFORT;
		if (typeof value === 'string') {
			if ((yield* textSteps(value, search)) !== value) return true;
		} else if (isPlain(value) && !seen.has(value)) {
			seen.add(value);
			if (!Array.isArray(value)) pushSearchable(Object.keys(value), open, search);
			const entries: unknown[] = Array.isArray(value) ? value : Object.values(value);
			for (let from = 0; from < entries.length; from += STEP) {
				pushSearchable(entries.length <= STEP ? entries : entries.slice(from, from + STEP), open, search);
				if (from > 0) yield;
			}
		}
		if (work < SLICE) continue;
		work = 0;
		yield;
	}
	return false;
}

/** Not a generator, because most entries are numbers and short texts, which should cost next to nothing. */
function pushSearchable(entries: unknown[], open: unknown[], { shortest }: Search): void {
	for (const entry of entries) {
		if (typeof entry === 'number') continue;
		if (typeof entry === 'string' ? entry.length >= shortest : typeof entry === 'object') open.push(entry);
	}
}

function* copyOf(value: unknown, search: Search, depth: number): Generator<void, unknown> {
	yield;
	if (typeof value === 'string') return yield* textSteps(value, search);
	if (!isPlain(value)) return value;
	if (depth > MAX_DEPTH) return REPLACEMENT;
	if (Array.isArray(value)) {
		const list: unknown[] = [];
		for (const entry of value) list.push(yield* copyOf(entry, search, depth + 1));
		return list;
	}
	const fields: Array<[string, unknown]> = [];
	for (const [name, entry] of Object.entries(value)) {
		fields.push([yield* textSteps(name, search), yield* copyOf(entry, search, depth + 1)]);
	}
	return Object.fromEntries(fields);
}
