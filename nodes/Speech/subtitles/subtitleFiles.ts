import { clockTime } from '../../audio/audioTags';
import type { Cue } from './cues';

interface SubtitleFormat {
	extension: string;
	mimeType: string;
	write: (cues: Cue[]) => string;
}

export const SUBTITLE_FORMATS: SubtitleFormat[] = [
	{ extension: 'srt', mimeType: 'application/x-subrip', write: srt },
	{ extension: 'vtt', mimeType: 'text/vtt', write: webVtt },
];

/** Subtitles as SubRip, for video editors and players. */
export function srt(cues: Cue[]): string {
	return cues
		.map(({ startSeconds, endSeconds, lines }, index) => {
			const times = `${clockTime(startSeconds)} --> ${clockTime(endSeconds)}`.replaceAll('.', ',');
			return `${[index + 1, times, ...lines.map(plain)].join('\r\n')}\r\n`;
		})
		.join('\r\n');
}

/** Subtitles as WebVTT, for browsers and podcast apps. */
export function webVtt(cues: Cue[]): string {
	const blocks = cues.map(({ startSeconds, endSeconds, lines }) => {
		const times = `${clockTime(startSeconds)} --> ${clockTime(endSeconds)}`;
		return `${[times, ...lines.map((line) => escaped(plain(line)))].join('\n')}\n`;
	});
	return ['WEBVTT\n', ...blocks].join('\n');
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
