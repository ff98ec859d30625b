const LINE_ENDS = /\r\n|[\r\u0085\u2028\u2029]/g;
/** Characters without a sound that would come between marks: controls, byte order mark, soft hyphen, lone surrogates. */
const SILENT = /[^\P{Cc}\t\n]|[\u00AD\uFEFF\p{Cs}]/gu;

/**
 * A text with `\n` as its only line end, without control characters and without halves of surrogate pairs. Joiners,
 * direction marks, and zero-width spaces stay, because words of several scripts need them.
 */
export function normalizeCharacters(text: string): string {
	return text.replace(LINE_ENDS, '\n').replace(SILENT, '').replaceAll('\u00A0', ' ').trim();
}
