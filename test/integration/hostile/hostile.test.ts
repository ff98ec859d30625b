import { takesAllCases } from '../../allCases';
import { runWorstCases, WORST_CASES } from './worstCases';

/** Otherwise, an answer that grows when it is unpacked, and a large event. */
const CASES = takesAllCases
	? WORST_CASES
	: ['account getManyModels/3 GB of JSON in 3 MB', 'chat chatCompletion streamed/one event of 15 MB'];

describe('Five rows with the worst answers, in a process with a heap of 2 GB,', () => {
	it('each fail with words, leave the event loop to others, and store no more than the limit', async () => {
		expect(await runWorstCases(CASES)).toEqual([]);
	}, 600_000);
});
