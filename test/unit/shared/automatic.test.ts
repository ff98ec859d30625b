import { FakeClock } from '../fakeClock';
import {
	type Arrival,
	type SimulatedGateway,
	Simulation,
	slidingWindow,
	type Verdict,
} from './rateSimulation';

const ROWS = 400;
const LATENCY_MS = 200;
/** How long a refusal takes. */
const REFUSAL_MS = 4;

/** Answers so many requests at once; the others wait for their turn. */
const queues = (capacity: (answered: number) => number): SimulatedGateway => ({
	capacity,
	latencyMs: () => LATENCY_MS,
});
/** Refuses what is more than so many requests at once. */
const refuses = (capacity: (answered: number) => number, headers: Verdict = {}): SimulatedGateway => ({
	judge: ({ others, answered }) => (others >= capacity(answered) ? headers : 'accepted'),
	latencyMs: () => LATENCY_MS,
	refusalMs: REFUSAL_MS,
});
const limits = (requests: number, perMs: number, isAsked: boolean, latencyMs = 100): SimulatedGateway => ({
	judge: slidingWindow(requests, perMs, isAsked),
	latencyMs: () => latencyMs,
	refusalMs: REFUSAL_MS,
});
/** As wide as this at first and in the end, and narrow in between. */
const changing = (wide: number, narrow: number) => (answered: number) =>
	answered > 130 && answered < 260 ? narrow : wide;

/** Numbers from 0 to 1 that repeat their sequence for the same seed. */
function randomNumbers(seed: number): () => number {
	const clock = new FakeClock(seed);
	return () => clock.random();
}

async function run(gateway: SimulatedGateway, concurrency: number | 'automatic' = 'automatic', rows = ROWS) {
	const simulation = new Simulation(gateway);
	simulation.clock.turns = 3;
	const result = await simulation.rows(rows, { concurrency });
	return { ...result, refused: result.arrivals.length - rows };
}

/** The fastest of the fixed settings, in milliseconds. */
async function bestFixedMs(gateway: () => SimulatedGateway): Promise<number> {
	const times: number[] = [];
	for (const concurrency of [1, 2, 5, 10, 20, 40, 80]) times.push((await run(gateway(), concurrency)).tookMs);
	return Math.min(...times);
}

describe('Max Concurrency: Automatic', () => {
	it.each<[string, () => SimulatedGateway]>([
		['queues above 4', () => queues(() => 4)],
		['queues above 20', () => queues(() => 20)],
		['queues above 60', () => queues(() => 60)],
		['refuses above 4', () => refuses(() => 4)],
		['refuses above 20', () => refuses(() => 20)],
		['refuses above 60', () => refuses(() => 60)],
		['refuses above 20, with Retry-After', () => refuses(() => 20, { 'retry-after': '1' })],
		['allows 20 per second', () => limits(20, 1000, false)],
		['allows 20 per second, with Retry-After', () => limits(20, 1000, true)],
		['slows down under load', () => ({ latencyMs: ({ others }: Arrival) => LATENCY_MS + 10 * others })],
	])(
		'is about as fast as the best fixed setting at a gateway that %s, without many refusals',
		async (_name, gateway) => {
			const { tookMs, refused, failures } = await run(gateway());
			expect(failures).toEqual([]);
			expect(tookMs / (await bestFixedMs(gateway))).toBeLessThan(1.25);
			expect(refused / (ROWS + refused)).toBeLessThan(0.035);
		},
	);

	it.each([
		['queues', () => queues(changing(40, 8))],
		['refuses', () => refuses(changing(40, 8))],
	])('is nearly as fast at a gateway that becomes narrow and wide again, and %s', async (_name, gateway) => {
		const { tookMs, refused, failures } = await run(gateway());
		expect(failures).toEqual([]);
		expect(tookMs / (await bestFixedMs(gateway))).toBeLessThan(1.3);
		expect(refused / (ROWS + refused)).toBeLessThan(0.065);
	});

	it.each([4, 20, 60])(
		'does not make requests wait for each other for long at a gateway that queues above %i',
		async (capacity) => {
			expect((await run(queues(() => capacity))).latencyMs).toBeLessThan(4 * LATENCY_MS);
		},
	);

	it('is rarely misled by latencies that vary much', async () => {
		const ratios: number[] = [];
		for (let seed = 1; seed <= 12; seed++) {
			const varying = (): SimulatedGateway => {
				const random = randomNumbers(seed);
				return { latencyMs: () => 100 + 1900 * random() };
			};
			ratios.push((await run(varying())).tookMs / (await run(varying(), 80)).tookMs);
		}
		ratios.sort((one, other) => one - other);
		expect(ratios[6]).toBeLessThan(1.25);
		expect(ratios[11]).toBeLessThan(2.5);
	});

	it('recognizes a queue although latencies vary', async () => {
		const times: number[] = [];
		for (let seed = 1; seed <= 9; seed++) {
			const random = randomNumbers(seed);
			const queued = { ...queues(() => 20), latencyMs: () => 40 + 320 * random() };
			const { tookMs, arrivals } = await run(queued, 'automatic', 1000);
			times.push(tookMs / ((1000 / 20) * LATENCY_MS));
			const late = arrivals.slice(500).map(({ others }) => others);
			expect(late.reduce((sum, others) => sum + others, 0) / late.length).toBeLessThan(60);
		}
		times.sort((one, other) => one - other);
		expect(times[4]).toBeLessThan(1.15);
		expect(times[8]).toBeLessThan(1.5);
	});

	it('takes single refusals at random for no sign of a width', async () => {
		const unlucky = (): SimulatedGateway => {
			const random = randomNumbers(1);
			return {
				judge: () => (random() < 0.05 ? {} : 'accepted'),
				latencyMs: () => LATENCY_MS,
				refusalMs: REFUSAL_MS,
			};
		};
		expect((await run(unlucky())).tookMs).toBeLessThan((await run(unlucky(), 10)).tookMs * 1.25);
	});

	it('does not count the refusals that it causes itself as Max Rate Limit Retries', async () => {
		const simulation = new Simulation(refuses(() => 20));
		simulation.clock.turns = 3;
		const settings = { concurrency: 'automatic', maxRateLimitRetries: 0 } as const;
		const { failures, arrivals } = await simulation.rows(ROWS, settings);
		expect(failures).toEqual([]);
		expect(arrivals.length).toBeGreaterThan(ROWS);
	});

	it('begins with ten requests at once', async () => {
		const { arrivals } = await run({ latencyMs: () => LATENCY_MS });
		const before = arrivals.filter(({ answered }) => answered === 0);
		expect(before.length).toBe(10);
		expect(Math.max(...arrivals.map(({ others }) => others))).toBe(99);
	});

	it('is remembered for the next run with the same credential and model', async () => {
		const simulation = new Simulation(refuses(() => 20));
		simulation.clock.turns = 3;
		await simulation.rows(ROWS, { concurrency: 'automatic' });
		const { arrivals, tookMs } = await simulation.rows(100, { concurrency: 'automatic' });
		expect(arrivals.length - 100).toBeLessThan(3);
		expect(tookMs).toBeLessThan((100 / 20) * LATENCY_MS * 1.25);
		const other = await simulation.rows(40, { concurrency: 'automatic', model: 'other' });
		expect(
			Math.max(...other.arrivals.filter(({ answered }) => answered === 500).map(({ others }) => others)),
		).toBe(9);
	});

	it('limits what several runs send together, but none that has a number', async () => {
		const simulation = new Simulation(queues(() => 20));
		simulation.clock.turns = 3;
		const automatic = [1, 2, 3].map(() => simulation.startRows(200, { concurrency: 'automatic' }));
		const runs = await simulation.clock.run(Promise.all(automatic));
		const atOnce = runs.flatMap(({ arrivals }) => arrivals).map(({ others }) => others);
		expect(Math.max(...atOnce.slice(-200))).toBeLessThan(40);
		const [first, second] = [
			simulation.startRows(100, { concurrency: 'automatic' }),
			simulation.startRows(100, { concurrency: 60 }),
		];
		await simulation.clock.run(Promise.all([first, second]));
		expect(Math.max(...(await second).arrivals.map(({ others }) => others))).toBeGreaterThanOrEqual(60);
	});
});
