import { drawWorld } from './draw';
import failedSeeds from './failedSeeds.json';
import { inFull } from './shrink';
import { states } from './states';
import { Trials } from './trials';
import { runInWorkers } from './workers';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./agentSdk'), { virtual: true });

/** Fewer do not reach every state. */
const SEEDS = 2_000;
/** A guard, far away: no test depends on how fast the machine is. */
const TIMEOUT_MS = 3_600_000;

const trials = new Trials();
afterAll(async () => await trials.close());

describe('The simulated world', () => {
	it(
		`keeps every promise in ${SEEDS} worlds, which reach every state`,
		async () => {
			const broken: string[] = [];
			const reached = new Set<string>();
			// As one bundle, it runs in two thirds of the time that it takes in Jest.
			const haveEnded = await runInWorkers({ from: 1, count: SEEDS, processes: 1 }, (progress) => {
				for (const state of progress.reached) reached.add(state);
				if (progress.broken) broken.push(progress.broken);
			});
			expect(broken.join('\n')).toBe('');
			expect(haveEnded).toBe(true);
			expect(Object.keys(states).filter((state) => !reached.has(state))).toEqual([]);
		},
		TIMEOUT_MS,
	);

	it.each(failedSeeds)(
		'keeps every promise in the world of seed %i, which has broken one before',
		async (seed) => {
			const verdict = await trials.of(drawWorld(seed));
			expect(verdict.broken.length === 0 ? '' : await inFull(verdict, trials)).toBe('');
		},
	);

	it('has the same trace whenever it runs', async () => {
		for (let seed = 1; seed <= 20; seed++) {
			const { trace } = await trials.of(drawWorld(seed));
			expect((await trials.of(drawWorld(seed))).trace).toBe(trace);
		}
	});
});
