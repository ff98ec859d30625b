import { Turns } from '../pacing/turns';
import { isTooDeep, MAX_DEPTH } from '../values';
import { type JsonBudget, OBJECT_NAMES } from './budgets';
import { TextScanner } from './textScanner';

/** Why JSON cannot be used, as the end of a sentence about an answer. */
export class UnusableJson extends Error {}

/** The reason for a text that is not JSON at all, or not whole. */
export const NOT_JSON = 'it is not valid JSON, or it was cut off';
const TOO_DEEP = 'its JSON is nested too deeply';

/** A shorter text takes a few milliseconds at most, and contains too little to fill the memory. */
const LARGE = 100_000;

/** A list of numbers only; longer ones are read number by number. */
const NUMBERS = /\[[\d\s.,eE+-]{0,200000}\]/y;
/** No program writes longer numbers. */
const NUMBER = /-?(?:0|[1-9]\d{0,999})(?:\.\d{1,999})?(?:[eE][+-]?\d{1,9})?/y;
const WORDS: Array<[string, unknown]> = [
	['true', true],
	['false', false],
	['null', null],
];

/** Values and spaces that are read before the time is checked. */
const STEPS_PER_CHECK = 1000;
/** Some gateways send white space to keep a connection open, but not that much. */
const SPACE = 0x20;
const MAX_SPACES = 1_000_000;
const SPACES = /[ \n\r\t]{0,1000000}/y;

/** An object or list whose end has not been reached. */
type Open = { list: unknown[] } | { fields: Record<string, unknown>; key: string; names: number };

/** An integer that may have more digits than a number can hold. */
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16,1000}(?:[\s,\]}]|$)/;

/**
 * Parses the JSON of an answer. Large JSON is parsed in turns of the event loop and within a budget: a few megabytes of
 * `{}` would fill the memory.
 *
 * @param keepsDigits whether integers with more digits than a number can hold become text: most of them are IDs
 * @throws UnusableJson with the reason
 */
export async function parseForeignJson(
	text: string,
	budget: JsonBudget,
	keepsDigits = false,
): Promise<unknown> {
	if (text.length > LARGE || (keepsDigits && LONG_INTEGER.test(text))) {
		return await new LargeJson(text, budget, keepsDigits).parse();
	}
	if (text === '') throw new UnusableJson('it is empty');
	if (isTooDeep(text)) throw new UnusableJson(TOO_DEEP);
	return parsed(text);
}

class LargeJson {
	private at = 0;
	private values = 0;
	private numbers = 0;
	private steps = 0;
	private readonly open: Open[] = [];
	private readonly turns = new Turns();
	private readonly scanner: TextScanner;

	constructor(
		private readonly text: string,
		private readonly budget: JsonBudget,
		private readonly keepsDigits: boolean,
	) {
		this.scanner = new TextScanner(text, this.turns);
	}

	async parse(): Promise<unknown> {
		await this.turns.next();
		for (;;) {
			let value = await this.begin();
			// An object or list with content continues with its first value.
			if (value === undefined) continue;
			for (;;) {
				const parent = this.open.at(-1);
				if (!parent) return this.end(value);
				const whole = await this.add(parent, value);
				if (whole === undefined) break;
				this.open.pop();
				value = whole;
			}
		}
	}

	/** Reads a value; undefined for the beginning of an object or list that is not empty. */
	private async begin(): Promise<unknown> {
		if (this.steps > STEPS_PER_CHECK) {
			this.steps = 0;
			if (this.turns.isOver) await this.turns.next();
		}
		this.count();
		const character = this.skipSpace();
		if (character === '"') return await this.readText();
		if (character === '[') return this.numberList() ?? this.enter({ list: [] }, ']');
		if (character === '{') {
			const fields = {};
			if (this.enter({ fields, key: '', names: 0 }, '}')) return fields;
			await this.readKey();
			return undefined;
		}
		return this.readWord();
	}

	/** Adds a value to its object or list. @returns that one if it ends here */
	private async add(parent: Open, value: unknown): Promise<unknown> {
		const isList = 'list' in parent;
		if (isList) parent.list.push(value);
		else setField(parent.fields, parent.key, value);
		const next = this.skipSpace();
		this.at += 1;
		if (next === ',') {
			if (!isList) await this.readKey();
			return undefined;
		}
		if (next !== (isList ? ']' : '}')) throw new UnusableJson(NOT_JSON);
		return isList ? parent.list : parent.fields;
	}

	private end(value: unknown): unknown {
		if (this.skipSpace() !== '') throw new UnusableJson(NOT_JSON);
		return value;
	}

	/** @returns the list, if it is empty; otherwise its values follow */
	private enter(opened: Open, closing: string): unknown {
		if (this.open.length === MAX_DEPTH) throw new UnusableJson(TOO_DEEP);
		this.at += 1;
		if (this.skipSpace() === closing) {
			this.at += 1;
			return 'list' in opened ? opened.list : opened.fields;
		}
		this.open.push(opened);
		return undefined;
	}

	/** Most of a large answer may be vectors, and the engine's own parser is much faster. */
	private numberList(): unknown[] | undefined {
		NUMBERS.lastIndex = this.at;
		const [list] = NUMBERS.exec(this.text) ?? [];
		// Integers that are too large are read one by one.
		if (list === undefined || (this.keepsDigits && LONG_INTEGER.test(list))) return undefined;
		const numbers = parsed(list) as unknown[];
		this.steps += numbers.length;
		this.numbers += numbers.length;
		if (this.numbers > this.budget.numbers) {
			throw new UnusableJson(`it contains more than ${this.budget.numbers} numbers`);
		}
		this.at += list.length;
		return numbers;
	}

	private async readKey(): Promise<void> {
		if (this.skipSpace() !== '"') throw new UnusableJson(NOT_JSON);
		const parent = this.open.at(-1) as Open & { key: string; names: number };
		parent.names += 1;
		if (parent.names > OBJECT_NAMES) {
			throw new UnusableJson(`an object in it has more than ${OBJECT_NAMES} fields`);
		}
		parent.key = await this.readText();
		if (this.skipSpace() !== ':') throw new UnusableJson(NOT_JSON);
		this.at += 1;
	}

	private async readText(): Promise<string> {
		const end = await this.scanner.endOfText(this.at);
		if (end < 0) throw new UnusableJson(NOT_JSON);
		const [from, to] = [this.at + 1, end];
		this.at = end + 1;
		return await this.scanner.unescaped(from, to, (piece) => parsed(`"${piece}"`) as string);
	}

	private readWord(): unknown {
		for (const [word, value] of WORDS) {
			if (!this.text.startsWith(word, this.at)) continue;
			this.at += word.length;
			return value;
		}
		NUMBER.lastIndex = this.at;
		const [number] = NUMBER.exec(this.text) ?? [];
		if (number === undefined) throw new UnusableJson(NOT_JSON);
		this.at += number.length;
		const value = Number(number);
		const isExact = Number.isSafeInteger(value) || !/^-?\d+$/.test(number) || String(value) === number;
		return this.keepsDigits && !isExact ? number : value;
	}

	/** @returns the next character, or an empty text at the end */
	private skipSpace(): string {
		if (this.text.charCodeAt(this.at) <= SPACE) {
			SPACES.lastIndex = this.at;
			const { length } = SPACES.exec(this.text)?.[0] ?? '';
			if (length === MAX_SPACES) throw new UnusableJson('it consists of white space');
			this.at += length;
			this.steps += length;
		}
		return this.text.charAt(this.at);
	}

	private count(): void {
		this.values += 1;
		this.steps += 1;
		if (this.values > this.budget.values) {
			throw new UnusableJson(`it contains more than ${this.budget.values} values`);
		}
	}
}

function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
	if (key !== '__proto__') fields[key] = value;
	// Assigning it would change the prototype of the object.
	else Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

function parsed(json: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		value = undefined;
	}
	if (value === undefined) throw new UnusableJson(NOT_JSON);
	return value;
}
