import { answerFailure } from '../../shared/failure/words';
import { parseJson } from '../../shared/plain/json';
import { type Fields, asRecord, textOr } from '../../shared/plain/values';
import { isFields, listOf } from './lists';
import { partsOf } from './contentParts';

/** The texts that the formats send in pieces. Other texts often repeat in each chunk, so their last value counts. */
const GROWING = [
	...['content', 'text', 'arguments', 'partial_json', 'refusal', 'transcript', 'data'],
	...['reasoning', 'reasoning_content', 'thinking', 'signature', 'summary'],
];

/** The lists of parts that come in pieces. Each of them may be a text instead of a list. */
const PARTS = ['content', 'parts', 'thinking', 'thinking_blocks'];
const GROWING_IN_PARTS = ['text', 'thinking', 'reasoning', 'summary', 'signature'];

/** The most values that the answer of a stream may have. A text counts once. */
const MAX_VALUES = 500_000;

/** Merges the chunks of one stream into an answer, whose size is limited. */
export class Merger {
	private values = 0;
	/** The elements of lists by their `index` or ID, so that finding one does not take longer in a longer list. */
	private readonly elements = new WeakMap<unknown[], Map<unknown, Fields>>();
	/** The entries of collected lists as JSON, so that finding one does not take longer in a longer list. */
	private readonly collected = new WeakMap<unknown[], Set<string>>();

	/**
	 * Adds a chunk: texts in pieces and lists grow, elements with the same `index` are merged, and everything else is
	 * replaced. Null and empty texts change nothing. The result does not depend on how the gateway cuts the stream.
	 */
	merge(target: Fields, delta: Fields): void {
		for (const [key, value] of Object.entries(delta)) {
			// Assigning it would change the prototype of the object.
			if (key === '__proto__') continue;
			// Every object inherits fields, for example "constructor".
			const before = Object.hasOwn(target, key) ? target[key] : undefined;
			target[key] = this.merged(before, value, key);
		}
	}

	/** Copies the fields of a chunk that have a value. @param ignored values that change nothing */
	assign(target: Fields, fields: Fields, ignored: unknown[] = [null, undefined]): void {
		for (const [key, value] of Object.entries(fields)) {
			if (key === '__proto__' || ignored.includes(value)) continue;
			target[key] = Object.hasOwn(target, key) ? value : this.count(value);
		}
	}

	/**
	 * Adds a usage to a body. The last value that is not zero counts: gateways send zeros or nothing after the real one
	 * (router-for-me/CLIProxyAPI#3076), and zeros for counts that they have reported before (sgl-project/sglang#20830).
	 */
	addUsage(body: Fields, name: string, reported: unknown): void {
		const usage = asRecord(reported);
		if (!usage) return;
		const known = asRecord(body[name]) ?? (body[name] = {});
		const news = Object.entries(usage).filter(([key, value]) => saysSomething(value) || !(key in known));
		// A copy, because a usage in a choice (Moonshot) is also merged with the next one there.
		this.assign(known, structuredClone(Object.fromEntries(news)));
	}

	/** Like {@link assign}, but adds new entries to lists. Entries are whole, may share an `index`, and may come again. */
	collect(target: Fields, fields: Fields): void {
		for (const [key, value] of Object.entries(fields)) {
			if (!Array.isArray(value) || !Array.isArray(target[key])) {
				this.assign(target, { [key]: Array.isArray(value) ? [] : value });
			}
			const known = listOf(target[key]);
			const texts = this.collected.get(known) ?? new Set<string>();
			this.collected.set(known, texts);
			const news = listOf(value).filter((entry) => !texts.has(JSON.stringify(entry)));
			for (const entry of news) {
				texts.add(JSON.stringify(entry));
				known.push(this.count(entry));
			}
		}
	}

	/** Counts the values that a value adds to the answer. @throws GatewayFailure (kind `answer`) if there are too many */
	count<T>(value: T): T {
		const counted = [value as unknown];
		for (let next = counted.pop(); next !== undefined; next = counted.pop()) {
			this.values += 1;
			if (this.values > MAX_VALUES) {
				throw answerFailure(`its event stream contains more than ${MAX_VALUES} values`);
			}
			if (typeof next === 'object' && next !== null) {
				for (const inner of Object.values(next)) counted.push(inner ?? null);
			}
		}
		return value;
	}

	private merged(before: unknown, value: unknown, key: string): unknown {
		if (value === undefined || value === null) return before ?? this.count(null);
		if (before === undefined || before === null) {
			return Array.isArray(value) ? this.mergedList([], value, key) : this.count(value);
		}
		if (PARTS.includes(key) && [before, value].some((one) => typeof one === 'object')) {
			return this.mergedList(Array.isArray(before) ? before : partsIn(before), partsOf(value), key);
		}
		const grows = GROWING.includes(key);
		if (typeof before === 'string' && typeof value === 'string') {
			return grows ? before + value : value === '' ? before : value;
		}
		// Somebody may have seen the text.
		if (typeof before === 'string' && grows && before !== '') return before;
		if (Array.isArray(before) && Array.isArray(value)) return this.mergedList(before, value, key);
		if (!isFields(before) || !isFields(value)) return value;
		this.merge(before, key === 'function' ? newIn(before, value) : value);
		return before;
	}

	private mergedList(list: unknown[], delta: unknown[], key: string): unknown[] {
		const isParts = PARTS.includes(key);
		for (const entry of isParts ? partsIn(delta) : delta) {
			const known =
				key === 'tool_calls'
					? this.callOf(list, entry)
					: (this.elementOf(list, entry) ?? (isParts ? continuedBy(list, entry) : undefined));
			if (known) this.merge(known, entry as Fields);
			else list.push(this.count(entry));
		}
		return list;
	}

	/** Finds the element that an entry with the same `index` continues. A new element is noted for later. */
	private elementOf(list: unknown[], entry: unknown): Fields | undefined {
		if (!isFields(entry) || entry.index === undefined) return undefined;
		const elements = this.elementsOf(list);
		const known = elements.get(entry.index);
		// OpenRouter gives thoughts of different types, or of different calls, the same index.
		if (known && ['type', 'id'].every((name) => isSameOrNone(known[name], entry[name]))) return known;
		elements.set(entry.index, entry);
		return undefined;
	}

	/** Finds the tool call that an entry continues. All may have one index (gcli2api#406), or none (AstrBot#6661). */
	private callOf(list: unknown[], entry: unknown): Fields | undefined {
		if (!isFields(entry)) return undefined;
		const { id, index = null } = entry;
		const elements = this.elementsOf(list);
		const sameId = id ? elements.get(id) : undefined;
		// The same ID at another index is another call.
		const isHere = index === null || (sameId?.index ?? index) === index;
		const last = sameId && isHere ? sameId : (elements.get(index) ?? nameless(list, entry));
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

/** Tells whether a part of a usage contains anything but zeros and empty values. */
function saysSomething(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(saysSomething);
	return Boolean(value);
}

/** Returns the parts of a content. A text becomes a part of type `text`. */
function partsIn(content: unknown): unknown[] {
	return partsOf(content).map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));
}

/** Returns the last part of a list, if another part is its next piece. */
function continuedBy(parts: unknown[], part: unknown): Fields | undefined {
	const last = parts.at(-1);
	if (!isFields(last) || !isFields(part)) return undefined;
	if (isSamples(last) && isSamples(part)) return last;
	const areInPieces = [last, part].every((one) => GROWING_IN_PARTS.some((name) => name in one));
	const isSame = ['type', 'thought', 'index'].every((name) => last[name] === part[name]);
	// A signature ends a thought.
	const isOver = (last.signature && part.thinking) || last.thoughtSignature || part.thoughtSignature;
	return areInPieces && isSame && !isOver ? last : undefined;
}

/** Tells whether a part is raw audio, which comes in pieces; any other file is whole. */
function isSamples({ inlineData }: Fields): boolean {
	return isFields(inlineData) && /^audio\/(l16|pcm)/i.test(textOr(inlineData.mimeType));
}

function isSameOrNone(one: unknown, other: unknown): boolean {
	return one === other || !one || !other;
}

/** Moves the piece of a tool call to where the interface has it: Snowflake sends its fields in the delta itself. */
export function withCallPiece(delta: Fields): Fields {
	if (delta.type !== 'tool_use') return delta;
	const { tool_use_id: id, name, input, content } = delta;
	return { content, tool_calls: [{ type: 'function', id, function: { name, arguments: input } }] };
}

/** Tells whether arguments are an empty object, which some gateways send before the real ones. */
export function isEmptyObject(args: unknown): boolean {
	return typeof args === 'string'
		? /^\s*\{\s*\}\s*$/.test(args)
		: isFields(args) && Object.keys(args).length === 0;
}

/** Returns the last call if an entry has only arguments: Nebius and Cerebras number the pieces instead (dirac#215). */
function nameless(list: unknown[], { id, function: asked }: Fields): Fields | undefined {
	const { name, arguments: args } = asRecord(asked) ?? {};
	return id || name || !args ? undefined : list.findLast(isFields);
}

/** Tells whether an entry with the same index begins another tool call, instead of continuing the known one. */
function beginsAnother(known: Fields, { id, index, function: asked }: Fields): boolean {
	const { name, arguments: args } = asRecord(asked) ?? {};
	if (!name) return false;
	if (id && known.id && id !== known.id) return true;
	const { name: nameBefore, arguments: before } = asRecord(known.function) ?? {};
	const isNumbered = index !== undefined && index !== null;
	if (!isNumbered && (id !== known.id || (!id && name !== nameBefore))) return true;
	const begins = isFields(args) || textOr(args).trimStart().startsWith('{');
	if (!begins || !isWhole(before)) return false;
	return name !== nameBefore || (!isEmptyObject(before) && !isSame(args, before));
}

function isSame(one: unknown, other: unknown): boolean {
	// Texts may be long and are compared often, so only objects are compared as JSON.
	return one === other || (isFields(one) && isFields(other) && JSON.stringify(one) === JSON.stringify(other));
}

/** Returns what is new in the function of a call: some gateways repeat its name each time, or all of it at the end. */
function newIn(before: Fields, { name, arguments: args, ...others }: Fields): Fields {
	const repeats = args === before.arguments && isWhole(args);
	// An object is whole, and arguments after an empty one replace it.
	if (isFields(args) || isEmptyObject(before.arguments)) before.arguments = undefined;
	return {
		...others,
		...(before.name ? {} : { name }),
		...(repeats ? {} : { arguments: args }),
	};
}

function isWhole(args: unknown): boolean {
	return isFields(args) || asRecord(parseJson(textOr(args))?.value) !== undefined;
}
