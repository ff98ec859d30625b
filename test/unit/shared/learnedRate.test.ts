import { LearnedRate } from '../../../nodes/shared/limiter/learnedRate';
import { newRequest, type SendSlot } from '../../../nodes/shared/limiter/sendSlot';
import { FakeClock } from '../fakeClock';

const USUAL = 0.96;

describe('The rate that a lane learns', () => {
	let clock: FakeClock;
	let learned: LearnedRate;
	let sends: number;
	beforeEach(() => {
		clock = new FakeClock();
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

	it('is lowered a little by each refusal, but not by others of the same burst', () => {
		sendMany(50, 50);
		refuse();
		const first = perSecond();
		sendMany(50, 50);
		refuse();
		const second = perSecond();
		expect(second / first).toBeGreaterThan(0.8);
		expect(second / first).toBeLessThan(1);
		refuse(false);
		expect(perSecond()).toBeCloseTo(second, 0);
	});

	it('is not lowered endlessly while nothing is accepted', () => {
		sendMany(50, 50);
		refuse();
		const rates = Array.from({ length: 20 }, () => {
			clock.pass(5_000);
			refuse();
			return perSecond();
		});
		expect(rates[19]).toBeGreaterThan(0.1);
	});

	it('grows slowly while nothing is refused', () => {
		sendMany(40, 50);
		refuse();
		const first = perSecond();
		sendMany(200, 50);
		const second = perSecond();
		expect(second / first).toBeGreaterThan(1.1);
		expect(second / first).toBeLessThan(1.3);
		sendMany(600, 50);
		expect(perSecond() / first).toBeGreaterThan(2);
	});

	it('is lowered no further than to a tenth by refusals among accepted requests, which may have another reason', () => {
		sendMany(40, 50);
		refuse();
		const first = perSecond();
		for (let time = 0; time < 100; time++) {
			sendMany(2, 1000);
			refuse();
		}
		expect(perSecond() / first).toBeCloseTo(0.1, 1);
	});

	it('is that of the whole window if the gateway asks for a long pause', () => {
		sendMany(50, 1);
		const slot = send();
		slot.refused = true;
		learned.learn(slot.sentAt, true, 58_000);
		expect(perSecond()).toBeCloseTo((50 / 60) * USUAL);
	});

	it('learns from a single refusal only if it is known', () => {
		learned.learnMore(clock.now());
		expect(learned.intervalMs).toBeUndefined();
		sendMany(40, 50);
		refuse();
		const before = perSecond();
		sendMany(10, 50);
		learned.learnMore(clock.now());
		expect(perSecond()).toBeLessThan(before);
	});

	it('is unknown again if the first refusals had another reason, unless most requests are refused', () => {
		sendMany(40, 50);
		learned.remember();
		refuse();
		learned.undo();
		expect(learned.intervalMs).toBeUndefined();

		learned.remember();
		for (let time = 0; time < 11; time++) refuse();
		learned.undo();
		expect(learned.intervalMs).toBeDefined();
	});

	it('stays known, and as low as it is, if later refusals had another reason', () => {
		sendMany(40, 50);
		refuse();
		learned.remember();
		sendMany(15, 500);
		refuse();
		const lowered = perSecond();
		learned.undo();
		expect(perSecond()).toBe(lowered);
	});
});
