import type { Lane } from '../../../nodes/shared/limiter/lane';
import { Pacer } from '../../../nodes/shared/limiter/pacer';
import { PacedRequest, type SendSlot } from '../../../nodes/shared/limiter/slot';
import { FakeClock } from '../fakeClock';
import { Simulation, slidingWindow } from './rateSimulation';

const DAY_MS = 86_400_000;

/** One lane of a credential. */
function setUp({ requestsPerMinute = 0 } = {}) {
	const clock = new FakeClock();
	const pacer = new Pacer(clock, requestsPerMinute);
	const lane = pacer.lane('one');
	const acquire = async (request: PacedRequest = new PacedRequest(), inLane: Lane = lane) =>
		(await clock.run(pacer.acquire(inLane, request)))!;
	/** Sends requests together, and ends them in this order. */
	const refuse = (slots: SendSlot[], retryAfterMs?: number) =>
		slots.map((slot) => lane.refused(slot, retryAfterMs));
	return { clock, pacer, lane, acquire, refuse };
}

/** Runs a batch against a gateway that allows a number of requests in any window of time. */
async function batch(
	items: number,
	concurrency: number,
	latencyMs: number,
	{ requests, perMs, retryAfter }: { requests: number; perMs: number; retryAfter?: 'seconds' },
) {
	const judge = slidingWindow(requests, perMs, retryAfter === 'seconds');
	const simulation = new Simulation({ judge, latencyMs: () => latencyMs });
	const { doneAfterMs, arrivals, failures } = await simulation.rows(items, { concurrency });
	expect(failures).toEqual([]);
	return { surplus: arrivals.length - items, seconds: Math.max(...doneAfterMs.map((ms) => ms!)) / 1000 };
}

describe('Pacer', () => {
	it.each([
		[40, 10, 100, { requests: 5, perMs: 1000 }],
		[40, 10, 2, { requests: 5, perMs: 1000 }],
		[40, 10, 100, { requests: 5, perMs: 1000, retryAfter: 'seconds' as const }],
	])(
		'sends at most 10 surplus requests for %i items at concurrency %i and latency %i ms under %o',
		async (...[items, concurrency, latency, gateway]) => {
			const { surplus } = await batch(items, concurrency, latency, gateway);
			expect(surplus).toBeLessThanOrEqual(10);
		},
	);

	it.each([5, 10, 20])(
		'uses 90 %% of a limit of 20 requests per second for 300 items at concurrency %i, with at most 10 %% surplus',
		async (concurrency) => {
			const { surplus, seconds } = await batch(300, concurrency, 100, { requests: 20, perMs: 1000 });
			expect(surplus).toBeLessThanOrEqual(30);
			expect(300 / seconds).toBeGreaterThanOrEqual(18);
		},
	);

	it('waits out a limit per minute without Retry-After', async () => {
		const { surplus, seconds } = await batch(90, 5, 50, { requests: 60, perMs: 60_000 });
		expect(surplus).toBeLessThanOrEqual(20);
		expect(seconds).toBeLessThan(150);
	});

	it('learns no rate from the refusal of the first requests', async () => {
		const { clock, lane, acquire, refuse } = setUp();
		refuse([await acquire(), await acquire()]);
		lane.accepted(await acquire());
		const startedAt = clock.now();
		for (let request = 0; request < 50; request++) await acquire();
		expect(clock.now() - startedAt).toBeLessThan(2_000);
	});

	it('spaces the requests of all lanes at a fixed rate and keeps their order', async () => {
		const { clock, pacer } = setUp({ requestsPerMinute: 60 });
		const order: Array<[number, number]> = [];
		const startedAt = clock.now();
		await clock.run(
			Promise.all(
				[0, 1, 2, 3].map(async (index) => {
					await pacer.acquire(pacer.lane(index % 2 === 0 ? 'one' : 'other'), new PacedRequest());
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

	it('ends a cancelled wait immediately and keeps the order of the others', async () => {
		const { clock, pacer, lane, acquire } = setUp({ requestsPerMinute: 1 });
		const cancel = new AbortController();
		await acquire();
		const cancelled = pacer.acquire(lane, new PacedRequest(), cancel.signal);
		const other = pacer.acquire(lane, new PacedRequest());
		cancel.abort();
		await expect(cancelled).resolves.toBeUndefined();
		await expect(clock.run(other)).resolves.toMatchObject({ isRefused: false });
	});

	it('forgets the lane that was idle longest, and none that is in use', async () => {
		const { clock, pacer, lane, acquire } = setUp();
		await acquire();
		const idle = pacer.lane('idle');
		idle.accepted(await acquire(new PacedRequest(), idle));
		await clock.run(clock.sleep(1_000));
		for (let index = 0; index < 99; index++) {
			const other = pacer.lane(`other ${index}`);
			other.accepted(await acquire(new PacedRequest(), other));
		}
		expect(pacer.lane('one')).toBe(lane);
		expect(pacer.lane('idle')).not.toBe(idle);
	});
});

describe('A lane', () => {
	it('ends a pause as soon as a request is accepted that was sent after the refused ones', async () => {
		const { clock, pacer, lane, acquire, refuse } = setUp();
		const refused = [await acquire(), await acquire()];
		const later = await acquire();
		refuse(refused, 300_000);
		const startedAt = clock.now();
		const waiting = pacer.acquire(lane, new PacedRequest());
		lane.accepted(later);
		await clock.run(waiting);
		expect(clock.now() - startedAt).toBeLessThan(10);
		expect(refused.map(({ request }) => request.isRefusedAlone)).toEqual([true, true]);
	});

	it('keeps a pause when a request is accepted that was sent before the refused ones', async () => {
		const { clock, lane, acquire, refuse } = setUp();
		const earlier = await acquire();
		refuse([await acquire(), await acquire()], 5_000);
		const startedAt = clock.now();
		lane.accepted(earlier);
		await acquire();
		expect(clock.now() - startedAt).toBeGreaterThanOrEqual(4_999);
	});

	it('sends a request that was never refused first when a pause is over', async () => {
		const { clock, pacer, lane, acquire, refuse } = setUp();
		const slots = [await acquire(), await acquire()];
		refuse(slots);
		const order: string[] = [];
		const waiting = [slots[0].request, new PacedRequest()].map(async (request, index) => {
			await pacer.acquire(lane, request);
			order.push(['refused before', 'fresh'][index]);
		});
		await clock.run(Promise.all(waiting));
		expect(order).toEqual(['fresh', 'refused before']);
	});

	it('pauses for no other lane', async () => {
		const { clock, pacer, acquire, refuse } = setUp();
		refuse([await acquire(), await acquire()], 300_000);
		const startedAt = clock.now();
		await acquire(new PacedRequest(), pacer.lane('other'));
		expect(clock.now()).toBe(startedAt);
	});

	it('waits for the requests in progress before it counts as exhausted', async () => {
		const { clock, pacer, lane, acquire, refuse } = setUp();
		const slots = [await acquire(), await acquire(), await acquire()];
		refuse(slots.slice(0, 2), DAY_MS);
		const waiting = pacer.acquire(lane, new PacedRequest());
		lane.accepted(slots[2]);
		lane.accepted((await clock.run(waiting))!);

		const last = [await acquire(), await acquire(), await acquire()];
		refuse(last.slice(0, 2), DAY_MS);
		const inVain = pacer.acquire(lane, new PacedRequest());
		refuse(last.slice(2), DAY_MS);
		await expect(clock.run(inVain)).resolves.toBeUndefined();
	});

	it('is exhausted when two requests were given up after pauses without success, until one is accepted', async () => {
		const { clock, lane, acquire, refuse } = setUp();
		refuse([await acquire()]);
		for (let pause = 1; pause <= 5; pause++) {
			lane.gaveUp(new PacedRequest());
			expect(lane.isExhausted(clock.now())).toBe(false);
			refuse([await acquire()]);
		}
		const probe = await acquire();
		lane.gaveUp(new PacedRequest());
		lane.gaveUp(new PacedRequest());
		lane.ended(probe);
		expect(lane.isExhausted(clock.now())).toBe(true);
		lane.accepted(probe);
		expect(lane.isExhausted(clock.now())).toBe(false);
	});

	it('lets a request that is not limited by the width go before those that are', async () => {
		const { clock, pacer, lane } = setUp();
		const slots = await clock.run(
			Promise.all(Array.from({ length: 10 }, async () => await pacer.acquire(lane, new PacedRequest(true)))),
		);
		const order: string[] = [];
		const automatic = pacer.acquire(lane, new PacedRequest(true)).then((slot) => {
			order.push('automatic');
			return slot;
		});
		await new Promise((resolve) => setImmediate(resolve));
		const fixed = pacer.acquire(lane, new PacedRequest()).then(() => order.push('fixed'));
		const before = clock.now();
		await clock.run(fixed);
		expect(clock.now() - before).toBeLessThan(1000);
		expect(order).toEqual(['fixed']);
		lane.ended(slots[0]!);
		lane.ended(slots[1]!);
		await clock.run(automatic);
		expect(order).toEqual(['fixed', 'automatic']);
	});
});
