import { seededRandom } from '../seededRandom';
import {
	Simulation,
	slidingWindow,
	type Arrival,
	type SimulatedGateway,
	type Verdict,
} from './rateSimulation';

interface Batch {
	bad: number;
	healthy: number;
	concurrency: number;
}

const RETRY_AFTER: Array<[string, Record<string, string>]> = [
	['without Retry-After', {}],
	['with a Retry-After of 1 s', { 'retry-after': '1' }],
	['with a Retry-After of a day', { 'retry-after': '86400' }],
	['with an endless Retry-After', { 'retry-after': '9'.repeat(400) }],
];
const BATCHES: Batch[] = [1, 3, 10]
	.flatMap((bad) =>
		[40, 300].flatMap((healthy) => [1, 5, 20].map((concurrency) => ({ bad, healthy, concurrency }))),
	)
	.filter(({ bad, healthy }) => healthy === 40 || bad !== 3);

/** Answers take between 50 and 150 ms, refusals 10 ms. */
function varied(judge: SimulatedGateway['judge'], seed = 1): SimulatedGateway {
	const random = seededRandom(seed);
	return { judge, latencyMs: () => 50 + 100 * random(), refusalMs: 10 };
}

const accepting = () => varied(() => 'accepted');

/** Rows that are always refused, spread over the batch. */
function badRowsOf({ bad, healthy }: Batch): Set<number> {
	const step = (bad + healthy) / Math.max(1, bad);
	return new Set(Array.from({ length: bad }, (_, index) => Math.floor(index * step + 2)));
}

async function run(batch: Batch, headers: Record<string, string>, gateway: SimulatedGateway) {
	const badRows = badRowsOf(batch);
	const judge = (arrival: Arrival): Verdict => (badRows.has(arrival.row) ? headers : gateway.judge!(arrival));
	const simulation = new Simulation({ ...gateway, judge });
	const { doneAfterMs, arrivals } = await simulation.rows(batch.bad + batch.healthy, batch);
	const ofHealthy = doneAfterMs.filter((_, row) => !badRows.has(row));
	return {
		failedHealthy: ofHealthy.filter((ms) => ms === undefined).length,
		failedBad: doneAfterMs.filter((ms, row) => badRows.has(row) && ms === undefined).length,
		healthyMs: Math.max(...ofHealthy.map((ms) => ms ?? 0)),
		surplus: arrivals.filter(({ row }) => !badRows.has(row)).length - batch.healthy,
	};
}

const runsAlone = new Map<string, ReturnType<typeof run>>();

/** How long the healthy rows of a batch take without the others, in milliseconds. */
async function msAlone({ healthy, concurrency }: Batch): Promise<number> {
	const key = `${healthy} rows, ${concurrency} at once`;
	const alone = runsAlone.get(key) ?? run({ bad: 0, healthy, concurrency }, {}, accepting());
	runsAlone.set(key, alone);
	return (await alone).healthyMs;
}

/** A refusal that is not waited for is the same in a short batch and in a long one. */
const isLong = (headers: Record<string, string>) => (headers['retry-after'] ?? '').length > 1;

describe('Rows that are always refused', () => {
	for (const [words, headers] of RETRY_AFTER) {
		it.each(BATCHES.filter(({ healthy }) => healthy === 40 || !isLong(headers)))(
			`hold up no other row, ${words}: %o`,
			async (batch) => {
				const { healthyMs, ...failed } = await run(batch, headers, accepting());
				expect(failed).toMatchObject({ failedHealthy: 0, failedBad: batch.bad });
				expect(healthyMs).toBeLessThanOrEqual(1.3 * (await msAlone(batch)));
			},
		);

		it.each(BATCHES.filter(({ healthy }) => healthy === 40))(
			`make no other row fail under a rate limit, ${words}: %o`,
			async (batch) => {
				for (const [requests, perMs] of [
					[5, 1_000],
					[20, 1_000],
					[20, 60_000],
				]) {
					const limited = varied(slidingWindow(requests, perMs, 'retry-after' in headers));
					const failed = await run(batch, headers, limited);
					expect(failed).toMatchObject({ failedHealthy: 0, failedBad: batch.bad });
				}
			},
		);
	}
});

describe('A gateway with a limit on requests in progress', () => {
	it.each(BATCHES.filter(({ bad }) => bad < 10))('fails no healthy row: %o', async (batch) => {
		const random = seededRandom(3);
		const judge = ({ others }: Arrival): Verdict => (others < 4 ? 'accepted' : {});
		const gateway = { judge, latencyMs: () => 500 + 1_000 * random(), refusalMs: 10 };
		const { failedHealthy, surplus } = await run(batch, {}, gateway);
		expect(failedHealthy).toBe(0);
		expect(surplus).toBeLessThanOrEqual(20 + batch.healthy / 2);
	});
});

describe('A gateway that refuses 30 % of all requests at random', () => {
	it.each([1, 5, 20])('fails no row at concurrency %i', async (concurrency) => {
		const random = seededRandom(11);
		const gateway = varied(() => (random() < 0.3 ? {} : 'accepted'));
		expect((await run({ bad: 0, healthy: 300, concurrency }, {}, gateway)).failedHealthy).toBe(0);
		expect((await run({ bad: 1, healthy: 40, concurrency }, {}, gateway)).failedHealthy).toBe(0);
	});
});

describe('A system clock that is changed by ten minutes', () => {
	it.each([-600_000, 600_000])('changes nothing: %i ms', async (byMs) => {
		const usual = new Simulation(varied(slidingWindow(5, 1_000, true)));
		const expected = (await usual.rows(40, { concurrency: 5 })).doneAfterMs;
		const gateway = varied(slidingWindow(5, 1_000, true));
		let requests = 0;
		const changed: Simulation = new Simulation({
			...gateway,
			judge: (arrival) => {
				if (++requests === 10) changed.clock.setDate(byMs);
				return gateway.judge!(arrival);
			},
		});
		expect((await changed.rows(40, { concurrency: 5 })).doneAfterMs).toEqual(expected);
	});
});

describe('A gateway that asks for pauses of two seconds', () => {
	const pause = { 'retry-after': '2' };

	it('gets all rows as soon as it accepts the first one', async () => {
		const judge = ({ at }: Arrival): Verdict => (at - startedAt < 8_000 ? pause : 'accepted');
		const simulation = new Simulation(varied(judge));
		const startedAt = simulation.clock.now();
		const { doneAfterMs, failures } = await simulation.rows(10, { concurrency: 5 });
		expect(failures).toEqual([]);
		// A pause may be a little longer than asked for, so that separate processes do not come back together.
		expect(Math.max(...doneAfterMs.map((ms) => ms ?? 0))).toBeLessThan(8_000 + 2_500);
	});

	it('holds up no row for long if it refuses each one once', async () => {
		const seen = new Set<number>();
		const judge = ({ row }: Arrival): Verdict => {
			if (seen.has(row)) return 'accepted';
			seen.add(row);
			return pause;
		};
		const { doneAfterMs, failures } = await new Simulation(varied(judge)).rows(10, { concurrency: 5 });
		expect(failures).toEqual([]);
		expect(Math.max(...doneAfterMs.map((ms) => ms ?? 0))).toBeLessThan(30_000);
	});
});
