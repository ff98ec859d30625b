import type { Spelling } from './keySpellings';

export interface Range {
	start: number;
	end: number;
}

/** Finds a key in a text, in all its spellings at once. */
export class Search {
	private readonly beginning: RegExp;
	private readonly beginnings: string[];
	private readonly shortest: number;
	readonly longest: number;

	/** @param spellings none for a search that finds nothing */
	constructor(private readonly spellings: Spelling[]) {
		this.beginnings = spellings.map(({ text, least }) => text.slice(0, least));
		// One pattern of all is as fast as `indexOf` for each in long texts, and much faster in short ones.
		this.beginning = new RegExp(this.beginnings.map(literally).join('|'), 'g');
		this.shortest = Math.min(...this.beginnings.map(({ length }) => length));
		this.longest = Math.max(1, ...spellings.map(({ text }) => text.length));
	}

	isIn(text: string): boolean {
		return text.length >= this.shortest && text.search(this.beginning) >= 0;
	}

	/** Tells the same of bytes, without a copy of them as a text. */
	isInBytes(bytes: Buffer): boolean {
		return this.beginnings.some((beginning) => bytes.includes(beginning, 0, 'latin1'));
	}

	/** The places in a text, in order, without overlaps. */
	in(text: string): Range[] {
		const found: Range[] = [];
		if (text.length < this.shortest) return found;
		for (const { index } of text.matchAll(this.beginning)) {
			const end = this.endOf(text, index);
			const last = found.at(-1);
			if (last && index < last.end) last.end = Math.max(last.end, end);
			else found.push({ start: index, end });
		}
		return found;
	}

	/** The places in a text that more text follows, and how much of it cannot become part of a key any more. */
	settled(text: string): { found: Range[]; length: number } {
		const found = this.in(text);
		const last = found.at(-1);
		if (last?.end === text.length && this.mayGoOn(text.slice(last.start))) {
			return { found: found.slice(0, -1), length: last.start };
		}
		let length = Math.max(0, text.length - this.longest + 1, last?.end ?? 0);
		while (length < text.length && !this.mayGoOn(text.slice(length))) length += 1;
		return { found, length };
	}

	/** Where the key ends that begins at `start`: as far as the text is the same as one of the spellings. */
	private endOf(text: string, start: number): number {
		const lengths = this.spellings.map(({ text: spelling, least }) => {
			const length = lengthInCommon(spelling, text, start);
			return length < least ? 0 : length;
		});
		return start + Math.max(...lengths);
	}

	private mayGoOn(text: string): boolean {
		return this.spellings.some((one) => one.text.length > text.length && one.text.startsWith(text));
	}
}

function lengthInCommon(spelling: string, text: string, start: number): number {
	let length = 0;
	while (length < spelling.length && spelling[length] === text[start + length]) length += 1;
	return length;
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
