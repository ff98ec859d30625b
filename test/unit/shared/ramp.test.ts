import { Ramp } from '../../../nodes/shared/pacing/ramp';

describe('The first requests', () => {
	it('are a millisecond apart after a minute of silence, six of them', () => {
		const ramp = new Ramp();
		const intervals = (from: number) => Array.from({ length: 8 }, (_, index) => ramp.sent(from + index));
		expect(intervals(0)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
		expect(intervals(60_007)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
		expect(intervals(120_015)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
	});

	it('are a tenth of a second apart after each pause, four of them', () => {
		const ramp = new Ramp();
		const intervals = () => Array.from({ length: 6 }, () => ramp.probed());
		expect(intervals()).toEqual([0, 0, 0, 0, 0, 0]);
		ramp.pause();
		expect(intervals()).toEqual([100, 100, 100, 100, 0, 0]);
		ramp.pause();
		expect(intervals()).toEqual([100, 100, 100, 100, 0, 0]);
	});
});
