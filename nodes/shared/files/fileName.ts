const MAX_LENGTH = 80;

/**
 * A file name that is safe on every system and still readable: letters of any script are kept, everything
 * that a file system or a shell gives a meaning to becomes a space.
 *
 * @param text what the file is about, e.g. the beginning of a prompt
 * @param fallback used when nothing of the text can be kept
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

/**
 * The first words of a long text (at most eight, of at most 60 characters together), enough to know a file by.
 */
export function firstWords(text: string): string {
	return text.trim().slice(0, 60).split(/\s+/).slice(0, 8).join(' ');
}
