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

	/** @param spellings an empty list for a search that finds nothing */
	constructor(private readonly spellings: Spelling[]) {
		this.beginnings = spellings.map(({ text, least }) => text.slice(0, least));
		// One pattern for all is as fast as `indexOf` for each in long texts, and much faster in short ones.
		this.beginning = new RegExp(this.beginnings.map(literally).join('|'), 'g');
		this.shortest = Math.min(...this.beginnings.map(({ length }) => length));
		this.longest = Math.max(1, ...spellings.map(({ text }) => text.length));
	}

	isIn(text: string): boolean {
		return text.length >= this.shortest && text.search(this.beginning) >= 0;
	}

	/** Tells the same for bytes, without copying them into a text. */
	isInBytes(bytes: Buffer): boolean {
		return this.beginnings.some((beginning) => bytes.includes(beginning, 0, 'latin1'));
	}

	/** Finds all occurrences in a text, in order and without overlaps. */
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

	/** Finds the occurrences in a text that goes on, and the length of the part that cannot belong to a key any more. */
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

	/** Returns the index of the spelling that equals a text; -1 for none. */
	numberOf(text: string): number {
		return this.spellings.findIndex((one) => one.text === text);
	}

	spelling(number: number): string | undefined {
		return this.spellings[number]?.text;
	}

	/** Finds the end of the key that begins at `start`: as far as the text agrees with one of the spellings. */
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

/** A shorter key is a placeholder ("test", "none") that any answer may contain by chance. */
const MIN_KEY_LENGTH = 8;
/** The number of first characters that suffice to recognize a key, because a text may have been cut off within it. */
const BEGINNING = { from: 12, to: 16 };
const END = 20;
/** Matches the prefix that all keys of a gateway share (`sk-`). Some gateways leave it out when they repeat a key. */
const PREFIX = /^[^-_]{0,7}[-_]/;

interface Spelling {
	text: string;
	/** The number of its first characters that suffice to recognize the key. */
	least: number;
}

/** Matches the scheme before a secret in a header (RFC 7235, section 2.1); answers may repeat the secret alone. */
const SCHEME = /^(basic|bearer|token)\s+/i;

/** Returns the keys that are long enough to be hidden, without white space around them and without a scheme. */
export function realKeys(secrets: string[]): string[] {
	return secrets
		.map((secret) => secret.trim().replace(SCHEME, ''))
		.filter(({ length }) => length >= MIN_KEY_LENGTH);
}

/** Returns every spelling of a key. Only the whole of it is recognized. */
export function wholeSpellings(key: string): Spelling[] {
	return spellingsOf(key, key.length);
}

/** Returns every spelling of a key, with and without its prefix, to recognize its beginning; and its end, as it is. */
export function partialSpellings(key: string): Spelling[] {
	const least = Math.min(BEGINNING.to, Math.max(BEGINNING.from, Math.ceil(key.length / 2)), key.length);
	const core = withoutPrefix(key);
	return [
		...spellingsOf(key, least),
		...(core === key ? [] : spellingsOf(core, BEGINNING.to)),
		{ text: key.slice(-END), least: END },
	];
}

/** Removes a prefix such as `sk-` from a key, unless too little would remain. */
export function withoutPrefix(key: string): string {
	const core = key.replace(PREFIX, '');
	return core.length < BEGINNING.to ? key : core;
}

/** The spellings that encode each character independently of the others. */
const BY_CHARACTER: Array<(text: string) => string> = [
	(text) => text,
	inJson,
	(text) => inJson(text).replaceAll('/', '\\/'),
	...[inUrl, inForm].flatMap((spell) => [
		spell,
		(text: string) => spell(text).replace(/%../g, (escape) => escape.toLowerCase()),
	]),
	(text) => Buffer.from(text).toString('hex'),
	(text) => Buffer.from(text).toString('hex').toUpperCase(),
];

function spellingsOf(text: string, least: number): Spelling[] {
	const all = [
		...BY_CHARACTER.map((spell) => ({ text: spell(text), least: spell(text.slice(0, least)).length })),
		...inBase64(text).map((base64) => ({
			text: base64,
			least: Math.floor((base64.length * least) / text.length),
		})),
	];
	return [...new Map(all.map((spelling) => [spelling.text, spelling])).values()];
}

function inJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function inUrl(text: string): string {
	// The buffer replaces half of a surrogate pair, which cannot be encoded.
	return encodeURIComponent(Buffer.from(text).toString());
}

/** Encodes more characters than {@link inUrl}, such as the apostrophe, which URL parsers encode in a query as well. */
function inForm(text: string): string {
	return new URLSearchParams({ '': text }).toString().slice(1);
}

/** Returns the Base64 characters that depend on the text alone, at each of the three offsets, plain and URL-safe. */
function inBase64(text: string): string[] {
	const bytes = Buffer.from(text);
	return [0, 1, 2].flatMap((offset) => {
		const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
		const base64 = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
		return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
	});
}
