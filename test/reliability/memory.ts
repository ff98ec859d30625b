import { setTimeout as pause } from 'node:timers/promises';
import { startEmulator } from '../../emulator';
import { oneNode, runWorkflow } from '../integration/engine/runWorkflow';
import { operationCases } from '../integration/faults/operations';
import { titleOf } from '../integration/faults/operationCase';
import type { Part } from './part';
import { memoryInUse } from '../memoryInUse';

const ITEMS_PER_RUN = 500;
const RUNS = 4;
/** In bytes; far below the memory of one item in progress times the number of items. */
const MAX_GROWTH = 4_000_000;

const subjects = operationCases.filter(({ node, operation, variant }) =>
	[
		'chat chatCompletion',
		'chat chatCompletion streamed',
		'embed embedText',
		'speech create',
		'utilities quote',
	].includes([node, operation, variant].filter(Boolean).join(' ')),
);

/** The memory in use once what is on its way out, such as a connection that closes, has gone: what leaks stays. */
async function settledMemory(): Promise<number> {
	const readings: number[] = [];
	for (let reading = 0; reading < 5; reading++) {
		await pause(50);
		readings.push(memoryInUse());
	}
	return Math.min(...readings);
}

/** Runs with many items, after which the memory must be what it was before. */
export const memory: Part = {
	name: 'memory',
	title: `Memory over ${ITEMS_PER_RUN * RUNS} items`,
	units: () => subjects.map((subject) => ({ name: titleOf(subject), cells: RUNS + 1, isAlone: true })),

	async run(title) {
		const { node, operation, parameters } = subjects.find((one) => titleOf(one) === title)!;
		const emulator = await startEmulator();
		const options = { ...(parameters.options as object), maxConcurrency: 20 };
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
		const growth = used[RUNS] - used[1];
		return growth < MAX_GROWTH ? [] : [`${title}: the memory grew by ${Math.round(growth / 1e6)} MB`];
	},
};
