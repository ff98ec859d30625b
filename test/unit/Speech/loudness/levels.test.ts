import fc from 'fast-check';
import { LevelMeter, silencesIn } from '../../../../nodes/Speech/loudness/levels';

/** Levels of 10 ms: speech, silence, and so on, in turn, beginning with silence. */
const levelsOf = (counts: number[], silence = 0, speech = 1) =>
	counts.flatMap((count, index) => new Array<number>(count).fill(index % 2 === 0 ? silence : speech));
const rounded = (levels: number[], seconds = levels.length / 100) =>
	silencesIn(levels, seconds).map(({ startSeconds, endSeconds }) =>
		[startSeconds, endSeconds].map((time) => Math.round(100 * time)),
	);

describe('Silence', () => {
	it('is found before, between, and after words', () => {
		expect(rounded(levelsOf([12, 50, 20, 80, 30]))).toEqual([
			[0, 12],
			[62, 82],
			[162, 192],
		]);
	});

	it('is found behind noise, and in a quiet voice', () => {
		const quiet = levelsOf([12, 50, 20, 80, 30], 1e-6, 1e-4);
		expect(rounded(quiet)).toEqual(rounded(levelsOf([12, 50, 20, 80, 30])));
		const noisy = levelsOf([12, 50, 20, 80, 30], 1, 60).map(
			(level, index) => level * (1 + 0.5 * Math.sin(index)),
		);
		expect(rounded(noisy)).toEqual(rounded(levelsOf([12, 50, 20, 80, 30])));
	});

	it('is not what a consonant closes for a moment', () => {
		expect(rounded(levelsOf([0, 50, 5, 50]))).toEqual([]);
		expect(rounded(levelsOf([0, 50, 6, 50]))).toEqual([[50, 56]]);
	});

	it('goes on behind a click', () => {
		expect(rounded(levelsOf([10, 50, 20, 2, 20, 50]))).toEqual([
			[0, 10],
			[60, 102],
		]);
	});

	it('is everywhere if there is nothing else, and nowhere in constant sound', () => {
		expect(rounded(levelsOf([100]))).toEqual([[0, 100]]);
		expect(rounded(levelsOf([0, 100]))).toEqual([]);
		expect(silencesIn([], 0)).toEqual([]);
	});

	it('ends where the sound ends, even if the last moment is incomplete', () => {
		expect(silencesIn(levelsOf([0, 100, 20]), 1.207)).toEqual([{ startSeconds: 1, endSeconds: 1.207 }]);
		// What is not played is no silence either.
		expect(silencesIn(levelsOf([0, 100, 20]), 1.1)).toEqual([{ startSeconds: 1, endSeconds: 1.1 }]);
	});

	it('is in order and within the sound, whatever the levels', () => {
		fc.assert(
			fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (levels) => {
				let last = 0;
				for (const { startSeconds, endSeconds } of silencesIn(levels, levels.length / 100)) {
					expect(startSeconds).toBeGreaterThanOrEqual(last);
					expect(endSeconds).toBeGreaterThan(startSeconds);
					last = endSeconds;
				}
				expect(last).toBeLessThanOrEqual(levels.length / 100);
			}),
		);
	});
});

describe('Levels', () => {
	it('keep the energy of sound, whatever the lengths of its pieces', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.tuple(
						fc.double({ min: 0, max: 9, noNaN: true }),
						fc.double({ min: 0.0001, max: 0.05, noNaN: true }),
					),
					{
						minLength: 1,
					},
				),
				(pieces) => {
					const meter = new LevelMeter();
					for (const [energy, seconds] of pieces) meter.add(energy, seconds);
					const length = pieces.reduce((sum, [, seconds]) => sum + seconds, 0);
					const energy = pieces.reduce((sum, [each, seconds]) => sum + each * seconds, 0);
					const kept = meter.levels.reduce((sum, level) => sum + level * 0.01, 0);
					expect(Math.abs(meter.levels.length - length / 0.01)).toBeLessThanOrEqual(1);
					// The last moment may be incomplete.
					expect(energy - kept).toBeGreaterThanOrEqual(-1e-9);
					expect(energy - kept).toBeLessThanOrEqual(0.01 * 9 + 1e-9);
				},
			),
		);
	});
});
