import { Ramp } from '../../../nodes/shared/pacing/ramp';

describe('The first requests', () => {
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
