import { abandonment } from './abandonment';
import { dialects, mixes } from './dialects';
import { faultMatrix } from './faultMatrix';
import { memory } from './memory';
import type { Part } from './part';
import { secrets } from './secrets';
import { worstCases } from './worstCases';

/** Everything that `npm run reliability` runs, in this order. */
export const parts: readonly Part[] = [
	faultMatrix,
	dialects,
	mixes,
	abandonment,
	secrets,
	memory,
	worstCases,
];
