import { seededRandom } from '../seededRandom';
import { PROFILES, tryProfile } from './rateProfiles';
import {
	type Arrival,
	type SimulatedGateway,
	Simulation,
	slidingWindow,
	type Verdict,
} from './rateSimulation';

const ROWS = 400;
const LATENCY_MS = 200;

/** The gateway of a profile. */
const gatewayOf = (name: string, seed = 1) =>
	PROFILES.find((profile) => profile.name === name)!.gateway(seededRandom(seed));

async function run(gateway: SimulatedGateway, concurrency: number | 'automatic' = 'automatic', rows = ROWS) {
	const result = await new Simulation(gateway).rows(rows, { concurrency });
	return { ...result, refused: result.arrivals.length - rows };
}

describe('Parallel Requests: Automatic', () => {
	// The best setting is the fastest of 1, 2, 5, 10, 20, 40, and 80, which have been tried once.
	it.each<[string, bestMs: number, ratio?: number, refusedShare?: number, waits?: number]>([
		['queues above 4', 20_000],
		['queues above 20', 4_000],
		['queues above 60', 1_600],
		['queues above 40, 8, and 40', 4_600, 1.3, 0, 5],
		['refuses above 4', 20_000],
		['refuses above 20', 4_000],
		['refuses above 60', 2_000],
		['refuses above 40, 8, and 40', 8_800, 1.3, 0.065],
		['refuses above 20, Retry-After 1', 4_000],
		['20 in any second', 20_000],
		['20 in any second, Retry-After', 20_000],
		['slows down under load', 5_100, 1.25, 0.035, 5],
	])(
		'is about as fast as the best fixed setting, without many refusals and long queues: %s',
		async (name, bestMs, ratio = 1.25, refusedShare = 0.035, waits = 4) => {
			const { tookMs, latencyMs, refused, failures } = await run(gatewayOf(name));
			expect(failures).toEqual([]);
			expect(tookMs / bestMs).toBeLessThan(ratio);
			expect(refused / (ROWS + refused)).toBeLessThanOrEqual(refusedShare);
			expect(latencyMs).toBeLessThan(waits * LATENCY_MS);
		},
	);

	it('shares a limit with others that it does not know', async () => {
		const simulation = new Simulation(gatewayOf('20 in any second'));
		// A lane learns nothing from another one, like a process.
		const models = ['one', 'two', 'three', 'four'];
		const runs = await simulation.clock.run(
			Promise.all(models.map((model) => simulation.startRows(ROWS / 2, { concurrency: 'automatic', model }))),
		);
		const firstMs = Math.min(...runs.map(({ tookMs }) => tookMs));
		const shares = runs.map(
			({ doneAfterMs }) => doneAfterMs.filter((ms) => ms! <= firstMs).length / (firstMs / 50),
		);
		expect(shares.reduce((sum, share) => sum + share)).toBeGreaterThan(0.9);
		expect(Math.min(...shares)).toBeGreaterThan(0.15);
		const sent = Math.max(...runs.map(({ arrivals }) => arrivals.length));
		expect((sent - 2 * ROWS) / sent).toBeLessThan(0.08);
	});

	it('is rarely misled by latencies that vary much', async () => {
		const tookMs = async (seed: number, concurrency?: number) =>
			(await run(gatewayOf('100 to 2,000 ms', seed), concurrency)).tookMs;
		const ratios: number[] = [];
		for (const seed of [1, 2, 3]) ratios.push((await tookMs(seed)) / (await tookMs(seed, 80)));
		ratios.sort((one, other) => one - other);
		expect(ratios[1]).toBeLessThan(1.25);
		expect(ratios[2]).toBeLessThan(2.5);
	});

	it.each([
		['5 % at random, without Retry-After', 2],
		['30 % at random, without Retry-After', 25],
		['30 % at random, with Retry-After 1', 16],
	])('loses no row if requests are refused, %s, and takes at most %d times as long', async (name, ratio) => {
		const { tookMs: withoutMs } = await run({ latencyMs: () => LATENCY_MS });
		const { tookMs, failures } = await run(gatewayOf(name));
		expect(failures).toEqual([]);
		expect(tookMs / withoutMs).toBeLessThan(ratio);
	});

	it('is remembered for the next run with the same credential and model', async () => {
		const simulation = new Simulation(gatewayOf('refuses above 20'));
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
		const simulation = new Simulation(gatewayOf('queues above 20'));
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

describe('A rate limit is learned from few refusals, also by a busy n8n', () => {
	// Limits of long windows and the shares of several processes are only in the table (`rateTable.ts`).
	const profiles = PROFILES.filter(({ name, isRate }) => isRate && /^\d+\/s(?!.*processes)/.test(name));

	const hardest = { concurrency: 'automatic', isBusy: true } as const;
	const others = [
		...([3, 20, 'automatic'] as const).map((concurrency) => ({ concurrency, isBusy: false })),
		...([3, 20] as const).map((concurrency) => ({ concurrency, isBusy: true })),
	];
	// The hardest setting, and each of the others with one profile; the table has all of them.
	const runs = [hardest, ...others].flatMap((setting, index) =>
		(index === 0 ? profiles : [profiles[index]]).map((profile) => ({
			name: profile.name,
			profile,
			...setting,
		})),
	);

	it.each(runs)('$name, $concurrency at once, busy: $isBusy', async ({ profile, concurrency, isBusy }) => {
		const { refusedShare, lost, ratio } = await tryProfile(profile, concurrency, 1, isBusy);
		expect(lost).toBe(0);
		expect(ratio).toBeLessThan(1.25);
		// Two models send 40 requests before the first answer, of which half have to be refused.
		const isDoubled = profile.models!.length === 2 && concurrency === 20;
		expect(refusedShare).toBeLessThanOrEqual(isDoubled ? 0.15 : 0.1);
	});
});

/** How many rows are always refused, how many are sent at once, and a limit for the others: requests, and its window. */
const BATCHES = [
	[1, 1, 5, 1_000],
	[1, 20, 20, 60_000],
	[10, 5, 20, 1_000],
	[10, 20, 5, 1_000],
];
const HEALTHY = 40;

/** Runs rows of which some are always refused, spread over the batch. */
async function runBatch(
	[bad, concurrency]: number[],
	headers: Record<string, string>,
	judge: (arrival: Arrival) => Verdict = () => 'accepted',
) {
	const count = HEALTHY + bad;
	const badRows = Array.from({ length: bad }, (_, index) => Math.floor((index * count) / bad + 2));
	const random = seededRandom(1);
	const simulation = new Simulation({
		judge: (arrival) => (badRows.includes(arrival.row) ? headers : judge(arrival)),
		latencyMs: () => 50 + 100 * random(),
		refusalMs: 10,
	});
	const { doneAfterMs } = await simulation.rows(count, { concurrency });
	const failed = [...doneAfterMs.keys()].filter((row) => doneAfterMs[row] === undefined);
	expect(failed).toEqual(badRows);
	return Math.max(...doneAfterMs.map((ms) => ms ?? 0));
}

describe.each([
	['without Retry-After', {}],
	['with a Retry-After of 1 s', { 'retry-after': '1' }],
	['with a Retry-After of a day', { 'retry-after': '86400' }],
])('Rows that are always refused, %s,', (_words, headers) => {
	it.each(BATCHES)(
		'hold up no other row, also under a rate limit: %i, and %i at once, %i in %i ms',
		async (...[bad, concurrency, requests, perMs]) => {
			const tookMs = await runBatch([bad, concurrency], headers);
			// Ten of fifty that are sent again soon look like a rate that is exceeded, at first.
			const lookMs = bad === 1 || 'retry-after' in headers ? 0 : 1_000;
			expect(tookMs).toBeLessThanOrEqual(1.3 * (await runBatch([0, concurrency], {})) + lookMs);
			const limit = slidingWindow(requests, perMs, 'retry-after' in headers);
			await runBatch([bad, concurrency], headers, limit);
		},
	);
});
