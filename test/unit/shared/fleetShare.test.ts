import { FleetShare } from '../../../nodes/shared/pacing/fleetShare';
import { seededRandom } from '../seededRandom';

/** Seconds after which a share that is being found is used. */
const FOUND_AFTER_MS = 40_000;

describe('The share of a limit that a process uses', () => {
	let now: number;
	beforeEach(() => {
		now = 1_000;
	});
	const shareOf = (perSecond: number) => new FleetShare(perSecond / 1_000, now);
	const perSecond = (share: FleetShare) => 1_000 * share.perMs(now);
	/** Sends requests at the rate of the share. */
	const send = (share: FleetShare, requests: number, isRefused: (index: number) => boolean = () => false) => {
		for (let index = 0; index < requests; index++) {
			now += 1 / share.perMs(now);
			share.sent(now);
			if (isRefused(index)) share.refused(now, true);
		}
	};
	const found = (rate: number) => {
		const share = shareOf(rate);
		for (let time = 0; time < 3; time++) share.refused(now, true);
		expect(share.isFinding(now)).toBe(true);
		now += FOUND_AFTER_MS;
		expect(share.isFinding(now)).toBe(false);
		return share;
	};

	it('rises with requests, and falls with refusals', () => {
		const share = shareOf(2);
		send(share, 20);
		const risen = perSecond(share);
		expect(risen).toBeGreaterThan(2);
		expect(risen).toBeLessThan(2.1);
		share.refused(now, true);
		expect(perSecond(share)).toBeLessThan(2);
		expect(perSecond(share)).toBeGreaterThan(1.8);
	});

	it.each([0.5, 1, 3, 10, 100])(
		'stays within a factor of two while 1 in 60 is refused: %d per second',
		(rate) => {
			const share = shareOf(rate);
			send(share, 3_000, (index) => index % 60 === 59);
			const change = perSecond(share) / rate;
			// From many requests, few refusals are enough to learn: there, fewer are accepted as usual.
			expect(change).toBeLessThan(2);
			if (rate <= 2) expect(change).toBeGreaterThan(0.5);
			else expect(change).toBeLessThan(0.9);
		},
	);

	it('of a slow process rises more than that of a fast one, where as many requests are refused', () => {
		const random = seededRandom(1);
		const [slow, fast] = [shareOf(0.5), shareOf(5)];
		for (const share of [slow, fast]) send(share, 600, () => random() < 0.012);
		expect(perSecond(slow) / 0.5).toBeGreaterThan(1.2 * (perSecond(fast) / 5));
	});

	it('is found anew when three requests are refused soon after it was measured', () => {
		const share = shareOf(10);
		for (let time = 0; time < 2; time++) share.refused(now, true);
		expect(share.isFinding(now)).toBe(false);
		share.refused(now, true);
		expect(share.isFinding(now)).toBe(true);
	});

	it('is not found anew because of refusals among many requests', () => {
		const share = shareOf(10);
		send(share, 300, (index) => index % 10 === 9);
		expect(share.isFinding(now)).toBe(false);
	});

	it('is found anew when about half of the requests are refused, but not twice in a row', () => {
		const share = found(10);
		send(share, 40, (index) => index % 4 !== 0);
		expect(share.isFinding(now)).toBe(false);
		now += 90_000;
		send(share, 40, (index) => index % 4 !== 0);
		expect(share.isFinding(now)).toBe(true);
	});

	it('changes in large steps while it is found, and these get smaller', () => {
		const share = shareOf(10);
		for (let time = 0; time < 3; time++) share.refused(now, true);
		const stepAt = (milliseconds: number) => {
			now = 1_000 + milliseconds;
			const before = perSecond(share);
			share.refused(now, true);
			return 1 - perSecond(share) / before;
		};
		const steps = [stepAt(0), stepAt(5_000), stepAt(10_000), stepAt(20_000)];
		expect(steps[0]).toBeCloseTo(0.3);
		expect(steps[1]).toBeLessThan(steps[0]);
		expect(steps[2]).toBeCloseTo(0.075);
		expect(steps[3]).toBeCloseTo(0.075);
	});

	it('is in the end what it was in the last seconds, without what was refused', () => {
		const share = shareOf(4);
		for (let time = 0; time < 3; time++) share.refused(now, true);
		const start = now;
		while (now < start + FOUND_AFTER_MS - 5_000) send(share, 1, () => true);
		const late: number[] = [];
		let refused = 0;
		while (now < start + FOUND_AFTER_MS - 1_000) {
			send(share, 1, () => {
				const isRefused = late.length % 3 === 2;
				if (isRefused) refused += 1;
				return isRefused;
			});
			late.push(perSecond(share));
		}
		now = start + FOUND_AFTER_MS;
		const mean = late.reduce((sum, rate) => sum + rate, 0) / late.length;
		const accepted = 1 - refused / late.length;
		expect(perSecond(share) / (mean * accepted)).toBeGreaterThan(0.7);
		expect(perSecond(share) / (mean * accepted)).toBeLessThan(1.1);
	});

	it('sends now and then while it is found, however much is refused', () => {
		const share = shareOf(0.3);
		for (let time = 0; time < 30; time++) share.refused(now, true);
		expect(perSecond(share)).toBeCloseTo(0.14);
	});

	it('is not lowered below one request in ten seconds', () => {
		const share = found(0.5);
		for (let time = 0; time < 100; time++) {
			send(share, 20);
			share.refused(now, true);
			now += 60_000;
			if (share.isFinding(now)) continue;
			expect(perSecond(share)).toBeGreaterThan(0.09);
		}
	});

	it('is lowered four times at most while nothing is accepted', () => {
		const share = found(100);
		const rates = Array.from({ length: 8 }, () => {
			share.refused(now, false);
			return perSecond(share);
		});
		expect(rates[3]).toBeLessThan(rates[2]);
		expect(rates[7]).toBe(rates[3]);
		expect(share.isBlind).toBe(true);
	});

	it('is tried at higher rates when nothing is refused for long, of which a part remains', () => {
		const share = found(4);
		const start = perSecond(share);
		send(share, 400);
		const tried = perSecond(share);
		expect(tried).toBeGreaterThan(2.5 * start);
		share.refused(now, true);
		expect(perSecond(share)).toBeLessThan(0.8 * tried);
		expect(perSecond(share)).toBeGreaterThan(1.2 * start);
	});

	it('falls back to a quarter and is found when the first requests had doubled it too often', () => {
		const share = new FleetShare(1 / 1_000, now, true);
		for (let time = 0; time < 4; time++) share.sent(now);
		expect(perSecond(share)).toBe(16);
		share.refused(now, true);
		expect(share.isFinding(now)).toBe(true);
		expect(perSecond(share)).toBeCloseTo(4 * 0.7);
	});
});
