import { abandonable, abandonAll } from '../integration/faults/abandon';
import { titleOf } from '../integration/faults/operationCase';
import type { Part } from './part';

/** Runs that are stopped, in every stage of every operation. */
export const abandonment: Part = {
	name: 'abandonment',
	title: 'Stopped runs',
	units: () => abandonable.map((operation) => ({ name: titleOf(operation), cells: 5 })),
	run: async (unit) => await abandonAll(abandonable.filter((operation) => titleOf(operation) === unit)),
};
