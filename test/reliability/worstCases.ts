import { runWorstCases, WORST_CASES } from '../integration/hostile/worstCases';
import type { Part } from './part';

/** The worst answers, in processes with little memory. */
export const worstCases: Part = {
	name: 'worst',
	title: 'The worst answers in little memory',
	units: () => WORST_CASES.map((name) => ({ name, cells: 1, isAlone: true })),
	run: async (unit) => await runWorstCases([unit]),
};
