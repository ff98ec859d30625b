import { matchPauses } from '../../../../nodes/Speech/subtitles/matchPauses';
import { finished } from './finished';

const COMMA = 0.25;
const END = 0.5;
const times = (...numbers: number[]) => numbers;
/** "…, …. …, ….": after how much speech its marks are. */
const TEXT = [times(2, COMMA), times(4, END), times(7, COMMA), times(9, 0)];

/** Marks and pauses; each is a number of seconds that are spoken before it, and a length. */
const matches = (marks: number[][], ...pauses: number[][]) =>
	finished(
		matchPauses(
			marks.map(([spokenBefore, pauseSeconds]) => ({ spokenBefore, pauseSeconds })),
			pauses.map(([spokenBefore, seconds]) => ({ spokenBefore, seconds })),
		),
	)
		.map(({ mark, pause }) => `${mark}-${pause}`)
		.join(' ');

describe('Pauses that can be heard', () => {
	it('belong to the marks in the text, in order', () => {
		const found = matches(TEXT, times(2.2, 0.3), times(4.1, 0.6), times(6.8, 0.2), times(9.2, 0));
		expect(found).toBe('0-0 1-1 2-2 3-3');
	});

	it('may be missing at a comma', () => {
		expect(matches(TEXT, times(4.1, 0.6), times(6.8, 0.2), times(9.2, 0))).toBe('1-0 2-1 3-2');
		expect(matches(TEXT, times(4.1, 0.6), times(9.2, 0))).toBe('1-0 3-1');
	});

	it('may have no mark', () => {
		const marks = [times(4, END), times(9, 0)];
		expect(matches(marks, times(2, 0.15), times(4.1, 0.6), times(6, 0.3), times(9.2, 0))).toBe('0-1 1-3');
	});

	it('tell sentences from commas that are as near', () => {
		const marks = [times(3.5, COMMA), times(4, END), times(9, 0)];
		expect(matches(marks, times(3.8, 0.6), times(9, 0))).toBe('1-0 2-1');
		expect(matches(marks, times(3.7, 0.2), times(9, 0))).toBe('0-0 2-1');
	});

	it('are matched whatever the tempo of the voice is', () => {
		const slow = [times(3, 0.3), times(6.2, 0.6), times(10, 0.2), times(13.5, 0)];
		expect(matches(TEXT, ...slow)).toBe('0-0 1-1 2-2 3-3');
	});

	it('are not needed: both ends are always matched', () => {
		const many = Array.from({ length: 100 }, (_, index) => times(index + 1, COMMA));
		expect(matches([...many, times(101, 0)], times(101, 0))).toBe('100-0');
		expect(matches([times(5, 0)], ...many, times(101, 0))).toBe('0-100');
	});
});
