import { join } from 'node:path';
import { drawWorld } from './draw';
import { type PlantedFault, plantedFaults } from './planted';
import type { Trials } from './trials';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./agentSdk'), { virtual: true });

/** `npm run simulate -- --faults`: each planted fault is found within so many seeds. */
const SEEDS = Math.min(2_000, Number(process.env.SIMULATION_SEEDS ?? 2_000));
const ONLY = process.env.SIMULATION_FAULT ?? '';

async function firstSeed({
	module,
	plant,
}: PlantedFault): Promise<{ seed: number; broken: string } | undefined> {
	jest.resetModules();
	const path = join(__dirname, '../../nodes', module);
	jest.doMock(path, () => plant(jest.requireActual<never>(path)));
	const { Trials: PlantedTrials } = jest.requireActual<{ Trials: new () => Trials }>('./trials');
	const trials = new PlantedTrials();
	try {
		for (let seed = 1; seed <= SEEDS; seed++) {
			const { broken } = await trials.of(drawWorld(seed));
			if (broken.length > 0) return { seed, broken: broken[0] };
		}
		return undefined;
	} finally {
		await trials.close();
		jest.dontMock(path);
	}
}

describe('A planted fault', () => {
	it.each(plantedFaults.filter(({ name }) => name.includes(ONLY)))('is found: it $name', async (fault) => {
		const found = await firstSeed(fault);
		console.log(
			found
				? `Seed ${found.seed}: it ${fault.name} → ${found.broken.slice(0, 160)}`
				: `Not found: it ${fault.name}`,
		);
		expect(found).toBeDefined();
	});
});
