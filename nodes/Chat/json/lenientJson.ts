import { toFailure } from '../../shared/failure/failure';
import { entryOf } from '../../shared/plain/values';
import { MAX_DEPTH } from '../../shared/plain/json';

/** The value that begins at one place of a text. `end` is the index up to which the text was read. */
type Reading =
	/** A value, as JSON. */
	| { kind: 'value'; json: string; end: number }
	| { kind: 'cut'; end: number }
	/** No value; another one may begin at `resume` or later. */
	| { kind: 'none'; end: number; resume: number };

/** A reading in steps that take about a millisecond at most. */
type Steps<T> = Generator<void, T>;

const STEPS_PER_TURN = 2000;

/**
 * Reads JSON as models write it: with comments, trailing commas, other quotation marks or none around names, Python's
 * literals, line breaks inside strings, full-width punctuation, and without a comma at the end of a line. Nothing is
 * guessed: a value of another form, a missing bracket, or an ellipsis ends the reading.
 */
export function* readLenientJson(text: string, start = 0, isWhole = false): Steps<Reading> {
	return yield* new LenientReader(text, start).read(isWhole);
}

/** The characters that end a string, by the one that begins it. */
const QUOTES: Record<string, string> = { '"': '"', "'": "'", '“': '”', '„': '“”', '‘': '’', '＂': '＂' };

/** The punctuation of JSON, by the characters that models write, including full-width ones. */
const OPENING: Record<string, string> = { '{': '{', '[': '[', '｛': '{', '［': '[' };
const CLOSING: Record<string, string> = { '}': '}', ']': ']', '｝': '}', '］': ']' };
const COMMAS = [',', '，'];
const COLONS = [':', '：'];
const LITERALS: Record<string, string> = { True: 'true', False: 'false', None: 'null' };

/** Space between tokens, with the byte-order mark and the other invisible characters of Unicode. */
const SPACES = /[\s\u200B]+/y;
const COMMENT = /(?:\/\/|#)[^\n]*|\/\*[^]*?(?:\*\/|$)/y;
/** A comment that stands for values which the model left out. */
const ELLIPSIS = /\.\.\.|…/;
/** Matches a number, or a literal of JSON or Python that is not the beginning of another word. */
const WORD =
	/(?:true|false|null|True|False|None)(?![\p{L}\p{N}_$])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
/** Matches a part of a string that stays the same in all kinds of quotation marks. */
const PLAIN = /[^"'“”„‘’＂\\\p{Cc}]{1,10000}/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
/** Unambiguous escapes of JavaScript and Python, which small models write (earendil-works/pi#1042). */
const OTHER_ESCAPE = /\\(?:'|x([\da-fA-F]{2}))/y;

class Unreadable extends Error {}
/** The text is not nearly JSON. One error for all, because most of the time for an error goes into its stack. */
const NOT_JSON = new Unreadable();
/** The text ends inside a value. */
const CUT = new Unreadable();

class LenientReader {
	private at: number;
	private steps = 0;
	private readonly tokens: string[] = [];
	/** The brackets that close what is open. */
	private readonly open: string[] = [];
	private hasLineBreak = false;
	/** The start of the string or comment before `at`. In prose, a value may begin inside it. */
	private doubtful: number | undefined;

	constructor(
		private readonly text: string,
		private readonly start: number,
	) {
		this.at = start;
	}

	*read(isWhole: boolean): Steps<Reading> {
		try {
			do {
				if (this.pausesNow()) yield;
				this.skip();
				yield* this.next();
			} while (this.open.length > 0);
			const end = this.at;
			if (isWhole && this.skip() < this.text.length) throw NOT_JSON;
			return { kind: 'value', json: this.tokens.join(''), end };
		} catch (error) {
			const end = this.at;
			if (error === CUT) return { kind: 'cut', end };
			if (error !== NOT_JSON) throw toFailure(error);
			return { kind: 'none', end, resume: Math.max(this.start, this.doubtful ?? end - 1) + 1 };
		}
	}

	private *next(): Steps<void> {
		const { character, last } = this;
		if (character === '') throw this.tokens.length > 1 ? CUT : NOT_JSON;
		const opening = entryOf(OPENING, character);
		const closing = entryOf(CLOSING, character);
		const isBehindValue = last !== '' && !'{[,:'.includes(last);
		const isName = !isBehindValue && this.open.at(-1) === '}' && last !== ':';
		if (closing) this.close(closing);
		else if (isBehindValue) this.comma();
		else if (opening && !isName) this.begin(opening);
		else if (entryOf(QUOTES, character)) yield* this.string();
		else this.word(isName);
		if (isName && !closing) this.colon();
	}

	private begin(bracket: string): void {
		if (this.open.length === MAX_DEPTH) throw NOT_JSON;
		this.open.push(bracket === '{' ? '}' : ']');
		this.token(bracket, 1);
	}

	private close(bracket: string): void {
		if (bracket !== this.open.pop() || this.last === ':') throw NOT_JSON;
		if (this.last === ',') this.tokens.pop();
		this.token(bracket, 1);
	}

	private comma(): void {
		if (COMMAS.includes(this.character)) return this.token(',', 1);
		// Models forget commas (kaizen#226). Two strings in a list may also be the halves of one.
		const isApart = ']}'.includes(this.last) && this.character in OPENING;
		if (!this.hasLineBreak || (this.open.at(-1) === ']' && !isApart)) throw NOT_JSON;
		this.tokens.push(',');
	}

	private colon(): void {
		this.skip();
		if (!COLONS.includes(this.character)) throw this.character === '' ? CUT : NOT_JSON;
		this.token(':', 1);
	}

	private word(isName: boolean): void {
		const word = this.match(isName ? NAME : WORD)?.[0];
		if (word === undefined || this.tokens.length === 0) throw NOT_JSON;
		this.token(isName ? JSON.stringify(word) : (entryOf(LITERALS, word) ?? word), word.length);
	}

	private *string(): Steps<void> {
		const quote = this.character;
		this.doubtful = this.at;
		this.at += 1;
		let json = '"';
		for (;;) {
			if (this.pausesNow()) yield;
			const plain = this.match(PLAIN)?.[0] ?? '';
			json += plain;
			this.at += plain.length;
			// Other quotation marks may be apostrophes, and then the text ends in prose.
			if (this.character === '') throw quote === '"' ? CUT : NOT_JSON;
			if (QUOTES[quote].includes(this.character)) break;
			json += this.special();
		}
		this.at += 1;
		this.tokens.push(`${json}"`);
	}

	/** Reads a character or an escape sequence that JSON may have to write in another way. */
	private special(): string {
		const { character } = this;
		const isEscape = character === '\\';
		const [escape] = (isEscape && this.match(ESCAPE)) || [];
		const [other, code] = (isEscape && this.match(OTHER_ESCAPE)) || [];
		const source = escape ?? other ?? character;
		if (source === '\\') throw NOT_JSON;
		this.at += source.length;
		if (other !== undefined) return code ? `\\u00${code}` : "'";
		return escape ?? JSON.stringify(character).slice(1, -1);
	}

	private get character(): string {
		return this.text.charAt(this.at);
	}

	private get last(): string {
		return this.tokens.at(-1) ?? '';
	}

	private match(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.at;
		return pattern.exec(this.text) ?? undefined;
	}

	private token(json: string, length: number): void {
		this.tokens.push(json);
		this.at += length;
		this.doubtful = undefined;
	}

	private pausesNow(): boolean {
		this.steps += 1;
		return this.steps % STEPS_PER_TURN === 0;
	}

	/** Skips space and comments. @returns where the next token begins */
	private skip(): number {
		this.hasLineBreak = false;
		for (;;) {
			const space = this.match(SPACES)?.[0] ?? this.comment();
			if (space === '') return this.at;
			if (space.includes('\n')) this.hasLineBreak = true;
			this.at += space.length;
		}
	}

	/** Returns the comment that begins here, or an empty text. One without an end goes on to the end of the text. */
	private comment(): string {
		const comment = this.match(COMMENT)?.[0] ?? '';
		if (comment === '') return comment;
		this.doubtful ??= this.at;
		if (ELLIPSIS.test(comment)) throw NOT_JSON;
		return comment;
	}
}
