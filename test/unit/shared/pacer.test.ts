import type { Lane } from '../../../nodes/shared/limiter/lane';
import { Pacer } from '../../../nodes/shared/limiter/pacer';
import { PacedRequest } from '../../../nodes/shared/limiter/slot';
import { FakeClock } from '../fakeClock';
import { Simulation, slidingWindow } from './rateSimulation';

/** A request of a run with a number in Max Concurrency. */
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
		'sends at most 15 surplus requests for %i items at concurrency %i and latency %i ms under %o',
		async (...[items, concurrency, latency, gateway]) => {
			const { surplus } = await batch(items, concurrency, latency, gateway);
			expect(surplus).toBeLessThanOrEqual(15);
		},
	);

	it.each([5, 10, 20])(
		'uses 85 %% of a limit of 20 requests per second for 300 items at concurrency %i, with at most 10 %% surplus',
		async (concurrency) => {
			const { surplus, seconds } = await batch(300, concurrency, 100, { requests: 20, perMs: 1000 });
			expect(surplus).toBeLessThanOrEqual(30);
			expect(300 / seconds).toBeGreaterThanOrEqual(17);
		},
	);

	it('waits out a limit per minute without Retry-After', async () => {
		const { surplus, seconds } = await batch(90, 5, 50, { requests: 60, perMs: 60_000 });
		expect(surplus).toBeLessThanOrEqual(20);
		expect(seconds).toBeLessThan(150);
	});

	it('learns no rate from the refusal of the first requests', async () => {
		const { clock, lane, acquire } = setUp();
		for (let request = 0; request < 5; request++) lane.refused(await acquire(), undefined);
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

	it('forgets the lane that was used longest ago', async () => {
		const { pacer, lane } = setUp();
		const other = pacer.lane('other');
		expect(pacer.lane('one')).toBe(lane);
		for (let index = 0; index < 99; index++) pacer.lane(`model ${index}`);
		expect(pacer.lane('one')).toBe(lane);
		expect(pacer.lane('other')).not.toBe(other);
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

	it('lets a request that is not limited by the width go before those that are', async () => {
		const { clock, pacer, lane } = setUp();
		const slots = await clock.run(
			Promise.all(Array.from({ length: 10 }, async () => await pacer.acquire(lane, new PacedRequest()))),
		);
		const order: string[] = [];
		const automatic = pacer.acquire(lane, new PacedRequest()).then((slot) => {
			order.push('automatic');
			return slot;
		});
		await new Promise((resolve) => setImmediate(resolve));
		const second = pacer.acquire(lane, fixed()).then(() => order.push('fixed'));
		const before = clock.now();
		await clock.run(second);
		expect(clock.now() - before).toBeLessThan(1000);
		expect(order).toEqual(['fixed']);
		lane.ended(slots[0]!);
		lane.ended(slots[1]!);
		await clock.run(automatic);
		expect(order).toEqual(['fixed', 'automatic']);
	});
});
