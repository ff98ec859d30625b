import { detectMediaType } from '../shared/files/mediaTypes';
import { sentFileOf, type SentFile } from '../shared/files/sentFiles';
import { asRecord, textOr } from '../shared/plain/values';
import type { InputSettings } from './formats/chatFormat';
import type { FilePart, Part } from './formats/conversation';
import { fileKindOf, nameOfFile, takesFile } from './formats/fileParts';
import type { SdkContent } from './sdk';

/** The place of a file that cannot be used, in error messages. */
export const MESSAGE_LABEL = 'The message to the model';

/** Returns the part for a file; undefined if the format has none. */
export function usableFile(block: SdkContent, input: InputSettings): Part | undefined {
	const sent = sentFile(block);
	if (!sent) return undefined;
	const kind = fileKindOf(sent, textOr(block.mediaType));
	// n8n's Agent passes the name of a PDF along.
	const name = nameOfFile(sent, textOr(asRecord(block.providerMetadata)?.filename));
	if (kind === 'text' && sent.kind === 'base64') {
		return { type: 'document', name, text: Buffer.from(sent.base64, 'base64').toString() };
	}
	return kind !== undefined && takesFile(input, { kind, sent })
		? { type: 'file', kind, name, sent }
		: undefined;
}

function sentFile({ data, mediaType, providerMetadata }: SdkContent): SentFile | undefined {
	const url = asRecord(providerMetadata)?.url;
	if (typeof url === 'string') return sentFileOf(url, MESSAGE_LABEL);
	const base64 = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : textOr(data);
	if (base64 === '') return undefined;
	const start = Buffer.from(base64.slice(0, 400), 'base64');
	const mimeType = textOr(mediaType) || (detectMediaType(start) ?? 'application/octet-stream');
	return { kind: 'base64', mimeType, base64 };
}

/** Reads the result of a tool: its text, and the files that models can read. */
export function contentOfResult(result: unknown, input: InputSettings): { text: string; files?: FilePart[] } {
	if (typeof result === 'string') return { text: withoutBase64(result) };
	if (!Array.isArray(result)) return { text: withoutBase64(JSON.stringify(result ?? null)) };
	const texts: string[] = [];
	const files: FilePart[] = [];
	for (const block of result) {
		const { type, text } = asRecord(block) ?? {};
		if (type === 'text') texts.push(textOr(text));
		else if (type !== 'file') texts.push(JSON.stringify(block));
		else {
			const part = usableFile(block as SdkContent, input);
			if (part?.type === 'file') files.push(part);
			else texts.push(part?.type === 'document' ? part.text : '[file]');
		}
	}
	return { text: withoutBase64(texts.join('\n')), ...(files.length > 0 ? { files } : {}) };
}

/** The shortest Base64 that is left out, in characters. */
const MIN_BASE64 = 2_000;
/** The lengths of the lines of PEM (64) and MIME (76), and of common encoders. Keys and signatures have others. */
const WIDTHS = [60, 64, 72, 76];
/** Limited in length, because the engine overflows on lines of many megabytes. An escaped line feed is not a letter. */
const LETTERS = /\\[rn]|(?:[\w+/=-]|\\\/){1,10000}/g;
const LINE_END = /^(?:[\r\n]|\\[rn]){1,9}[ \t]{0,99}$/;
/** Matches the characters that may follow the last line. */
const END = /[\r\n"'<\\]/;

/** Removes files in Base64 from a result: models cannot read them, and each further request would pay for them. */
function withoutBase64(text: string): string {
	const kept: string[] = [];
	/** The lines of one length that were seen last; the last one may be shorter. */
	let found = { start: 0, end: 0, width: 0, isOpen: false };
	const keep = (until: number) => {
		const { start, end } = found;
		kept.push(withoutFile(text.slice(start, end)), text.slice(end, until));
	};
	for (const { 0: letters, index } of text.matchAll(LETTERS)) {
		if (/^\\[rn]/.test(letters)) continue;
		const end = index + letters.length;
		const width = letters.replaceAll('\\/', '/').length;
		const isSameLine = found.width > 0 && index === found.end;
		const isLast = width < found.width && width % 4 === 0 && END.test(text[end] ?? '\n');
		const isNextLine =
			found.isOpen &&
			(width === found.width || isLast) &&
			index - found.end < 200 &&
			LINE_END.test(text.slice(found.end, index));
		if (isSameLine) found = { ...found, end, isOpen: false };
		else if (isNextLine) found = { ...found, end, isOpen: !isLast };
		else {
			keep(index);
			found = { start: index, end, width, isOpen: WIDTHS.includes(width) };
		}
	}
	keep(text.length);
	return kept.join('');
}

function withoutFile(text: string): string {
	const isBase64 = text.length >= MIN_BASE64 && [/[A-Z]/, /[a-z]/, /\d/].every((one) => one.test(text));
	return isBase64 ? `[${Math.ceil((text.length * 3) / 4 / 1000)} kB of Base64 left out]` : text;
}
