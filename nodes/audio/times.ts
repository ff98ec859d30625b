/** Where something is in the joined file. */
export interface Place {
	startSeconds: number;
	endSeconds: number;
}

/** Seconds as items have them. */
export function roundedSeconds(seconds: number): number {
	return Math.round(seconds * 100) / 100;
}

/** A position as tags and subtitles have it: 01:02:03.456. */
export function clockTime(seconds: number): string {
	const milliseconds = Math.max(0, Math.round(seconds * 1000));
	const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
	return hours + new Date(milliseconds).toISOString().slice(13, 23);
}
