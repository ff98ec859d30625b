import type { Lane } from '../../../nodes/shared/limiter/lane';
import { Pacer } from '../../../nodes/shared/limiter/pacer';
import { PacedRequest } from '../../../nodes/shared/limiter/slot';
import { FakeClock } from '../fakeClock';
import { Simulation, slidingWindow } from './rateSimulation';

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
});
