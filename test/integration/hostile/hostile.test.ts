import { runWorstCases } from './worstCases';

/** An answer that grows when it is unpacked, and a large event; `npm run hostile` takes every answer. */
const CASES = [
	'account getManyModels/3 GB of JSON in 3 MB',
	'chat chatCompletion streamed/one event of 15 MB',
];

describe('Five rows with the worst answers, in a process with a heap of 2 GB,', () => {
	it('each fail with words, leave the event loop to others, and store no more than the limit', async () => {
		expect(await runWorstCases(CASES)).toEqual([]);
	}, 600_000);
});
