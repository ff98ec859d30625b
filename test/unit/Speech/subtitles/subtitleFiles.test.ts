import fc from 'fast-check';
import { srt, webVtt } from '../../../../nodes/Speech/subtitles/subtitleFiles';
import type { Cue } from '../../../../nodes/Speech/subtitles/cues';

const CUES: Cue[] = [
	{ startSeconds: 0, endSeconds: 1.2345, lines: ['Good morning!'] },
	{ startSeconds: 3661.5, endSeconds: 3662.9996, lines: ['a < b & c', 'two --> lines'] },
];

/** The cues of a file: times in milliseconds, and lines. */
function parsed(file: string): Array<[start: number, end: number, lines: string[]]> {
	const time = (text: string) => {
		const [hours, minutes, rest] = text.split(':');
		return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'))) * 1000);
	};
	return file
		.split(/\r?\n\r?\n/)
		.map((block) => block.split(/\r?\n/).filter((line) => line !== ''))
		.filter((lines) => lines.some((line) => line.includes(' --> ')))
		.map((lines) => {
			const at = lines.findIndex((line) => line.includes(' --> '));
			const [start, end] = lines[at].split(' --> ');
			return [time(start), time(end), lines.slice(at + 1)];
		});
}
const unescaped = (line: string) => line.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

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

	it('can be read again, whatever the lines are', () => {
		const line = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => `x${text}x`);
		const cue = fc.tuple(
			fc.integer({ min: 0, max: 4e8 }),
			fc.nat(9999),
			fc.array(line, { minLength: 1, maxLength: 2 }),
		);
		fc.assert(
			fc.property(fc.array(cue, { maxLength: 5 }), (all) => {
				const cues = all.map(([start, length, lines]) => ({
					startSeconds: start / 1000,
					endSeconds: (start + length) / 1000,
					lines,
				}));
				const expected = all.map(([start, length, lines]) => [
					start,
					start + length,
					lines.map((text) =>
						text
							.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
							.replace(/\p{Surrogate}/gu, '\ufffd')
							.replaceAll('-->', '→'),
					),
				]);
				expect(parsed(srt(cues))).toEqual(expected);
				const fromVtt = parsed(webVtt(cues)).map(([start, end, lines]) => [start, end, lines.map(unescaped)]);
				expect(fromVtt).toEqual(expected);
			}),
			{ numRuns: 200 },
		);
	});
});
