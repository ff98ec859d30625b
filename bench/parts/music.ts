import type { Emulator } from '../../emulator';
import { Places } from '../../nodes/shared/runtime/pool';
import { waitForTasks } from '../../nodes/Music/tasks/waitForTasks';
import { musicTaskSchema } from '../../nodes/Music/tasks/musicTask';
import { FakeClock } from '../../test/unit/fakeClock';
import { measureComplete, median, type Subject } from '../measure';
import type { Part } from '../report';
import { bareNode, ourNode, picked, rows, task } from '../task';

const SONGS = 50;
const ROUNDS = 3;
const POLL_INTERVAL_SECONDS = 5;

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
		what: `Driven clock: ${tasks} tasks of 60 s, polled every ${intervalMs / 1000} s, ${latencyMs} ms a poll`,
		polls: `${polls} (${(polls / least).toFixed(2)} of the least)`,
		'last result after the slowest task': `${((clock.now() - startedAt - 60_000) / 1000).toFixed(1)} s`,
	};
}

const ours: Subject = {
	name: 'Unified AI Music',
	task: (gateway, count) =>
		task(
			gateway,
			ourNode('music', {
				operation: 'generate',
				model: picked('music-v5'),
				customMode: false,
				prompt: '={{ $json.prompt }}',
				instrumental: true,
				waitForCompletion: true,
				output: 'task',
				downloadTracks: false,
				simplify: true,
				options: { pollIntervalSeconds: POLL_INTERVAL_SECONDS },
			}),
			rows(count),
		),
};

const oneAfterAnother: Subject = {
	name: 'Bare helper loop, one after another',
	task: (gateway, count) =>
		task(gateway, bareNode(gateway, '/v1/music/generations', 'music', 1), rows(count)),
};

/** Songs that take 3 s each, in real time: what the shared wait saves over one after another. */
async function realWait(emulator: Emulator): Promise<Part['rows']> {
	const rule = { latencyMs: 20, music: { pendingMs: 1000, processingMs: 2000 } };
	const job = {
		rules: { '*': rule },
		warmUpRules: { '*': { music: { pendingMs: 0, processingMs: 0 } } },
		count: SONGS,
		warmUp: 1,
	};
	// One after another takes minutes, always the same.
	const results = [
		...(await measureComplete(emulator, { ...job, rounds: ROUNDS }, [ours])),
		...(await measureComplete(emulator, { ...job, rounds: 1 }, [oneAfterAnother])),
	];
	return results.map(([node, runs]) => ({
		what: `${node}: ${SONGS} songs of 3 s, polled every ${POLL_INTERVAL_SECONDS} s`,
		took: `${(median(runs.map(({ tookMs }) => tookMs)) / 1000).toFixed(1)} s`,
		polls: String(median(runs.map(({ requests }) => requests)) - SONGS),
	}));
}

/** Polls and waiting time of many music tasks. */
export async function measureMusic(emulator: Emulator): Promise<Part> {
	return {
		title: 'Music tasks',
		about: `Songs in real time: the median of ${ROUNDS} runs (one after another was run once). Below, the node's wait alone on a driven clock.`,
		rows: [
			...(await realWait(emulator)),
			await drivenWait(50, 8_000, 20),
			await drivenWait(50, 5_000, 20),
			await drivenWait(50, 10_000, 20),
			await drivenWait(500, 8_000, 20),
			await drivenWait(50, 8_000, 200),
		],
	};
}
