import { toFailure } from '../../shared/failure/failure';
import { entryOf } from '../../shared/plain/values';
import { MAX_DEPTH } from '../../shared/plain/json';
import * as token from './lenientTokens';

/** The value that begins at one place of a text. `end` is the index up to which the text was read. */
export type Reading =
	/** A value, as JSON. */
	| { kind: 'value'; json: string; end: number }
	| { kind: 'cut'; end: number }
	/** No value; another one may begin at `resume` or later. */
	| { kind: 'none'; end: number; resume: number };

/** A reading in steps that take about a millisecond at most. */
export type Steps<T> = Generator<void, T>;

const STEPS_PER_TURN = 2000;

/**
 * Reads JSON as models write it: with comments, trailing commas, other quotation marks or none around names, Python's
 * literals, line breaks inside strings, full-width punctuation, and without a comma at the end of a line. Nothing is
 * guessed: a value of another form, a missing bracket, or an ellipsis ends the reading.
 */
export function* readLenientJson(text: string, start = 0, isWhole = false): Steps<Reading> {
	return yield* new LenientReader(text, start).read(isWhole);
}

class Unreadable extends Error {}
/** The text is not nearly JSON. One error for all, because most of the time for an error goes into its stack. */
const NOT_JSON = new Unreadable();
/** The text ends inside a value. */
const CUT = new Unreadable();

class LenientReader {
	private at: number;
	private steps = 0;
	private json = '';
	private readonly open: Array<'}' | ']'> = [];
	/** True if the last token was a value of the object or list, so that a comma must follow. */
	private needsComma = false;
	/** A comma that has been read and not yet written, because it may be a trailing one. */
	private hasComma = false;
	private hasLineBreak = false;
	/** The last token, or the quotation mark that begins it. */
	private last = '';
	/** Where the string or comment in front of `at` began: in prose, it may contain the beginning of a value. */
	private doubtful: number | undefined;

	constructor(
		private readonly text: string,
		private readonly start: number,
	) {
		this.at = start;
	}

	*read(isWhole: boolean): Steps<Reading> {
		try {
			this.skip();
			yield* this.root();
			const end = this.at;
			if (isWhole && this.skip() < this.text.length) throw NOT_JSON;
			return { kind: 'value', json: this.json, end };
		} catch (error) {
			const end = this.at;
			if (error === CUT) return { kind: 'cut', end };
			if (error !== NOT_JSON) throw toFailure(error);
			return { kind: 'none', end, resume: Math.max(this.start, this.doubtful ?? end - 1) + 1 };
		}
	}

	private *root(): Steps<void> {
		if (!this.openBracket()) return yield* this.string();
		while (this.open.length > 0) {
			if (this.pausesNow()) yield;
			this.skip();
			if (this.closeBracket()) continue;
			if (this.needsComma) {
				this.comma();
			} else {
				if (this.open.at(-1) === '}') yield* this.name();
				yield* this.value();
			}
		}
	}

	/** Reads an opening bracket. @returns false if there is none */
	private openBracket(): boolean {
		const bracket = entryOf(token.OPENING, this.character);
		if (!bracket) return false;
		if (this.open.length === MAX_DEPTH) throw NOT_JSON;
		this.token(bracket, 1);
		this.open.push(bracket === '{' ? '}' : ']');
		this.needsComma = false;
		return true;
	}

	private closeBracket(): boolean {
		if (this.at === this.text.length) throw this.json.length > 1 ? CUT : NOT_JSON;
		const bracket = entryOf(token.CLOSING, this.character);
		if (!bracket) return false;
		if (bracket !== this.open.pop()) throw NOT_JSON;
		this.hasComma = false;
		this.token(bracket, 1);
		this.needsComma = true;
		return true;
	}

	private comma(): void {
		const { character } = this;
		if (character === ',' || character === '，') {
			this.at += 1;
			this.doubtful = undefined;
		} else if (!this.hasLineBreak || !this.beginsEntry(character)) {
			throw NOT_JSON;
		}
		this.hasComma = true;
		this.needsComma = false;
	}

	/** Tells whether a new entry begins for certain. Two strings in a list may also be the halves of one. */
	private beginsEntry(character: string): boolean {
		return this.open.at(-1) === '}' || (']}'.includes(this.last) && character in token.OPENING);
	}

	private *name(): Steps<void> {
		if (entryOf(token.QUOTES, this.character)) {
			yield* this.string();
		} else {
			const name = this.match(token.NAME);
			if (!name) throw NOT_JSON;
			this.token(JSON.stringify(name[0]), name[0].length);
		}
		this.skip();
		if (this.character !== ':' && this.character !== '：') throw this.ending();
		this.json += ':';
		this.at += 1;
		this.doubtful = undefined;
		this.skip();
	}

	private *value(): Steps<void> {
		if (this.openBracket()) return;
		this.needsComma = true;
		if (entryOf(token.QUOTES, this.character)) return yield* this.string();
		const [word] = this.match(token.LITERAL) ?? this.match(token.NUMBER) ?? [];
		if (word === undefined) throw this.ending();
		this.token(entryOf(token.LITERALS, word) ?? word, word.length);
	}

	private *string(): Steps<void> {
		const quote = this.character;
		const closing = entryOf(token.QUOTES, quote);
		if (!closing) throw NOT_JSON;
		this.token('"', 1);
		this.doubtful = this.at - 1;
		for (;;) {
			if (this.pausesNow()) yield;
			const plain = this.match(token.PLAIN)?.[0] ?? '';
			this.json += plain;
			this.at += plain.length;
			// Other quotation marks may be apostrophes, and then the text ends in prose.
			if (this.at >= this.text.length) throw quote === '"' ? CUT : NOT_JSON;
			if (closing.includes(this.character)) break;
			this.special();
		}
		this.json += '"';
		this.at += 1;
	}

	/** Reads what may have to be written in another way inside a string. */
	private special(): void {
		const { character } = this;
		const isEscape = character === '\\';
		const [escape] = (isEscape && this.match(token.ESCAPE)) || [];
		const [other, code] = (isEscape && this.match(token.OTHER_ESCAPE)) || [];
		const source = escape ?? other ?? character;
		if (source === '\\') throw NOT_JSON;
		this.json += escape ?? (other === undefined ? token.quoted(character) : code ? `\\u00${code}` : "'");
		this.at += source.length;
	}

	private get character(): string {
		return this.text.charAt(this.at);
	}

	private ending(): Error {
		return this.at === this.text.length ? CUT : NOT_JSON;
	}

	private match(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.at;
		return pattern.exec(this.text) ?? undefined;
	}

	private token(json: string, length: number): void {
		this.json += this.hasComma ? `,${json}` : json;
		this.hasComma = false;
		this.last = json;
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
			const [space] = this.match(token.SPACES) ?? [this.comment()];
			if (space === '') return this.at;
			if (space.includes('\n')) this.hasLineBreak = true;
			this.at += space.length;
		}
	}

	private comment(): string {
		const comment = token.commentAt(this.text, this.at);
		if (comment === '') return comment;
		this.doubtful ??= this.at;
		if (token.ELLIPSIS.test(comment)) throw NOT_JSON;
		return comment;
	}
}
