/**
 * Jest replaces the clock of a realm, which must not be that of the worker.
 *
 * @jest-environment ./test/nodeEnvironment.js
 */
import { Breaker } from '../../../nodes/shared/limiter/breaker';
import { Lane } from '../../../nodes/shared/limiter/lane';
import { Rate } from '../../../nodes/shared/limiter/rate';
import { PacedRequest, type SendSlot } from '../../../nodes/shared/limiter/slot';
import { FakeClock } from '../fakeClock';
import { Pacer } from '../../../nodes/shared/limiter/pacer';
import { systemClock } from '../../../nodes/shared/limiter/clock';

const DAY_MS = 86_400_000;
const LATENCY_MS = 100;
const REFUSAL_MS = 10;

describe('A lane', () => {
	let clock: FakeClock;
	let lane: Lane;
	beforeEach(() => {
		clock = new FakeClock();
		jest.spyOn(clock, 'random').mockReturnValue(0);
		lane = new Lane(clock, () => {}, { widest: 100 });
	});
	const automatic = () => new PacedRequest();
	const fixed = () => new PacedRequest({ most: 1000, inFlight: 0 });
	const send = (request = fixed()) => lane.send(request, clock.now())!;
	const sendMany = (count: number, request = fixed) => Array.from({ length: count }, () => send(request()));
	const waitMs = (request = fixed()) => lane.waitMs(request, clock.now());
	const accept = (slots: SendSlot[]) => slots.forEach((slot) => lane.accepted(slot));
	const refuse = (slots: SendSlot[], retryAfterMs?: number) => {
		clock.pass(REFUSAL_MS);
		return slots.map((slot) => lane.refused(slot, retryAfterMs));
	};
	/** One after the other, so that their number in flight is no reason. */
	const refuseInTurn = (count: number, retryAfterMs?: number) =>
		Array.from({ length: count }, () => refuse([send()], retryAfterMs)[0]);

	const times = <T>(count: number, value: T) => new Array<T>(count).fill(value);

	it.each([
		['grows threefold while latencies stay the same', [100, 100, 100, 100], [10, 30, 90, 100, 100]],
		['grows if the clock shows no latency', [0, 0, 0, 0], [10, 30, 90, 100, 100]],
		['stops growing when latencies rise', [100, 300], [10, 30, 10]],
		[
			'tries fewer after 20 answers for each, and grows again',
			[100, ...times(24, 300)],
			[10, 30, ...times(20, 10), 3, 3, 3, 10],
		],
		['tries fewer at its widest, too', times(24, 100), [10, 30, 90, ...times(21, 100), 33]],
	])('begins with ten, and %s', (_words, latenciesMs, expected) => {
		const widths = [lane.width.limit];
		for (const latencyMs of latenciesMs) {
			const slots = sendMany(lane.width.limit, automatic);
			clock.pass(latencyMs);
			accept(slots);
			widths.push(lane.width.limit);
		}
		expect(widths).toEqual(expected);
	});

	it.each([
		['failed', automatic, 10, false],
		['belong to a run with a number of its own', fixed, 10, true],
		['are few', automatic, 8, true],
	])('does not send more at once because of answers that %s', (_words, request, count, isAnswered) => {
		for (const slot of sendMany(count, request)) lane.accepted(slot, isAnswered);
		expect(lane.width.limit).toBe(10);
	});

	it.each([
		[automatic, 0],
		[fixed, 1],
	])('sends fewer at once when the gateway refuses more, without a pause', (request, refusals) => {
		const slots = sendMany(10, request);
		expect(refuse(slots.slice(4)).every((ms) => ms === 0)).toBe(true);
		expect(slots[9].request.refusals).toBe(refusals);
		expect(lane.width.limit).toBe(4);
		expect(waitMs(request())).toBe(Infinity);
		clock.pass(LATENCY_MS);
		accept(slots.slice(0, 4));
		expect(waitMs(request())).toBeLessThanOrEqual(0);
		const widths = times(20, 4).map((atOnce) => {
			accept(sendMany(atOnce, request));
			return lane.width.limit;
		});
		expect(widths).toEqual([...times(19, 4), 5]);
	});

	it('undoes a cut when as many are accepted', () => {
		const slots = sendMany(10, automatic);
		refuse([slots[3]]);
		accept([slots[8]]);
		expect(lane.width.limit).toBe(9);
		accept([slots[9]]);
		expect(lane.width.limit).toBe(10);
		expect(lane.width.isCut).toBe(false);
		accept(sendMany(10, automatic));
		expect(lane.width.limit).toBe(30);
	});

	it('waits longer each time for a request that is refused alone, and at least as long as the gateway asks', () => {
		const request = fixed();
		const waits = Array.from({ length: 7 }, () => refuse([send(request)])[0]);
		expect(waits).toEqual([250, 750, 2250, 6750, 20_250, 30_000, 30_000]);
		expect(waits.slice(0, 6).reduce((sum, ms) => sum + ms)).toBeGreaterThan(60_000);
		jest.spyOn(clock, 'random').mockReturnValue(0.5);
		expect(refuse([send(request)], 40_000)).toEqual([43_000]);
	});

	it('gives a request up after its own refusals, but not while others are accepted after theirs', () => {
		const [alone, unlucky] = [fixed(), fixed()];
		for (let time = 1; time <= 7; time++) {
			expect(lane.mayRetry(alone)).toBe(true);
			refuse([send(alone)]);
			accept([send()]);
		}
		expect(lane.mayRetry(alone)).toBe(false);
		const refuseWhileOthersRecover = (request: PacedRequest) => {
			refuse([send(request)]);
			const other = fixed();
			refuse([send(other)]);
			accept([send(other)]);
			return lane.mayRetry(request);
		};
		expect(times(9, unlucky).map(refuseWhileOthersRecover)).toEqual(times(9, true));
		const limited = new PacedRequest({ most: 1000, inFlight: 0 }, 2);
		expect(times(3, limited).map(refuseWhileOthersRecover)).toEqual([true, true, false]);
	});

	it('prefers refused requests, but has new ones and refused ones take turns after pauses', () => {
		const refused = fixed();
		refuse([send(refused)]);
		const first = () =>
			Object.entries({ new: fixed(), refused })
				.filter(([, request]) => lane.breaker.hasPriority(request))
				.map(([name]) => name)
				.join();
		const order = [first()];
		refuseInTurn(3);
		for (let pause = 1; pause <= 3; pause++) {
			clock.pass(10_000);
			refuseInTurn(1);
			order.push(first());
		}
		expect(order).toEqual(['refused', 'new', 'refused', 'new']);
	});

	it('learns the rate that was accepted in the last second, which another refusal lowers instead of the width', () => {
		for (const passMs of [2000, ...times(20, 10)]) {
			accept([send()]);
			clock.pass(passMs);
		}
		expect(lane.isThrottled(clock.now())).toBe(false);
		refuseInTurn(5);
		clock.pass(1000);
		accept([send()]);
		// 85 % of 20 per second; a late timer is made up for by 10 ms.
		expect(waitMs()).toBeCloseTo(1000 / 17 - 10, 5);
		expect(lane.isThrottled(clock.now())).toBe(true);
		refuse([sendMany(2)[1]]);
		expect(lane.width.isCut).toBe(false);
		clock.pass(1000);
		accept([send()]);
		// It would be 42 without that refusal.
		expect(Math.round(waitMs())).toBe(59);
	});

	it('fails fast when the limit lasts longer than any request waits, and tries again after a minute', () => {
		refuseInTurn(4, DAY_MS);
		expect(lane.breaker.limitEnd).toBeUndefined();
		const other = send();
		refuseInTurn(1, DAY_MS);
		expect(lane.breaker.limitEnd).toBe(clock.date() + DAY_MS);
		expect(waitMs()).toBe(Infinity);
		lane.ended(other);
		expect([waitMs(), lane.send(fixed(), clock.now())]).toEqual([0, undefined]);
		clock.pass(60_000);
		expect(waitMs()).toBeLessThanOrEqual(0);
		accept([send()]);
		// The next limit may end at another time.
		expect(lane.breaker.limitEnd).toBeUndefined();
	});

	it('gives a request up after more pauses in a row than the user allows, and at least two, until the pause ends', () => {
		const givenUp = () =>
			[0, 1, 2, undefined].map((most) => waitMs(new PacedRequest({ most: 1000, inFlight: 0 }, most)) === 0);
		refuseInTurn(5);
		expect(givenUp()).toEqual([false, false, false, false]);
		clock.pass(10_000);
		refuseInTurn(1);
		expect(givenUp()).toEqual([true, true, false, false]);
		clock.pass(10_000);
		refuseInTurn(1);
		expect(givenUp()).toEqual([true, true, true, false]);
		clock.pass(lane.breaker.pauseMs(clock.now()));
		expect(lane.breaker.failsFast(clock.now(), 0)).toBe(false);
	});

	it('fails fast after many pauses without success', () => {
		for (let pause = 0; pause < 30 && !lane.breaker.failsFast(clock.now()); pause++) {
			refuseInTurn(pause === 0 ? 5 : 1);
			if (!lane.breaker.failsFast(clock.now())) clock.pass(40_000);
		}
		expect(lane.breaker.failsFast(clock.now())).toBe(true);
	});
});

describe('A breaker', () => {
	it('pauses until something is admitted that was sent after all refused requests', () => {
		const clock = new FakeClock();
		jest.spyOn(clock, 'random').mockReturnValue(0);
		const sentAt = clock.now();
		const slotOf = (number: number, retryAfterMs = 3000): SendSlot => ({
			...{ request: new PacedRequest(), number, sentAt, retryAfterMs },
			...{ inFlight: 1, round: 0 },
		});
		const breaker = new Breaker(clock, new Rate());
		const refused = [slotOf(2), slotOf(3), slotOf(4), slotOf(5, 5000), slotOf(6)];
		for (const slot of refused) breaker.add(slot, sentAt);
		// Those that were sent before the pause do not make it longer.
		expect(refused.map((slot) => breaker.pause(slot, sentAt))).toEqual([3000, 3000, 3000, 5000, 3000]);
		for (const number of [1, 4]) breaker.admitted(slotOf(number));
		expect([breaker.pauseMs(sentAt), breaker.isTripped]).toEqual([3000, true]);
		breaker.admitted(slotOf(7));
		expect([breaker.pauseMs(sentAt), breaker.isTripped]).toEqual([0, false]);
		for (let number = 8; number < 13; number++) breaker.add(slotOf(number, DAY_MS), sentAt);
		expect(breaker.failsFast(sentAt)).toBe(true);
		breaker.admitted(slotOf(13));
		expect(breaker.failsFast(sentAt)).toBe(false);
	});
});

describe('A rate', () => {
	/** After requests of one second were accepted and one was refused. */
	const cutRate = (accepted = 20, useless = 0) => {
		const rate = new Rate();
		const [request, inFlight, round] = [new PacedRequest(), 1, 0];
		const sent = Array.from({ length: accepted + 1 }, (_, number) => ({
			...{ request, number, inFlight, round },
			sentAt: number * 40,
			retryAfterMs: number === accepted ? 0 : undefined,
		}));
		sent.forEach((slot) => rate.sent(slot));
		const cut = (now: number, sentAt = now) => rate.cut({ ...sent[accepted], sentAt }, now);
		for (let time = 0; time <= useless; time++) cut(1000 + time);
		const sendAgain = (at: number) =>
			sent.forEach((slot) => rate.sent({ ...slot, sentAt: at + slot.sentAt }));
		return { rate, sendAgain, cut, perSecondAt: (now: number) => 1000 * rate.perMs(now) };
	};

	it('is cut to 85 %, regained after exactly five seconds, and unbounded after half a minute', () => {
		const { perSecondAt } = cutRate();
		expect(perSecondAt(1000)).toBeCloseTo(17, 9);
		expect(perSecondAt(5999)).toBeLessThan(20);
		expect(perSecondAt(6000)).toBe(20);
		expect(perSecondAt(11_000)).toBeCloseTo(23, 9);
		expect(perSecondAt(31_000)).toBe(Infinity);
	});

	it('is cut once for what was sent before, and measured anew after it was unbounded', () => {
		const { sendAgain, cut, perSecondAt } = cutRate();
		cut(1500, 999);
		expect(perSecondAt(6000)).toBe(20);
		sendAgain(30_000);
		cut(31_000);
		expect(perSecondAt(31_000)).toBeCloseTo(17, 9);
	});

	it('is not regained before sixteen requests', () => {
		const { perSecondAt } = cutRate(2);
		expect(perSecondAt(8999)).toBeLessThan(2);
		expect(perSecondAt(9000)).toBe(2);
	});

	it('is measured without what was sent before a pause', () => {
		const rate = new Rate();
		const [request, inFlight, round] = [new PacedRequest(), 1, 0];
		const slots = [39_999, ...new Array<number>(10).fill(40_000)].map((sentAt, number): SendSlot => {
			return { request, number, inFlight, round, sentAt };
		});
		rate.holdUntil(40_000);
		slots.forEach((slot) => rate.sent(slot));
		rate.cut(slots[10], 40_500);
		expect(1000 * rate.perMs(40_500)).toBeCloseTo(0.85 * 10, 9);
	});

	it.each([
		['five refusals in a row', 5, 0, false, true],
		['four refusals in a row', 4, 0, false, false],
		['a fifth of refusals, for long', 22, 4, false, true],
		['a sixth of refusals, for long', 40, 5, false, false],
		['a fifth of refusals after useless cuts', 40, 4, true, false],
		['half of refusals after useless cuts', 25, 1, true, true],
	])('is exceeded or not: %s', (_words, refusals, admissions, isCut, expected) => {
		const { rate } = isCut ? cutRate(20, 4) : { rate: new Rate() };
		expect(rate.perMs(1010)).toBe(Infinity);
		const isExceeded = Array.from({ length: refusals }, () => {
			for (let count = 0; count < admissions; count++) rate.admitted();
			return rate.isExceededAfterRefusal();
		});
		expect(isExceeded.at(-1)).toBe(expected);
	});
});

/** A request of a run with a number in Parallel Requests. */
const fixed = () => new PacedRequest({ most: 100, inFlight: 0 });

/** One lane of a credential. */
function setUp({ requestsPerMinute = 0 } = {}) {
	const clock = new FakeClock();
	const pacer = new Pacer(clock, requestsPerMinute);
	const lane = pacer.lane('one');
	const acquire = async (request = fixed(), inLane: Lane = lane) =>
		(await clock.run(pacer.acquire(inLane, request)))!;
	return { clock, pacer, lane, acquire };
}

describe('A fault of the limiter', () => {
	const fault = new TypeError('A fault');

	it('ends whatever waits, instead of the process', async () => {
		const { clock, pacer, lane } = setUp({ requestsPerMinute: 60 });
		await pacer.acquire(lane, fixed());
		clock.sleep = async () => await Promise.reject(fault);
		const waits = [pacer.acquire(lane, fixed()), pacer.acquire(lane, fixed())];
		expect(await Promise.allSettled(waits)).toEqual(waits.map(() => ({ status: 'rejected', reason: fault })));
	});

	it('does not reach the request at whose end others may be sent', async () => {
		const { pacer, lane } = setUp();
		const runWidth = { most: 1, inFlight: 0 };
		const slot = (await pacer.acquire(lane, new PacedRequest(runWidth)))!;
		const waits = pacer.acquire(lane, new PacedRequest(runWidth));
		jest.spyOn(lane, 'waitMs').mockImplementation(() => {
			throw fault;
		});
		lane.accepted(slot);
		await expect(waits).rejects.toBe(fault);
	});
});

describe('Pacer', () => {
	it('spaces the requests of all lanes at a fixed rate and keeps their order', async () => {
		const { clock, pacer } = setUp({ requestsPerMinute: 60 });
		const order: Array<[number, number]> = [];
		const startedAt = clock.now();
		await clock.run(
			Promise.all(
				[0, 1, 2, 3].map(async (index) => {
					await pacer.acquire(pacer.lane(index % 2 === 0 ? 'one' : 'other'), fixed());
					order.push([index, Math.round(clock.now() - startedAt)]);
				}),
			),
		);
		expect(order).toEqual([
			[0, 0],
			[1, 990],
			[2, 1990],
			[3, 2990],
		]);
		expect(pacer.isThrottled(pacer.lane('one'))).toBe(true);
	});

	it('sends a refused request before new ones, and the next one of a run as soon as one has ended', async () => {
		const { clock, pacer, lane, acquire } = setUp();
		const run = { most: 1, inFlight: 0 };
		const requests = { refused: new PacedRequest(run), new: new PacedRequest(run) };
		lane.refused(await acquire(requests.refused));
		const first = await acquire(new PacedRequest(run));
		const order: string[] = [];
		const waiting = (['new', 'refused'] as const).map(async (name) => {
			const slot = (await pacer.acquire(lane, requests[name]))!;
			order.push(name);
			lane.ended(slot);
		});
		expect(clock.isWaiting).toBe(false);
		lane.ended(first);
		await clock.run(Promise.all(waiting));
		expect(order).toEqual(['refused', 'new']);
	});

	it('ends a cancelled wait immediately and keeps the order of the others', async () => {
		const { clock, pacer, lane, acquire } = setUp({ requestsPerMinute: 1 });
		const cancel = new AbortController();
		await acquire();
		const cancelled = pacer.acquire(lane, fixed(), cancel.signal);
		const other = pacer.acquire(lane, fixed());
		cancel.abort();
		await expect(cancelled).resolves.toBeUndefined();
		await expect(pacer.acquire(lane, fixed(), cancel.signal)).resolves.toBeUndefined();
		await expect(clock.run(other)).resolves.toMatchObject({ number: 2 });
	});

	it('pauses for no other lane', async () => {
		const { clock, pacer, lane, acquire } = setUp();
		const slots = [await acquire(), await acquire(), await acquire(), await acquire(), await acquire()];
		expect(pacer.isThrottled(lane)).toBe(false);
		for (const slot of slots) lane.refused(slot, 300_000);
		expect(pacer.isThrottled(lane)).toBe(true);
		const startedAt = clock.now();
		await acquire(fixed(), pacer.lane('other'));
		expect(clock.now()).toBe(startedAt);
		await acquire(fixed());
		expect(clock.now() - startedAt).toBeGreaterThanOrEqual(300_000);
	});
});

describe('The clock of a running n8n', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('ends a sleep when it is over or aborted', async () => {
		const abort = new AbortController();
		const awake: string[] = [];
		void systemClock.sleep(60_000, abort.signal).then(() => awake.push('aborted'));
		void systemClock.sleep(60_000).then(() => awake.push('over'));
		await jest.advanceTimersByTimeAsync(1_000);
		expect(awake).toEqual([]);
		abort.abort();
		await systemClock.sleep(60_000, abort.signal);
		expect(awake).toEqual(['aborted']);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(awake).toEqual(['aborted', 'over']);
	});

	it.each([
		['a month', 30 * DAY_MS],
		['for ever', Infinity],
	])('sleeps for %s, which is longer than a timer of Node can be', async (_words, milliseconds) => {
		const abort = new AbortController();
		let isAwake = false;
		const sleep = systemClock.sleep(milliseconds, abort.signal).then(() => (isAwake = true));
		await jest.advanceTimersByTimeAsync(29 * DAY_MS);
		expect(isAwake).toBe(false);
		await jest.advanceTimersByTimeAsync(2 * DAY_MS);
		expect(isAwake).toBe(milliseconds < Infinity);
		abort.abort();
		await sleep;
	});
});
