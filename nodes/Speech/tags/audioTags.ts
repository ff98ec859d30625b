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
	date?: string;
	language?: string;
	cover?: { bytes: Buffer; mimeType: string };
	chapters: Chapter[];
}
