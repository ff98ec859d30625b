const MAX_LENGTH = 80;

/**
 * A readable file name that is safe on every system: letters of all scripts stay, and characters with a meaning to a
 * file system or shell become spaces.
 *
 * @param text what the file is about, for example the beginning of a prompt
 * @param fallback used when nothing of the text remains
 * @param extension without the dot
 */
export function fileNameFrom(text: string, fallback: string, extension: string): string {
	const readable = text
		.normalize('NFC')
		.replace(/[^\p{L}\p{M}\p{N}_.,()-]+/gu, ' ')
		.replace(/\.{2,}/g, '.')
		.replace(/^[.\s-]+/, '');
	const short = [...readable]
		.slice(0, MAX_LENGTH)
		.join('')
		.replace(/[.\s]+$/, '');
	const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short);
	return `${short && !reserved ? short : fallback}.${extension}`;
}

/** The first words of a long text, as a name for a file: at most eight words and 60 characters. */
export function firstWords(text: string): string {
	return text.trim().slice(0, 60).split(/\s+/).slice(0, 8).join(' ');
}
