import failedSeeds from './failedSeeds.json';
import { states } from './states';
import { runInWorkers } from './workers';

/** 2,000 of these worlds are small enough. Half of them reach every state. `npm run nightly` tries 50,000 others. */
const SEEDS = 2_213;
/** The tenth of the worlds that have more items takes almost as long as all others. The nightly run has them. */
const MOST_ROWS = 12;
/** A few of them: speech, streamed chat, and images. */
const LARGE = [880, 991, 1820];
/** A guard, far away: no test depends on how fast the machine is. */
const TIMEOUT_MS = 3_600_000;

describe('The simulated world', () => {
	it(
		`keeps every promise in 2,000 worlds of up to ${MOST_ROWS} items and a few large ones, which reach every state, and in those that have broken one before`,
		async () => {
			const broken: string[] = [];
			const reached = new Set<string>();
			// As one bundle, it runs in two thirds of the time that it takes in Jest.
			const others = [...failedSeeds, ...LARGE];
			const seeds = { from: 1, count: SEEDS, mostRows: MOST_ROWS, others, processes: 1 };
			const haveEnded = await runInWorkers(seeds, (progress) => {
				for (const state of progress.reached) reached.add(state);
				if (progress.broken) broken.push(progress.broken);
			});
			expect(broken.join('\n')).toBe('');
			expect(haveEnded).toBe(true);
			expect(Object.keys(states).filter((state) => !reached.has(state))).toEqual([]);
		},
		TIMEOUT_MS,
	);
});
