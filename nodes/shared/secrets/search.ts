import { decodeEscapes } from './escapes';
import { type Spelling, type Spellings, toLowerCase } from './spellings';

/** Where a key stands in a text. */
export interface Range {
	start: number;
	end: number;
	/** Whether it is all of the key, not only its beginning. */
	isWhole: boolean;
}

/** Of each spelling: its first character, its first two, and so on, but not all of it. */
interface Beginnings {
	all: Set<string>;
	longest: number;
}

/** 1 for each character that Base64 and hexadecimal digits consist of, apart from symbols. */
const IS_IN_GROUP = Uint8Array.from({ length: 256 }, (_, code) =>
	/[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Finds a secret in a text, in every spelling, with or without escapes. */
export class Search {
	/** A text with fewer characters contains nothing. */
	readonly shortest: number;
	/** Maximum number of characters of a key, with all its escapes. */
	readonly longest: number;
	private knownBeginnings?: { plain: Beginnings; encoded: Beginnings };

	/** @param partly whether the beginning of the key suffices */
	constructor(
		private readonly spellings: Spellings,
		private readonly partly: boolean,
	) {
		const all = [...spellings.plain, ...spellings.encoded];
		this.shortest = Math.min(...all.map(({ text, beginning }) => (partly ? beginning : text).length));
		// An escape within an escape has up to two dozen characters.
		this.longest = 64 * Math.max(0, ...all.map(({ text }) => text.length));
	}

	/** The places in a text of moderate length, in order, without overlaps. */
	in(text: string): Range[] {
		if (text.length < this.shortest) return [];
		const found = this.inDecoded(text);
		const decoded = decodeEscapes(text);
		if (decoded) {
			for (const { start, end, isWhole } of this.inDecoded(decoded.text)) {
				found.push({ start: decoded.sourceOf(start), end: decoded.sourceOf(end), isWhole });
			}
		}
		return found.length > 1 ? united(found) : found;
	}

	/**
	 * Where the end of a text begins that may be the beginning of a key, if more text follows; the length of the text if
	 * nothing of it may be.
	 *
	 * @param found the places in the text
	 */
	unsettledEnd(text: string, found: Range[]): number {
		const from = Math.max(0, text.length - this.longest);
		const end = text.slice(from);
		const decoded = decodeEscapes(end, true);
		let start = from + this.startOfBeginning(end);
		if (decoded) {
			start = Math.min(start, from + decoded.sourceOf(this.startOfBeginning(decoded.text)));
		}
		const across = found.find((range) => range.start < start && start < range.end);
		if (!across) return start;
		return across.isWhole ? across.end : across.start;
	}

	private inDecoded(text: string): Range[] {
		const lowered = toLowerCase(text);
		const found = this.placesOf(this.spellings.plain, lowered);
		const encoded = this.placesOf(this.spellings.encoded, ungrouped(lowered));
		if (encoded.length === 0) return found;
		const sources = sourcesOf(lowered);
		for (const { start, end, isWhole } of encoded) {
			found.push({ start: sources[start], end: sources[end - 1] + 1, isWhole });
		}
		return found;
	}

	private placesOf(spellings: Spelling[], text: string): Range[] {
		const found: Range[] = [];
		for (const { text: spelling, beginning } of spellings) {
			const wanted = this.partly ? beginning : spelling;
			for (let start = text.indexOf(wanted); start >= 0;) {
				let end = start + wanted.length;
				while (end - start < spelling.length && text[end] === spelling[end - start]) end += 1;
				found.push({ start, end, isWhole: end - start === spelling.length });
				start = text.indexOf(wanted, end);
			}
		}
		return found;
	}

	/** Only texts that arrive in chunks need them. */
	private get beginnings() {
		const { plain, encoded } = this.spellings;
		this.knownBeginnings ??= { plain: beginningsOf(plain), encoded: beginningsOf(encoded) };
		return this.knownBeginnings;
	}

	/** Where the characters at the end of a text begin that are the beginning of a spelling, but not all of it. */
	private startOfBeginning(text: string): number {
		const lowered = toLowerCase(text);
		const start = text.length - lengthOfBeginning(lowered, this.beginnings.plain);
		const length = lengthOfBeginning(ungrouped(lowered), this.beginnings.encoded);
		return length === 0 ? start : Math.min(start, sourcesOf(lowered).at(-length) ?? start);
	}
}

function beginningsOf(spellings: Spelling[]): Beginnings {
	const all = new Set<string>();
	for (const { text } of spellings) {
		for (let length = 1; length < text.length; length++) all.add(text.slice(0, length));
	}
	return { all, longest: Math.max(0, ...spellings.map(({ text }) => text.length - 1)) };
}

/** How many characters at the end of a text are one of the beginnings. */
function lengthOfBeginning(text: string, beginnings: Beginnings): number {
	for (let length = Math.min(beginnings.longest, text.length); length > 0; length--) {
		if (beginnings.all.has(text.slice(-length))) return length;
	}
	return 0;
}

/** The letters and digits of a text in lower case. */
function ungrouped(text: string): string {
	// Of a character outside of Latin-1 remains one byte. No key is found by chance in what that gives.
	const bytes = Buffer.from(text, 'latin1');
	let length = 0;
	for (let position = 0; position < bytes.length; position++) {
		const byte = bytes[position];
		bytes[length] = byte;
		length += IS_IN_GROUP[byte];
	}
	return bytes.toString('latin1', 0, length);
}

/** Where the letters and digits stand in a text. */
function sourcesOf(text: string): number[] {
	const sources: number[] = [];
	for (let position = 0; position < text.length; position++) {
		if (IS_IN_GROUP[text.charCodeAt(position) & 255]) sources.push(position);
	}
	return sources;
}

function united(ranges: Range[]): Range[] {
	const [first, ...others] = ranges.sort((one, other) => one.start - other.start);
	const result = [first];
	for (const range of others) {
		const last = result[result.length - 1];
		if (range.start >= last.end) result.push(range);
		else {
			last.end = Math.max(last.end, range.end);
			last.isWhole ||= range.isWhole;
		}
	}
	return result;
}
