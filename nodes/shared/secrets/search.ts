import { decodeEscapes } from './escapes';
import { type Spelling, toLowerCase } from './spellings';

/** Where a key stands in a text. */
export interface Range {
	start: number;
	end: number;
	/** Whether it is all of the key, not only its beginning. */
	isWhole: boolean;
}

/** Finds a secret in a text, in every spelling, with or without escapes. */
export class Search {
	/** A text with fewer characters contains nothing. */
	readonly shortest: number;
	/** Maximum number of characters of a key, with all its escapes. */
	readonly longest: number;

	/** @param partly whether the beginning of the key suffices */
	constructor(
		private readonly spellings: Spelling[],
		private readonly partly: boolean,
	) {
		this.shortest = Math.min(...spellings.map(({ text, beginning }) => (partly ? beginning : text).length));
		// An escape within an escape has up to two dozen characters.
		this.longest = 64 * Math.max(0, ...spellings.map(({ text }) => text.length));
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
		let start = from + end.length - this.lengthOfBeginning(end);
		if (decoded) {
			const position = decoded.text.length - this.lengthOfBeginning(decoded.text);
			start = Math.min(start, from + decoded.sourceOf(position));
		}
		const across = found.find((range) => range.start < start && start < range.end);
		if (!across) return start;
		return across.isWhole ? across.end : across.start;
	}

	private inDecoded(text: string): Range[] {
		const lowered = toLowerCase(text);
		const found: Range[] = [];
		for (const { text: spelling, beginning } of this.spellings) {
			const wanted = this.partly ? beginning : spelling;
			for (let start = lowered.indexOf(wanted); start >= 0;) {
				let end = start + wanted.length;
				while (end - start < spelling.length && lowered[end] === spelling[end - start]) end += 1;
				found.push({ start, end, isWhole: end - start === spelling.length });
				start = lowered.indexOf(wanted, end);
			}
		}
		return found;
	}

	/** How many characters at the end of a text are the beginning of a spelling, but not all of it. */
	private lengthOfBeginning(text: string): number {
		const lowered = toLowerCase(text);
		const last = lowered.at(-1);
		let longest = 0;
		for (const { text: spelling } of this.spellings) {
			for (let length = Math.min(spelling.length - 1, lowered.length); length > longest; length--) {
				if (spelling[length - 1] !== last || !lowered.endsWith(spelling.slice(0, length))) continue;
				longest = length;
			}
		}
		return longest;
	}
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
