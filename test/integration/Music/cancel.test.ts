import '../engine/environment';
import { Logger } from '@n8n/backend-common';
import type { Emulator } from '../../../emulator';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { REPORT_EVERY_MS } from '../../../nodes/shared/run/progress';
import { eventually } from '../engine/eventually';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';

let emulator: Emulator;
let testNumber = 0;
let warn: jest.SpyInstance;

beforeEach(async () => {
	testNumber += 1;
	emulator = await startStrictEmulator();
	warn = jest.spyOn(Logger.prototype, 'warn');
});
afterEach(async () => {
	jest.restoreAllMocks();
	await emulator.close();
});

const music = (parameters: object, settings = {}) =>
	oneNode(
		'music',
		{
			operation: 'generate',
			model: { __rl: true, mode: 'id', value: 'music-v5' },
			customMode: false,
			prompt: '={{ $json.prompt }}',
			taskId: '={{ $json.taskId }}',
			instrumental: false,
			vocalGender: 'any',
			waitForCompletion: true,
			output: 'track',
			downloadTracks: true,
			files: ['audio'],
			binaryPropertyName: 'data',
			simplify: true,
			options: { maxConcurrency: 4 },
			...parameters,
		},
		settings,
	);

/** Runs until the emulator has received this many requests, and whatever else has happened, and cancels. */
async function cancelled(
	workflow: ReturnType<typeof music>,
	input: object[],
	requests: number,
	alsoWaitsFor = () => true,
) {
	return await runWorkflow(workflow, {
		credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 3e7 + testNumber },
		input: input.map((json) => ({ json: { ...json } })),
		onStart: (cancel) => {
			void emulator.journal
				.until(requests)
				.then(async () => await eventually(alsoWaitsFor))
				.then(cancel);
		},
	});
}

const prompts = (count: number) => Array.from({ length: count }, (_, index) => ({ prompt: `Song ${index}` }));
const taskIds = () => emulator.tasks.all().map(({ id }) => id);
const logged = () =>
	warn.mock.calls.map(([message]) => String(message)).filter((line) => line.includes('Music tasks'));

describe('Canceling Music', () => {
	it.each(['stopWorkflow', 'continueRegularOutput'])(
		'stops immediately while it waits, with the IDs in the log and in the output (%s)',
		async (onError) => {
			const sleep = jest.spyOn(systemClock, 'sleep');
			const waits = () => sleep.mock.calls.some(([forMs]) => forMs >= 1000 && forMs !== REPORT_EVERY_MS);
			const { items } = await cancelled(music({}, { onError }), prompts(6), 6, waits);
			// A run that continued would have asked for the songs.
			expect(emulator.journal.count('GET /v1/music/*')).toBe(0);
			expect(taskIds()).toHaveLength(6);
			expect(items.map(({ json }) => json)).toEqual(
				taskIds().map((taskId) => ({ taskId, status: 'PENDING', cancelled: true })),
			);
			await eventually(() => logged().length === 1);
			for (const id of taskIds()) expect(logged()[0]).toContain(id);
		},
	);
});
