import { matchPauses } from '../../../../nodes/Speech/subtitles/matchPauses';

const COMMA = 0.25;
const END = 0.5;
/** Marks and pauses; each is a number of seconds that are spoken before it, and a length. */
const matches = (marks: Array<[number, number]>, pauses: Array<[number, number]>) =>
	matchPauses(
		marks.map(([spokenBefore, pauseSeconds]) => ({ spokenBefore, pauseSeconds })),
		pauses.map(([spokenBefore, seconds]) => ({ spokenBefore, seconds })),
	).map(({ mark, pause }) => [mark, pause]);

describe('Pauses that can be heard', () => {
	it('belong to the marks in the text, in order', () => {
		const marks: Array<[number, number]> = [
			[2, COMMA],
			[4, END],
			[7, COMMA],
			[9, 0],
		];
		expect(
			matches(marks, [
				[2.2, 0.3],
				[4.1, 0.6],
				[6.8, 0.2],
				[9.2, 0],
			]),
		).toEqual([
			[0, 0],
			[1, 1],
			[2, 2],
			[3, 3],
		]);
	});

	it('may be missing at a comma', () => {
		const marks: Array<[number, number]> = [
			[2, COMMA],
			[4, END],
			[7, COMMA],
			[9, 0],
		];
		expect(
			matches(marks, [
				[4.1, 0.6],
				[6.8, 0.2],
				[9.2, 0],
			]),
		).toEqual([
			[1, 0],
			[2, 1],
			[3, 2],
		]);
		expect(
			matches(marks, [
				[4.1, 0.6],
				[9.2, 0],
			]),
		).toEqual([
			[1, 0],
			[3, 1],
		]);
	});

	it('may have no mark', () => {
		const marks: Array<[number, number]> = [
			[4, END],
			[9, 0],
		];
		expect(
			matches(marks, [
				[2, 0.15],
				[4.1, 0.6],
				[6, 0.3],
				[9.2, 0],
			]),
		).toEqual([
			[0, 1],
			[1, 3],
		]);
	});

	it('tell sentences from commas that are as near', () => {
		const marks: Array<[number, number]> = [
			[3.5, COMMA],
			[4, END],
			[9, 0],
		];
		expect(
			matches(marks, [
				[3.8, 0.6],
				[9, 0],
			]),
		).toEqual([
			[1, 0],
			[2, 1],
		]);
		expect(
			matches(marks, [
				[3.7, 0.2],
				[9, 0],
			]),
		).toEqual([
			[0, 0],
			[2, 1],
		]);
	});

	it('are matched whatever the tempo of the voice is', () => {
		const marks: Array<[number, number]> = [
			[2, COMMA],
			[4, END],
			[7, COMMA],
			[9, 0],
		];
		expect(
			matches(marks, [
				[3, 0.3],
				[6.2, 0.6],
				[10, 0.2],
				[13.5, 0],
			]),
		).toEqual([
			[0, 0],
			[1, 1],
			[2, 2],
			[3, 3],
		]);
	});

	it('are matched after a long stretch without any', () => {
		const commas = Array.from({ length: 100 }, (_, index): [number, number] => [index + 1, COMMA]);
		const found = matches(
			[...commas, [101, 0]],
			[
				[50.1, 0.3],
				[101, 0],
			],
		);
		expect(found.at(-1)).toEqual([100, 1]);
		// Both ends are always matched, even if nothing in between is.
		expect(matches([...commas, [101, 0]], [[101, 0]])).toEqual([[100, 0]]);
		expect(matches([[5, 0]], [...commas, [101, 0]])).toEqual([[0, 100]]);
	});
});
