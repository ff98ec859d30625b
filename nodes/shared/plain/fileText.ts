import { isBlank } from './values';

/** A file that was sent as text, or the beginning of one: Base64, hexadecimal digits, or a data URI (RFC 2397). */
export interface FileText {
	/** The media type of the data URI, with its parameters; empty where none is declared. */
	mimeType: string;
	/** The text of the file itself, without the prefix of a data URI. */
	content: string;
	encoding: 'base64' | 'hex' | 'percent';
}

/**
 * Matches the prefix of a data URI. White space never belongs to the file
 * (https://github.com/oven-sh/bun/issues/36483), and the value of a parameter may be quoted (RFC 2397, section 3).
 */
const DATA_URI =
	/^\s{0,99}data:\s{0,99}([^,;"<>]{0,120})((?:;[^,;"<>]{0,100}(?:"[^"<>]{0,300}"\s{0,9})?){0,9}),/i;
const IN_BASE64 = /;\s{0,9}base64\s{0,9}$/i;
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
const PERCENT = /%([0-9a-f]{2})/gi;
/** Matches a percent sign whose digits are cut off at the end. */
const CUT_PERCENT = /%[0-9a-f]?$/i;
/** Matches what is not Base64. The URL-safe characters count as Base64, because `Buffer.from` accepts them. */
const NOT_BASE64 = /[^A-Za-z0-9+/=_\s-]/;
const NOT_HEX = /[^0-9A-Fa-f\s]/;
/** The fewest characters of hexadecimal text: Base64 of this length never consists of its 22 characters only. */
const SHORTEST_HEX = 64;
/** The number of characters that are examined. A file that is damaged after them is kept, and reported as damaged. */
const LENGTH_TO_CHECK = 1_024;
/** The length of the shortest Base64 text: one group of four. */
const FEWEST_LETTERS = 4;
/** Matches 40 characters without white space: lines of Base64 are this long, words are not. */
const LONGER_THAN_WORDS = /[^\s]{40}/;

/** Recognizes the file in a text, or in the beginning of one, by its first characters; undefined for any other text. */
export function fileTextOf(text: string): FileText | undefined {
	const [prefix, type = '', parameters = ''] = DATA_URI.exec(text) ?? [];
	const content = text.slice(prefix?.length ?? 0);
	const beginning = unquoted(content.slice(0, LENGTH_TO_CHECK)).replace(CUT_PERCENT, '');
	if (isBlank(beginning)) return undefined;
	if (prefix === undefined) {
		return hasFile(beginning.trim()) ? { mimeType: '', content, encoding: encodingOf(beginning) } : undefined;
	}
	const isBase64 = IN_BASE64.test(parameters);
	const mimeType = type.trim().toLowerCase();
	if (mimeType !== '' ? !MEDIA_TYPE.test(mimeType) : !isBase64) return undefined;
	const others = mimeType === '' ? '' : parameters.replace(IN_BASE64, '').replace(/\s+/g, '').toLowerCase();
	return { mimeType: mimeType + others, content, encoding: isBase64 ? 'base64' : 'percent' };
}

/** Tells whether a text without a prefix is a file. Only a few letters between spaces are words. */
function hasFile(content: string): boolean {
	const isOneWord = content.length >= FEWEST_LETTERS && !/\s/.test(content);
	return !NOT_BASE64.test(content) && (isOneWord || LONGER_THAN_WORDS.test(content));
}

function encodingOf(content: string): FileText['encoding'] {
	return content.length >= SHORTEST_HEX && !NOT_HEX.test(content) ? 'hex' : 'base64';
}

/** Tells whether an address is a data URI, and so contains the file itself. */
export function isDataUri(address: string | undefined): boolean {
	return address !== undefined && /^\s{0,99}data:/i.test(address);
}

/** Decodes the file in a text; undefined for any other text, and for a damaged file. */
export function fileOfText(text: string): { mimeType: string; bytes: Buffer } | undefined {
	const file = fileTextOf(text);
	if (!file) return undefined;
	const decoder = new FileTextDecoder(file);
	const bytes = Buffer.concat([decoder.add(file.content), decoder.end()]);
	return decoder.isDamaged ? undefined : { mimeType: file.mimeType, bytes };
}

/** Decodes the text of a file that arrives in pieces. Characters outside its encoding are skipped (RFC 2045, 6.8). */
export class FileTextDecoder {
	/** True if a character was skipped that the text of a file never contains. */
	isDamaged = false;
	/** Characters that do not make up whole bytes yet. */
	private rest = '';

	constructor(private readonly file: Pick<FileText, 'encoding'>) {}

	add(piece: string): Buffer {
		const text = this.rest + piece;
		const cut = CUT_PERCENT.exec(text)?.index ?? text.length;
		const decoded = this.decode(text.slice(0, cut));
		this.rest += text.slice(cut);
		return decoded;
	}

	end(): Buffer {
		const { encoding } = this.file;
		return Buffer.from(this.rest, encoding === 'percent' ? 'utf8' : encoding);
	}

	private decode(text: string): Buffer {
		const { encoding } = this.file;
		this.rest = '';
		if (encoding === 'percent') return Buffer.from(unquoted(Buffer.from(text).toString('latin1')), 'latin1');
		const [other, foreign, group] =
			encoding === 'hex' ? [NOT_HEX, /[^0-9A-Fa-f]/g, 2] : [NOT_BASE64, /[^\w+/=-]/g, 4];
		const sent = unquoted(text);
		this.isDamaged ||= other.test(sent);
		// Each piece of a stream may have its own padding.
		const padded = sent.replace(foreign, '').split(/=+/);
		const last = padded.pop() ?? '';
		const whole = last.length - (last.length % group);
		this.rest = last.slice(whole);
		return Buffer.concat([...padded, last.slice(0, whole)].map((part) => Buffer.from(part, encoding)));
	}
}

function unquoted(text: string): string {
	if (!text.includes('%')) return text;
	return text.replace(PERCENT, (_quoted, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
