import { drawWorld } from './draw';
import failedSeeds from './failedSeeds.json';
import { states } from './states';
import { inFull } from './report';
import { Trials, type Verdict } from './trials';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./agentSdk'), { virtual: true });

/** Fewer do not reach every state. */
const SEEDS = 2_000;
/** Worlds of one test, so that none takes long on a busy machine either. */
const BATCH = 200;
/** How many broken worlds are shown; each of them is shrunk. */
const MOST_SHOWN = 3;

const batches = Array.from({ length: SEEDS / BATCH }, (_, index) => [index * BATCH + 1, (index + 1) * BATCH]);

const trials = new Trials();
afterAll(async () => await trials.close());

describe('The simulated world', () => {
	it('has the same trace whenever it runs', async () => {
		const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
		const traces = async () => {
			const found: string[] = [];
			for (const seed of seeds) found.push((await trials.of(drawWorld(seed))).trace);
			return found;
		};
		expect(await traces()).toEqual(await traces());
	});

	const reached = new Set<string>();

	it.each(batches)('keeps every promise, seeds %i to %i', async (first, last) => {
		const kept = first === 1 ? failedSeeds : [];
		const broken: Verdict[] = [];
		for (const seed of [...kept, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)]) {
			const verdict = await trials.of(drawWorld(seed));
			for (const state of verdict.reached) reached.add(state);
			if (verdict.broken.length > 0) broken.push(verdict);
		}
		expect(await inWords(broken)).toBe('');
	});

	it('reaches every state', () => {
		expect(Object.keys(states).filter((state) => !reached.has(state))).toEqual([]);
	});
});

/** The first broken worlds, each with the smallest one that breaks the same, and the seeds of the others. */
async function inWords(broken: Verdict[]): Promise<string> {
	const shown: string[] = [];
	for (const verdict of broken.slice(0, MOST_SHOWN)) shown.push(await inFull(verdict, trials));
	const others = broken.slice(MOST_SHOWN).map(({ world, broken: [first] }) => `Seed ${world.seed}: ${first}`);
	return [...shown, ...others].join('\n');
}
