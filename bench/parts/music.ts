import { startEmulator } from '../../emulator';
import { Places } from '../../nodes/shared/runtime/pool';
import { waitForTasks } from '../../nodes/shared/music/waitForTasks';
import { musicTaskSchema } from '../../nodes/shared/schemas/music';
import { oneNode, runWorkflow } from '../../test/integration/engine/runWorkflow';
import { FakeClock } from '../../test/unit/fakeClock';
import type { Part } from '../report';

/** Waits for so many tasks of 60 s on a clock that jumps; how many polls it took, and when the last task was done. */
async function drivenWait(tasks: number, intervalMs: number, latencyMs: number) {
	const clock = new FakeClock();
	const startedAt = clock.now();
	let polls = 0;
	await clock.run(
		waitForTasks(
			Array.from({ length: tasks }, (_, index) => String(index)),
			{
				clock,
				signal: undefined,
				places: new Places(5),
				look: async () => {
					polls += 1;
					const status = clock.now() - startedAt >= 60_000 ? 'SUCCESS' : 'PROCESSING';
					await clock.sleep(latencyMs);
					return musicTaskSchema.parse({ data: { status } });
				},
				intervalMs,
				maxWaitMs: 900_000,
				lookAtOnce: false,
				refusalsTolerated: 0,
				onOutcome: async () => {},
			},
		),
	);
	const least = tasks * Math.ceil(60_000 / intervalMs);
	return {
		what: `${tasks} tasks of 60 s, polled every ${intervalMs / 1000} s, ${latencyMs} ms a poll`,
		polls: `${polls} (${(polls / least).toFixed(2)} of the least)`,
		lastAfterSlowest: `${((clock.now() - startedAt - 60_000) / 1000).toFixed(1)} s`,
	};
}

/** Songs that take 3 s each, through n8n's engine in real time: what the shared wait saves over one after another. */
async function engineRun(songs: number) {
	const emulator = await startEmulator();
	emulator.behaviour.set('*', { latencyMs: 20, music: { pendingMs: 1_000, processingMs: 2_000 } });
	const node = oneNode('music', {
		operation: 'generate',
		model: { __rl: true, mode: 'id', value: 'music-v5' },
		customMode: false,
		prompt: '={{ $json.prompt }}',
		instrumental: true,
		waitForCompletion: true,
		output: 'task',
		downloadTracks: false,
		simplify: true,
		options: { pollIntervalSeconds: 5 },
	});
	const input = Array.from({ length: songs }, (_, index) => ({ json: { prompt: `Song ${index}` } }));
	const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey };
	const { tookMs, error } = await runWorkflow(node, { credential, input });
	if (error) throw new Error(error.message);
	await emulator.close();
	const alone = songs * 5_000;
	return {
		what: `${songs} songs of 3 s, polled every 5 s, in n8n's engine`,
		took: `${(tookMs / 1000).toFixed(1)} s`,
		oneAfterAnother: `${alone / 1000} s`,
		ratio: (tookMs / alone).toFixed(3),
	};
}

/** Polls and waiting time of many music tasks. */
export async function measureMusic(): Promise<Part> {
	const rows = [
		await drivenWait(50, 8_000, 20),
		await drivenWait(50, 5_000, 20),
		await drivenWait(50, 10_000, 20),
		await drivenWait(500, 8_000, 20),
		await drivenWait(50, 8_000, 200),
	];
	const { what, took, oneAfterAnother, ratio } = await engineRun(50);
	const about = `On a driven clock. In real time, ${what}: ${took} instead of ${oneAfterAnother} one after another (${ratio}).`;
	return { title: 'Music tasks', about, rows };
}
