import { Pacer } from '../../../nodes/shared/pacing/pacer';
import { FakeClock } from '../fakeClock';

interface Gateway {
	requests: number;
	perMs: number;
	retryAfter?: 'seconds';
}

/** Runs a batch against a gateway that allows a number of requests in any window of time. */
async function batch(items: number, concurrency: number, latencyMs: number, gateway: Gateway) {
	const clock = new FakeClock();
	const pacer = new Pacer(clock, 0);
	const accepted: number[] = [];
	const startedAt = clock.now();
	let sent = 0;
	let next = 0;
	const ask = () => {
		while (accepted.length > 0 && accepted[0] <= clock.now() - gateway.perMs) accepted.shift();
		if (accepted.length < gateway.requests) return accepted.push(clock.now()) > 0;
		return false;
	};
	const lane = async () => {
		while (next++ < items) {
			for (;;) {
				const slot = await pacer.acquire();
				if (!slot) throw new Error('no slot');
				sent += 1;
				await clock.sleep(latencyMs / 2);
				const taken = ask();
				await clock.sleep(latencyMs / 2);
				if (taken) {
					pacer.accepted(slot);
					break;
				}
				const wait = accepted[0] + gateway.perMs - clock.now();
				pacer.refused(slot, gateway.retryAfter ? Math.ceil(wait / 1000) * 1000 : undefined);
			}
		}
	};
	await clock.run(Promise.all(Array.from({ length: concurrency }, lane)));
	return { surplus: sent - items, seconds: (clock.now() - startedAt) / 1000 };
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

	it('learns no rate from the refusal of the first request', async () => {
		const clock = new FakeClock();
		const pacer = new Pacer(clock, 0);
		const first = await pacer.acquire();
		pacer.refused(first!, undefined);
		const probe = await clock.run(pacer.acquire());
		pacer.accepted(probe!);
		const startedAt = clock.now();
		await clock.run(Promise.all(Array.from({ length: 50 }, async () => await pacer.acquire())));
		expect(clock.now() - startedAt).toBeLessThan(2_000);
	});

	it('spaces requests at a fixed rate and keeps their order', async () => {
		const clock = new FakeClock();
		const pacer = new Pacer(clock, 60);
		const order: Array<[number, number]> = [];
		const startedAt = clock.now();
		await clock.run(
			Promise.all(
				[0, 1, 2, 3].map(async (index) => {
					await pacer.acquire();
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
		const clock = new FakeClock();
		const pacer = new Pacer(clock, 1);
		const cancel = new AbortController();
		await clock.run(pacer.acquire());
		const cancelled = pacer.acquire(cancel.signal);
		const other = pacer.acquire();
		cancel.abort();
		await expect(cancelled).resolves.toBeUndefined();
		await expect(clock.run(other)).resolves.toMatchObject({ refused: false });
	});

	it('holds no request back after an absurd Retry-After, but counts as exhausted for a minute', async () => {
		const clock = new FakeClock();
		const pacer = new Pacer(clock, 0);
		const startedAt = clock.now();
		const slot = await clock.run(pacer.acquire());
		expect(pacer.refused(slot!, 86_400_000)).toBe(86_400_000);
		expect(pacer.isExhausted).toBe(true);
		await clock.run(clock.sleep(61_000));
		expect(pacer.isExhausted).toBe(false);
		await expect(clock.run(pacer.acquire())).resolves.toBeDefined();
		expect(clock.now() - startedAt).toBeLessThan(70_000);
	});

	it('counts as exhausted after five pauses without success, until a request is accepted', async () => {
		const clock = new FakeClock();
		const pacer = new Pacer(clock, 0);
		for (let pause = 1; pause <= 5; pause++) {
			pacer.gaveUp();
			expect(pacer.isExhausted).toBe(false);
			pacer.refused((await clock.run(pacer.acquire()))!, undefined);
		}
		pacer.gaveUp();
		expect(pacer.isExhausted).toBe(true);
		pacer.accepted((await clock.run(pacer.acquire()))!);
		expect(pacer.isExhausted).toBe(false);
	});
});
