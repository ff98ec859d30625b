import type { Emulator } from '../../emulator';
import { waitForTasks } from '../../nodes/Music/tasks/waitForTasks';
import { readMusicTask } from '../../nodes/Music/tasks/musicTask';
import { FakeClock } from '../../test/unit/fakeClock';
import { measureComplete, median, type Subject } from '../measure';
import type { Part } from '../report';
import { bareNode, ourNode, picked, rows, task } from '../task';

const SONGS = 50;
const ROUNDS = 3;
const POLL_INTERVAL_SECONDS = 5;

/** Waits for a number of 60 s tasks on a simulated clock; returns the number of polls and when the last task was done. */
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
				query: async () => {
					polls += 1;
					const status = clock.now() - startedAt >= 60_000 ? 'SUCCESS' : 'PROCESSING';
					await clock.sleep(latencyMs);
					return readMusicTask({ data: { status } });
				},
				intervalMs,
				maxWaitMs: 900_000,
				pollsImmediately: false,
				toleratedRefusals: 0,
				onOutcome: async () => {},
			},
		),
	);
	const minimum = tasks * Math.ceil(60_000 / intervalMs);
	return {
		run: `Simulated clock: ${tasks} tasks of 60 s, polled every ${intervalMs / 1000} s, ${latencyMs} ms per poll`,
		polls: `${polls} (${(polls / minimum).toFixed(2)} × the minimum)`,
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
				ownLyrics: false,
				prompt: '={{ $json.prompt }}',
				waitForCompletion: true,
				options: { model: picked('music-v5'), instrumental: true, output: 'task', files: [] },
				simplify: true,
				limits: { pollIntervalSeconds: POLL_INTERVAL_SECONDS },
			}),
			rows(count),
		),
};

const oneAtATime: Subject = {
	name: 'Bare helper loop, one at a time',
	task: (gateway, count) =>
		task(gateway, bareNode(gateway, '/v1/music/generations', 'music', 1), rows(count)),
};

/** Songs of 3 s in real time: waiting for all of them together, compared to one at a time. */
async function realWait(emulator: Emulator): Promise<Part['rows']> {
	const rule = { latencyMs: 20, music: { pendingMs: 1000, processingMs: 2000 } };
	const job = {
		rules: { '*': rule },
		warmUpRules: { '*': { music: { pendingMs: 0, processingMs: 0 } } },
		count: SONGS,
		warmUp: 1,
	};
	// One at a time takes minutes, and the time hardly varies.
	const results = [
		...(await measureComplete(emulator, { ...job, rounds: ROUNDS }, [ours])),
		...(await measureComplete(emulator, { ...job, rounds: 1 }, [oneAtATime])),
	];
	return results.map(([node, runs]) => ({
		run: `${node}: ${SONGS} songs of 3 s, polled every ${POLL_INTERVAL_SECONDS} s`,
		time: `${(median(runs.map(({ tookMs }) => tookMs)) / 1000).toFixed(1)} s`,
		polls: String(median(runs.map(({ requests }) => requests)) - SONGS),
	}));
}

/** The polls and the waiting time for many music tasks. */
export async function measureMusic(emulator: Emulator): Promise<Part> {
	return {
		title: 'Music tasks',
		about: `Songs in real time: medians of ${ROUNDS} runs (a single run for one at a time). The other rows measure only the node's wait, on a simulated clock.`,
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
