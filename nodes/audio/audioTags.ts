/** The place of a sound in the joined file. */
export interface Place {
	startSeconds: number;
	endSeconds: number;
}

/** Rounds seconds to two decimals, as in output items. */
export function roundedSeconds(seconds: number): number {
	return Math.round(seconds * 100) / 100;
}

/** Writes a position as in tags and subtitles: 01:02:03.456. */
export function clockTime(seconds: number): string {
	const milliseconds = Math.max(0, Math.round(seconds * 1000));
	const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
	return hours + new Date(milliseconds).toISOString().slice(13, 23);
}

export interface Chapter extends Place {
	title: string;
}

/** Texts that players show about an audio file. Empty texts are left out. */
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

/** Returns text that any format can contain: without zero bytes, which end texts, and without non-characters. */
export function tagText(text: string): string {
	return text.replace(/^[\0\ufeff]+|\0/g, '').replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd');
}

/** Returns the names and the texts of those that are not empty. */
export function filledTexts(texts: Record<string, string | undefined>): Array<[string, string]> {
	return Object.entries(texts)
		.map(([name, text]): [string, string] => [name, tagText(text ?? '')])
		.filter(([, text]) => text !== '');
}

/** Writes numbers of 32 bits, highest byte first. */
export function bigEndian(...numbers: number[]): Buffer {
	return littleEndian(...numbers).swap32();
}

/** Writes numbers of 32 bits, lowest byte first. */
export function littleEndian(...numbers: number[]): Buffer {
	const bytes = Buffer.alloc(4 * numbers.length);
	numbers.forEach((number, index) => bytes.writeUInt32LE(number, 4 * index));
	return bytes;
}
