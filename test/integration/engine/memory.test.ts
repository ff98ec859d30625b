import { setTimeout as pause } from 'node:timers/promises';
import { startEmulator } from '../../../emulator';
import { takesAllCases } from '../../allCases';
import { memoryInUse } from '../../memoryInUse';
import { titleOf } from '../faults/operationCase';
import { operationCases } from '../faults/operations';
import { oneNode, runWorkflow } from './runWorkflow';

const ITEMS_PER_RUN = 500;
const RUNS = 4;
/** In bytes; far below the memory of one item in progress times the number of items. */
const MAX_GROWTH = 4_000_000;

const titles = [
	'chat chatCompletion',
	'chat chatCompletion streamed',
	'embed embedText',
	'speech create',
	'utilities quote',
];
const subjects = operationCases
	.filter((one) => titles.includes(titleOf(one)))
	.map((one) => [titleOf(one), one] as const);

/** The memory in use once what is on its way out, such as a connection that closes, has gone: what leaks stays. */
async function settledMemory(): Promise<number> {
	const readings: number[] = [];
	for (let reading = 0; reading < 5; reading++) {
		await pause(50);
		readings.push(memoryInUse());
	}
	return Math.min(...readings);
}

const describeAll = takesAllCases ? describe : describe.skip;

describeAll('Runs with many items', () => {
	it.each(subjects)('leave no memory in use: %s', async (_title, { node, operation, parameters }) => {
		const emulator = await startEmulator();
		const options = { ...(parameters.options as object), parallelRequests: 20 };
		const workflow = oneNode(node, { operation, ...parameters, options });
		const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 5e8 };
		const used: number[] = [];
		for (let run = 0; run <= RUNS; run++) {
			const input = Array.from({ length: ITEMS_PER_RUN }, (_, index) => ({
				json: { text: `${run} ${index}` },
			}));
			const { error } = await runWorkflow(workflow, { credential, input });
			if (error) throw error;
			emulator.journal.clear();
			used.push(await settledMemory());
		}
		await emulator.close();
		// The first run fills caches.
		expect(used[RUNS] - used[1]).toBeLessThan(MAX_GROWTH);
	});
});
