/** Tags have 32 bits for a time. */
const MAX_UNITS = 0xffff_ffff;

/** A chapter of an audio file. */
export interface Chapter {
	title: string;
	startSeconds: number;
	endSeconds: number;
}

/** What players show about an audio file. Empty texts are left out. */
export interface AudioTags {
	title?: string;
	artist?: string;
	album?: string;
	/** A year, a month, or a day: 2026, 2026-11, or 2026-11-23. */
	date?: string;
	/** Code of the language, for example zh-CN. */
	language?: string;
	cover?: { bytes: Buffer; mimeType: 'image/jpeg' | 'image/png' };
	chapters: Chapter[];
}

/**
 * Text that any format can contain and any reader gives back: without zero bytes, which end texts, and without a byte
 * order mark before it. Halves of surrogate pairs and U+FFFE and U+FFFF, which are no characters, become U+FFFD.
 */
export function tagText(text: string): string {
	return text.replace(/^[\0\ufeff]+|\0/g, '').replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd');
}

/** The names and texts of those that are not empty. */
export function filledTexts(texts: Record<string, string | undefined>): Array<[string, string]> {
	return Object.entries(texts)
		.map(([name, text]): [string, string] => [name, tagText(text ?? '')])
		.filter(([, text]) => text !== '');
}

/** Milliseconds in whole numbers, as tags count them. */
export function milliseconds(seconds: number): number {
	return unitsAt(seconds, 1000);
}

/** A time in whole units, such as samples, within the limits of tags. What is not a time counts as the beginning. */
export function unitsAt(seconds: number, unitsPerSecond: number): number {
	const units = Math.round(seconds * unitsPerSecond);
	return units > 0 ? Math.min(MAX_UNITS, units) : 0;
}
