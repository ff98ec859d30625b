import { drawWorld } from './draw';
import failedSeeds from './failedSeeds.json';
import { states } from './states';
import { shrink } from './shrink';
import { Trials, type Verdict } from './trials';
import { inWords } from './world';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./agentSdk'), { virtual: true });

/** Seeds, and for how many of them; `npm run simulate` sets both. */
const FIRST_SEED = Number(process.env.SIMULATION_FROM ?? 1);
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 2_000);
/** Fewer do not reach every state. */
const SEEDS_FOR_STATES = 2_000;
/** Worlds of one test, so that none takes long on a busy machine either. */
const BATCH = 200;
/** How many broken worlds are shown; each of them is shrunk. */
const MOST_SHOWN = 3;

const LAST_SEED = FIRST_SEED + SEEDS - 1;
const batches = Array.from(
	{ length: Math.ceil(SEEDS / BATCH) },
	(_, index) => FIRST_SEED + index * BATCH,
).map((first): [number, number] => [first, Math.min(first + BATCH - 1, LAST_SEED)]);

const trials = new Trials();
afterAll(async () => await trials.close());

describe('The simulated world', () => {
	it('has the same trace whenever it runs', async () => {
		const seeds = Array.from({ length: 20 }, (_, index) => FIRST_SEED + index);
		const traces = async () => {
			const found: string[] = [];
			for (const seed of seeds) found.push((await trials.of(drawWorld(seed))).trace);
			return found;
		};
		expect(await traces()).toEqual(await traces());
	});

	const reached = new Set<string>();

	it.each(batches)('keeps every promise, seeds %i to %i', async (first, last) => {
		const kept = first === FIRST_SEED ? failedSeeds : [];
		const broken: Verdict[] = [];
		for (const seed of [...kept, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)]) {
			const verdict = await trials.of(drawWorld(seed));
			for (const state of verdict.reached) reached.add(state);
			if (verdict.broken.length > 0) broken.push(verdict);
		}
		expect(await inFull(broken)).toBe('');
	});

	it('reaches every state', () => {
		const missing = Object.keys(states).filter((state) => !reached.has(state));
		expect(SEEDS >= SEEDS_FOR_STATES ? missing : []).toEqual([]);
	});
});

/** The first broken worlds, each with the smallest one that breaks the same. */
async function inFull(broken: Verdict[]): Promise<string> {
	const shown: string[] = [];
	for (const verdict of broken.slice(0, MOST_SHOWN)) {
		const smallest = await shrink(verdict, trials);
		shown.push(
			[
				...verdict.broken,
				'The smallest world found:',
				inWords(smallest.world),
				...smallest.broken,
				smallest.trace,
			].join('\n'),
		);
	}
	const others = broken.slice(MOST_SHOWN).map(({ world, broken: [first] }) => `Seed ${world.seed}: ${first}`);
	return [...broken.map(({ world }) => `Seed ${world.seed} breaks a promise.`), ...shown, ...others].join(
		'\n',
	);
}
