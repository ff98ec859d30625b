import { Lane } from '../../../nodes/shared/limiter/lane';
import { Rate } from '../../../nodes/shared/limiter/rate';
import { PacedRequest, type SendSlot } from '../../../nodes/shared/limiter/slot';
import { FakeClock } from '../fakeClock';
import { Pacer } from '../../../nodes/shared/limiter/pacer';
import { Simulation, slidingWindow } from './rateSimulation';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { endpoints } from '../../../nodes/shared/send/endpoints';

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

	it.each([
		['grows threefold while latencies stay the same', [100, 100, 100, 100], [10, 30, 90, 100, 100]],
		['grows if the clock shows no latency', [0, 0, 0, 0], [10, 30, 90, 100, 100]],
		['stops growing when latencies rise', [100, 300], [10, 30, 10]],
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

	it.each([automatic, fixed])(
		'sends fewer at once when the gateway refuses more, without a pause',
		(request) => {
			const slots = sendMany(10, request);
			expect(refuse(slots.slice(4)).every((ms) => ms === 0)).toBe(true);
			expect(lane.width.limit).toBe(4);
			expect(waitMs(request())).toBe(Infinity);
			clock.pass(LATENCY_MS);
			accept(slots.slice(0, 4));
			expect(waitMs(request())).toBeLessThanOrEqual(0);
		},
	);

	it('undoes a cut when as many are accepted', () => {
		const slots = sendMany(10, automatic);
		refuse([slots[3]]);
		expect(lane.width.limit).toBe(9);
		accept([slots[9]]);
		expect(lane.width.limit).toBe(10);
		expect(lane.width.isCut).toBe(false);
	});

	it('waits longer each time for a request that is refused alone, and at least as long as the gateway asks', () => {
		const request = fixed();
		const waits = Array.from({ length: 7 }, () => refuse([send(request)])[0]);
		expect(waits).toEqual([250, 750, 2250, 6750, 20_250, 30_000, 30_000]);
		expect(waits.slice(0, 6).reduce((sum, ms) => sum + ms)).toBeGreaterThan(60_000);
		expect(refuse([send(request)], 40_000)).toEqual([40_000]);
	});

	it('gives a request up after its own refusals, but not while others are accepted after theirs', () => {
		const [alone, unlucky] = [fixed(), fixed()];
		for (let time = 1; time <= 7; time++) {
			expect(lane.mayRetry(alone)).toBe(true);
			refuse([send(alone)]);
		}
		expect(lane.mayRetry(alone)).toBe(false);
		for (let time = 1; time <= 9; time++) {
			refuse([send(unlucky)]);
			const other = fixed();
			refuse([send(other)]);
			accept([send(other)]);
		}
		expect(lane.mayRetry(unlucky)).toBe(true);
	});

	it('pauses when five are refused and nothing later is admitted, for as long as the gateway asks', () => {
		refuseInTurn(4, 3000);
		expect(lane.breaker.pauseMs(clock.now())).toBe(0);
		expect(refuseInTurn(1, 3000)).toEqual([3000]);
		expect(waitMs()).toBe(3000);
		const probe = send();
		accept([probe]);
		expect(lane.breaker.pauseMs(clock.now())).toBe(0);
	});

	it('prefers refused requests, but has new ones and refused ones take turns after pauses', () => {
		const first = () => (lane.breaker.hasPriority(fixed()) ? 'new' : 'refused');
		const order = [first()];
		refuseInTurn(4);
		for (let pause = 1; pause <= 3; pause++) {
			clock.pass(10_000);
			refuseInTurn(1);
			order.push(first());
		}
		expect(order).toEqual(['refused', 'new', 'refused', 'new']);
	});

	it('learns the rate that was accepted in the last second, and regains it after five seconds', () => {
		for (let index = 0; index < 20; index++) {
			accept([send()]);
			clock.pass(10);
		}
		expect(lane.isThrottled(clock.now())).toBe(false);
		refuseInTurn(5);
		clock.pass(1000);
		accept([send()]);
		// 85 % of 20 per second; a late timer is made up for by 10 ms.
		expect(waitMs()).toBeCloseTo(1000 / 17 - 10, 5);
		clock.pass(5000);
		accept([send()]);
		expect(Math.round(waitMs())).toBe(40);
	});

	it('learns no rate before anything was accepted', () => {
		refuseInTurn(5);
		clock.pass(2000);
		expect(lane.isThrottled(clock.now())).toBe(false);
	});

	it('fails fast when the limit lasts longer than any request waits, and tries again after a minute', () => {
		refuseInTurn(4, DAY_MS);
		expect(lane.breaker.limitEnd).toBeUndefined();
		refuseInTurn(1, DAY_MS);
		expect(lane.breaker.limitEnd).toBe(clock.date() + DAY_MS);
		expect([waitMs(), lane.send(fixed(), clock.now())]).toEqual([0, undefined]);
		clock.pass(60_000);
		expect(send()).toBeDefined();
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

	it('takes what is in flight for longer than a refusal takes for admitted', () => {
		const refused = send();
		refuse([refused]);
		send();
		clock.pass(3 * REFUSAL_MS);
		waitMs();
		refuse([send(refused.request)]);
		expect(lane.breaker.isUnclear).toBe(false);
	});

	it('exceeds no number that the user has set', () => {
		const run = { most: 2, inFlight: 0 };
		const request = new PacedRequest(run);
		const [first] = [send(request), send(request)];
		expect(waitMs(request)).toBe(Infinity);
		lane.ended(first);
		expect(waitMs(request)).toBeLessThanOrEqual(0);
	});
});

describe('A rate', () => {
	/** After 20 requests of one second were accepted and one was refused. */
	const cutRate = () => {
		const rate = new Rate();
		const [request, inFlight, round] = [new PacedRequest(), 1, 0];
		const sent = Array.from({ length: 21 }, (_, number) => ({
			...{ request, number, inFlight, round },
			sentAt: number * 40,
			retryAfterMs: number === 20 ? 0 : undefined,
		}));
		sent.forEach((slot) => rate.sent(slot));
		const cut = (now: number) => rate.cut({ ...sent[20], sentAt: now }, now);
		cut(1000);
		return { cut, perSecondAt: (now: number) => 1000 * rate.perMs(now) };
	};

	it('is cut to 85 %, regained after exactly five seconds, and unbounded after half a minute', () => {
		const { perSecondAt } = cutRate();
		expect(perSecondAt(1000)).toBeCloseTo(17, 9);
		expect(perSecondAt(5999)).toBeLessThan(20);
		expect(perSecondAt(6000)).toBe(20);
		expect(perSecondAt(11_000)).toBeCloseTo(23, 9);
		expect(perSecondAt(31_000)).toBe(Infinity);
	});

	it('is unbounded again when it was cut to an eighth without success', () => {
		const { cut, perSecondAt } = cutRate();
		const rates = Array.from({ length: 14 }, (_, index) => {
			cut(1001 + index);
			return perSecondAt(1001 + index);
		});
		expect(rates.slice(0, 12).every((rate, index) => rate < 20 * 0.86 ** (index + 1))).toBe(true);
		expect(rates).toContain(Infinity);
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

describe('Pacer', () => {
	it.each([
		['a chat', endpoints.chatCompletions, 10],
		['an image', endpoints.images, 6],
		['speech', endpoints.speech, 6],
		['a song', endpoints.musicSubmit, 6],
	])('lets few requests for %s begin, because a stop may lose them', (_what, endpoint, most) => {
		const { clock, pacer } = setUp();
		const lane = pacer.lane('media', endpoint);
		let sent = 0;
		for (let request = new PacedRequest(); lane.waitMs(request, clock.now()) === 0; sent++) {
			lane.send(request, clock.now());
			request = new PacedRequest();
		}
		expect(sent).toBe(most);
	});

	it.each([
		// Items, concurrency, latency in ms, limit, its window in ms, Retry-After, surplus requests at most, seconds at most.
		[40, 10, 100, 5, 1_000, false, 12, 9],
		[40, 10, 2, 5, 1_000, false, 12, 9],
		[40, 10, 100, 5, 1_000, true, 12, 9],
		[300, 5, 100, 20, 1_000, false, 10, 300 / 18],
		[300, 10, 100, 20, 1_000, false, 15, 300 / 18],
		[300, 20, 100, 20, 1_000, false, 25, 300 / 18],
		[90, 5, 50, 60, 60_000, false, 12, 80],
	])(
		'uses a limit with few surplus requests: %i items, %i at once, latency %i ms, %i per %i ms, Retry-After %s',
		async (...[items, concurrency, latency, requests, perMs, retryAfter, surplus, seconds]) => {
			const judge = slidingWindow(requests, perMs, retryAfter);
			const simulation = new Simulation({ judge, latencyMs: () => latency });
			const { tookMs, arrivals, failures } = await simulation.rows(items, { concurrency });
			expect(failures).toEqual([]);
			expect(arrivals.length - items).toBeLessThanOrEqual(surplus);
			expect(tookMs).toBeLessThanOrEqual(seconds * 1_000);
		},
	);

	it('spaces the requests of all lanes at a fixed rate and keeps their order', async () => {
		const { clock, pacer } = setUp({ requestsPerMinute: 60 });
		const order: Array<[number, number]> = [];
		const startedAt = clock.now();
		await clock.run(
			Promise.all(
				[0, 1, 2, 3].map(async (index) => {
					await pacer.acquire(pacer.lane(index % 2 === 0 ? 'one' : 'other'), fixed());
					order.push([index, Math.round((clock.now() - startedAt) / 1000)]);
				}),
			),
		);
		expect(order).toEqual([
			[0, 0],
			[1, 1],
			[2, 2],
			[3, 3],
		]);
	});

	it('forgets the lane that was used longest ago', async () => {
		const { pacer, lane } = setUp();
		const other = pacer.lane('other');
		expect(pacer.lane('one')).toBe(lane);
		for (let index = 0; index < 99; index++) pacer.lane(`model ${index}`);
		expect(pacer.lane('one')).toBe(lane);
		expect(pacer.lane('other')).not.toBe(other);
	});

	it('ends a cancelled wait immediately and keeps the order of the others', async () => {
		const { clock, pacer, lane, acquire } = setUp({ requestsPerMinute: 1 });
		const cancel = new AbortController();
		await acquire();
		const cancelled = pacer.acquire(lane, fixed(), cancel.signal);
		const other = pacer.acquire(lane, fixed());
		cancel.abort();
		await expect(cancelled).resolves.toBeUndefined();
		await expect(clock.run(other)).resolves.toMatchObject({ number: 2 });
	});

	it('pauses for no other lane', async () => {
		const { clock, pacer, lane, acquire } = setUp();
		const slots = [await acquire(), await acquire(), await acquire(), await acquire(), await acquire()];
		for (const slot of slots) lane.refused(slot, 300_000);
		const startedAt = clock.now();
		await acquire(fixed(), pacer.lane('other'));
		expect(clock.now()).toBe(startedAt);
		await acquire(fixed());
		expect(clock.now() - startedAt).toBeGreaterThanOrEqual(300_000);
	});
});

const TEN_MINUTES = 10 * 60_000;

describe('The clock of a running n8n', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it.each([-TEN_MINUTES, TEN_MINUTES])('measures time as before when the date changes by %i ms', (change) => {
		const startedAt = systemClock.now();
		jest.setSystemTime(Date.now() + change);
		expect(systemClock.now() - startedAt).toBe(0);
		jest.advanceTimersByTime(1_000);
		expect(systemClock.now() - startedAt).toBe(1_000);
	});

	it('ends a sleep when it is aborted', async () => {
		const abort = new AbortController();
		let isAwake = false;
		void systemClock.sleep(60_000, abort.signal).then(() => (isAwake = true));
		await jest.advanceTimersByTimeAsync(1_000);
		expect(isAwake).toBe(false);
		abort.abort();
		await jest.advanceTimersByTimeAsync(0);
		expect(isAwake).toBe(true);
	});
});
