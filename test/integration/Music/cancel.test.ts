import '../engine/environment';
import { Logger } from '@n8n/backend-common';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { REPORT_EVERY_MS } from '../../../nodes/shared/run/progress';
import { eventually } from '../engine/eventually';
import { chosen } from '../engine/chosen';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator();
afterEach(() => jest.restoreAllMocks());

const SONGS = 6;

describe('Canceling Music', () => {
	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'stops immediately while it waits, with the IDs in the log and in the output (%s)',
		async (onError) => {
			const warn = jest.spyOn(Logger.prototype, 'warn');
			const sleep = jest.spyOn(systemClock, 'sleep');
			const waits = () => sleep.mock.calls.some(([forMs]) => forMs >= 1000 && forMs !== REPORT_EVERY_MS);
			const { journal, tasks } = gateway.emulator;
			const before = tasks.all().length;
			const model = chosen('music-v5');
			const music = {
				operation: 'generate',
				model,
				prompt: '={{ $json.prompt }}',
				files: ['audio', 'cover'],
			};
			const { items } = await runWorkflow(oneNode('music', music, { onError }), {
				credential: gateway.credential(),
				input: Array.from({ length: SONGS }, (_, index) => ({ json: { prompt: `Song ${index}` } })),
				onStart: (cancel) => {
					void journal
						.until(SONGS)
						.then(async () => await eventually(waits))
						.then(cancel);
				},
			});
			// A run that continued would have asked for the songs.
			expect(journal.count('GET /v1/music/*')).toBe(0);
			const ids = tasks
				.all()
				.slice(before)
				.map(({ id }) => id);
			expect(items.map(({ json }) => json)).toEqual(
				ids.map((taskId) => ({ taskId, status: 'PENDING', cancelled: true })),
			);
			const logged = () => warn.mock.calls.map(String).filter((line) => line.includes('Music tasks'));
			await eventually(() => logged().length === 1);
			for (const id of ids) expect(logged()[0]).toContain(id);
		},
	);
});
