import type { Loudness } from '../loudness/loudness';

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
	cover?: { bytes: Buffer; mimeType: string };
	chapters: Chapter[];
	/** Undefined if it has not been measured. */
	loudness?: Loudness;
}

/** Text that any format can contain: no zero bytes, which end texts, and no halves of surrogate pairs. */
export function tagText(text: string): string {
	return text.replace(/\0/g, '').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Milliseconds in whole numbers, as tags count them. */
export function milliseconds(seconds: number): number {
	return Math.max(0, Math.round(seconds * 1000));
}
