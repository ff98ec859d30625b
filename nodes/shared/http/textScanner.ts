import type { Turns } from '../pacing/turns';

/** Escapes that are skipped before the time is checked. */
const ESCAPES_PER_CHECK = 4096;
/** Characters that are unescaped at once. */
const PIECE_LENGTH = 500_000;
/** `\uXXXX` */
const LONGEST_ESCAPE = 6;
/** A control character is an error, which the parser finds. */
const NEEDS_PARSING = /[\\\p{Cc}]/u;

/** Finds and reads the texts in JSON, each character once, in turns of the event loop. */
export class TextScanner {
	private nextQuote = -1;
	private nextBackslash = -1;

	constructor(
		private readonly json: string,
		private readonly turns: Turns,
	) {}

	/** The index of the quotation mark that ends the text which begins at `start`, or -1. */
	async endOfText(start: number): Promise<number> {
		let at = start + 1;
		for (let escapes = 1; ; escapes++) {
			this.nextQuote = this.find('"', this.nextQuote, at);
			this.nextBackslash = this.find('\\', this.nextBackslash, at);
			if (this.nextBackslash >= this.nextQuote) {
				return this.nextQuote === this.json.length ? -1 : this.nextQuote;
			}
			at = this.nextBackslash + 2;
			if (escapes % ESCAPES_PER_CHECK === 0 && this.turns.isOver) await this.turns.next();
		}
	}

	/** A text without its escapes. @param parse removes the escapes of a piece */
	async unescaped(from: number, to: number, parse: (piece: string) => string): Promise<string> {
		let text = '';
		for (let at = from; at < to;) {
			const end = to - at > PIECE_LENGTH ? this.wholeEscapes(at, at + PIECE_LENGTH) : to;
			const piece = this.json.slice(at, end);
			text += NEEDS_PARSING.test(piece) ? parse(piece) : piece;
			at = end;
			if (this.turns.isOver) await this.turns.next();
		}
		return text;
	}

	/** The first index from `at`, found before or now; the length of the JSON if there is none. */
	private find(character: string, known: number, at: number): number {
		if (known >= at) return known;
		const found = this.json.indexOf(character, at);
		return found < 0 ? this.json.length : found;
	}

	/** An index near `end` at which no escape is cut. */
	private wholeEscapes(start: number, end: number): number {
		let last = end - 1;
		while (last > end - LONGEST_ESCAPE && this.json.charAt(last) !== '\\') last -= 1;
		if (this.json.charAt(last) !== '\\') return end;
		let first = last;
		while (first > start && this.json.charAt(first - 1) === '\\') first -= 1;
		const isEscaped = (last - first) % 2 === 1;
		return isEscaped ? last + 1 : last;
	}
}
