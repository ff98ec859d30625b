import { LearnedRate } from '../../../nodes/shared/pacing/learnedRate';
import { newRequest, type SendSlot } from '../../../nodes/shared/pacing/sendSlot';
import { ManualClock } from '../manualClock';

const USUAL = 0.96;

describe('The rate that a lane learns', () => {
	let clock: ManualClock;
	let learned: LearnedRate;
	let sends: number;
	beforeEach(() => {
		clock = new ManualClock();
		learned = new LearnedRate(clock);
		sends = 0;
	});
	const send = (): SendSlot => {
		const slot = {
			request: newRequest(),
			number: ++sends,
			sentAt: clock.now(),
			pauses: 0,
			refused: false,
			inProgress: 1,
		};
		learned.sent(slot);
		return slot;
	};
	/** Sends requests at regular times, the last of them now. */
	const sendMany = (count: number, everyMs: number) => {
		for (let index = 0; index < count; index++) {
			clock.pass(everyMs);
			send();
		}
	};
	const refuse = (firstOfBurst = true) => {
		const slot = send();
		slot.refused = true;
		learned.learn(slot.sentAt, firstOfBurst);
	};
	const perSecond = () => 1000 / learned.intervalMs!;

	it('is unknown at first, and after a refusal before which nothing was accepted', () => {
		expect(learned.intervalMs).toBeUndefined();
		refuse();
		expect(learned.intervalMs).toBeUndefined();
		expect(learned.lastLessonAt).toBe(clock.now());
	});

	it('is a little less than what was accepted in the second before', () => {
		sendMany(40, 50);
		refuse();
		expect(perSecond()).toBeCloseTo(20 * USUAL);
	});

	it.each([
		[2_999, undefined],
		[3_000, 10],
		[29_999, undefined],
		[30_000, 60],
	])('counts in a longer window when nothing was accepted for %i ms: %p seconds', (silenceMs, seconds) => {
		sendMany(5, 1);
		clock.pass(silenceMs);
		refuse();
		if (seconds === undefined) expect(learned.intervalMs).toBeUndefined();
		else expect(perSecond()).toBeCloseTo((5 / seconds) * USUAL);
	});

	it('takes nothing from what was sent more than a minute before', () => {
		sendMany(5, 10);
		clock.pass(180_001);
		refuse();
		expect(learned.intervalMs).toBeUndefined();
	});

	it('keeps more distance with each refusal, down to 70 %, but not for others of the same burst', () => {
		const share = () => {
			sendMany(50, 50);
			refuse();
			return perSecond() / 20;
		};
		expect(share()).toBeCloseTo(0.96);
		expect(share()).toBeCloseTo(0.92);
		expect(share()).toBeCloseTo(0.88);
		const before = learned.intervalMs;
		refuse(false);
		expect(learned.intervalMs! / before!).toBeCloseTo(1, 1);
		for (let time = 0; time < 8; time++) share();
		expect(share()).toBeCloseTo(0.7);
	});

	it('grows every ten seconds without a refusal, by a larger step each time', () => {
		sendMany(40, 50);
		refuse();
		const first = perSecond();
		sendMany(1, 9_999);
		expect(perSecond()).toBe(first);
		sendMany(1, 1);
		expect(perSecond() / first).toBeCloseTo(1.02);
		sendMany(1, 10_000);
		expect(perSecond() / first).toBeCloseTo(1.02 * 1.04);
		sendMany(40, 50);
		refuse();
		const next = perSecond();
		sendMany(1, 10_000);
		expect(perSecond() / next).toBeCloseTo(1.02);
	});

	it('keeps less distance again while it grows', () => {
		for (let time = 0; time < 2; time++) {
			sendMany(50, 50);
			refuse();
		}
		sendMany(2, 10_000);
		sendMany(50, 50);
		refuse();
		// From 92 % back to 96 %, and one step down.
		expect(perSecond() / 20).toBeCloseTo(0.92);
	});

	it('is not lowered for a minute after three refusals, each after fewer than ten accepted requests', () => {
		sendMany(50, 50);
		refuse();
		for (let time = 0; time < 3; time++) {
			sendMany(9, 50);
			refuse();
		}
		const lowest = perSecond();
		sendMany(5, 500);
		refuse();
		expect(perSecond()).toBe(lowest);
		clock.pass(60_000);
		sendMany(20, 500);
		refuse();
		expect(perSecond()).toBeLessThan(lowest);
	});

	it('is lowered by refusals after ten accepted requests each', () => {
		sendMany(50, 50);
		refuse();
		const rates = [1, 2, 3, 4].map(() => {
			sendMany(10, 100);
			refuse();
			return perSecond();
		});
		expect(rates[3]).toBeLessThan(rates[2]);
	});

	it('goes down by 4 % for a single request that was refused and is accepted later', () => {
		learned.slowDown();
		expect(learned.intervalMs).toBeUndefined();
		sendMany(40, 50);
		refuse();
		const before = perSecond();
		clock.pass(9_000);
		learned.slowDown();
		expect(perSecond() / before).toBeCloseTo(0.96);
		expect(learned.lastLessonAt).toBe(clock.now());
		sendMany(1, 9_999);
		expect(perSecond() / before).toBeCloseTo(0.96);
	});

	it('returns to what it was if the refusals had another reason, unless most requests are refused', () => {
		sendMany(40, 50);
		refuse();
		const before = perSecond();
		learned.remember();
		sendMany(15, 500);
		refuse();
		expect(perSecond()).toBeLessThan(before);
		learned.undo();
		expect(perSecond()).toBe(before);

		sendMany(5, 500);
		for (let time = 0; time < 11; time++) refuse();
		const lowered = perSecond();
		learned.undo();
		expect(perSecond()).toBe(lowered);
	});
});
