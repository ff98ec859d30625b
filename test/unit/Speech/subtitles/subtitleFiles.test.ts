import { srt, webVtt } from '../../../../nodes/Speech/subtitles/subtitleFiles';
import type { Cue } from '../../../../nodes/Speech/subtitles/cues';

const CUES: Cue[] = [
	{ startSeconds: 0, endSeconds: 1.2345, lines: ['Good morning!'] },
	{ startSeconds: 3661.5, endSeconds: 3662.9996, lines: ['a < b & c', 'two --> lines'] },
];

describe('A subtitle file', () => {
	it('is SRT with numbers, commas, and line breaks of Windows', () => {
		expect(srt(CUES)).toBe(
			'1\r\n00:00:00,000 --> 00:00:01,235\r\nGood morning!\r\n\r\n2\r\n01:01:01,500 --> 01:01:03,000\r\na < b & c\r\ntwo → lines\r\n',
		);
	});

	it('is WebVTT with escaped marks', () => {
		expect(webVtt(CUES)).toBe(
			'WEBVTT\n\n00:00:00.000 --> 00:00:01.235\nGood morning!\n\n01:01:01.500 --> 01:01:03.000\na &lt; b &amp; c\ntwo → lines\n',
		);
	});

	it('is valid without cues', () => {
		expect([srt([]), webVtt([])]).toEqual(['', 'WEBVTT\n']);
	});

	it('contains nothing that ends a cue, or that is no character', () => {
		const lines = ['a\r\nb\0c\u2028d', 'e \ud83d f', 'g --> h'];
		const shown = ['a b c d', 'e \ufffd f', 'g → h'];
		const cue = { startSeconds: 0, endSeconds: 1, lines };
		expect(srt([cue])).toContain(`\r\n${shown.join('\r\n')}\r\n`);
		expect(webVtt([cue])).toContain(`\n${shown.join('\n')}\n`);
	});
});
