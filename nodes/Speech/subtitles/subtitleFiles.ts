import type { Cue } from './cues';

/** A kind of subtitle file. */
interface SubtitleFormat {
	extension: string;
	mimeType: string;
	write: (cues: Cue[]) => string;
}

/** The kinds of subtitle files. */
export const SUBTITLE_FORMATS: SubtitleFormat[] = [
	{ extension: 'srt', mimeType: 'application/x-subrip', write: srt },
	{ extension: 'vtt', mimeType: 'text/vtt', write: webVtt },
];

/** Subtitles as SubRip, for video editors and players. */
export function srt(cues: Cue[]): string {
	return cues
		.map(({ startSeconds, endSeconds, lines }, index) => {
			const times = `${timeOf(startSeconds, ',')} --> ${timeOf(endSeconds, ',')}`;
			return `${[index + 1, times, ...lines.map(plain)].join('\r\n')}\r\n`;
		})
		.join('\r\n');
}

/** Subtitles as WebVTT, for browsers and podcast apps. */
export function webVtt(cues: Cue[]): string {
	const blocks = cues.map(({ startSeconds, endSeconds, lines }) => {
		const times = `${timeOf(startSeconds, '.')} --> ${timeOf(endSeconds, '.')}`;
		return `${[times, ...lines.map((line) => escaped(plain(line)))].join('\n')}\n`;
	});
	return ['WEBVTT\n', ...blocks].join('\n');
}

/** 01:02:03,456 */
function timeOf(seconds: number, mark: ',' | '.'): string {
	const total = Math.max(0, Math.round(seconds * 1000));
	const two = (value: number) => String(value).padStart(2, '0');
	const rest = total % 60_000;
	const hours = two(Math.floor(total / 3_600_000));
	const minutes = two(Math.floor(total / 60_000) % 60);
	return `${hours}:${minutes}:${two(Math.floor(rest / 1000))}${mark}${String(rest % 1000).padStart(3, '0')}`;
}

/** A line without what ends a cue or is no character. */
function plain(line: string): string {
	return line
		.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
		.replace(/\p{Surrogate}/gu, '\ufffd')
		.replaceAll('-->', '→');
}

function escaped(line: string): string {
	return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
