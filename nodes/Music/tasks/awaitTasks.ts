import type { Call } from '../../shared/runtime/call';
import type { LinkedResult } from '../../shared/runtime/operation';
import { Semaphore } from '../../shared/runtime/pool';
import { queryTask } from './queryTask';
import { resultsOf } from './results';
import { readOutputSettings, readPatience, readTaskQuery, type OutputSettings } from './settings';
import { TrackFiles } from './trackFiles';
import { waitForTasks, type TaskOutcome } from './waitForTasks';
import type { TaskQuery } from './queryTask';

/** Everything that a wait needs to know of an item; read before anything is paid for. */
export interface WaitSettings {
	output: OutputSettings;
	query: TaskQuery;
	patience: { intervalMs: number; maxWaitMs: number };
}

/** An item whose task is waited for. */
export interface AwaitedItem {
	call: Call;
	taskId: string;
	settings: WaitSettings;
}

/** @throws GatewayFailure (kind `input`) for a parameter that cannot be used */
export function readWaitSettings(call: Call): WaitSettings {
	return {
		output: readOutputSettings(call),
		query: readTaskQuery(call),
		patience: readPatience(call),
	};
}

/**
 * Waits for the tasks of many items together. A task that several items name is polled once; each item has its tracks
 * fetched as soon as its task is over.
 *
 * @param items at least one; the patience of the first counts for all
 * @param manner see {@link waitForTasks}
 * @returns the results of each item
 */
export async function awaitTasks(
	items: AwaitedItem[],
	manner: { lookAtOnce: boolean; refusalsTolerated: number },
): Promise<Map<AwaitedItem, LinkedResult[]>> {
	const [{ call, settings }] = items;
	const places = new Semaphore(call.maxConcurrency);
	const files = new TrackFiles(places);
	const results = new Map<AwaitedItem, LinkedResult[]>();
	const byTask = groupByTask(items);
	await waitForTasks([...byTask.keys()], {
		...manner,
		...settings.patience,
		clock: call.client.clock,
		signal: call.signal,
		places,
		look: async (taskId, signal) => {
			const [{ call: asking, settings: own }] = byTask.get(taskId)!;
			// A poll that fails is repeated by the next tick.
			return await queryTask(asking.client, taskId, { ...own.query, maxRetries: 0, signal });
		},
		onOutcome: async (taskId: string, outcome: TaskOutcome) => {
			await Promise.all(
				byTask.get(taskId)!.map(async (item) => {
					results.set(item, await resultsOf(item.call, taskId, outcome, item.settings.output, files));
				}),
			);
		},
	});
	return results;
}

/** When the execution was stopped: writes the ids of the tasks that may go on at the gateway into n8n's log. */
export function logTasksLeft({ context, signal }: Call, taskIds: string[]): void {
	if (!signal?.aborted || taskIds.length === 0) return;
	const ids = [...new Set(taskIds)];
	context.logger.warn(
		`The execution was stopped. Music tasks that were submitted go on at the gateway: ${ids.join(', ')}`,
		{ taskIds: ids },
	);
}

function groupByTask(items: AwaitedItem[]): Map<string, AwaitedItem[]> {
	const byTask = new Map<string, AwaitedItem[]>();
	for (const item of items) byTask.set(item.taskId, [...(byTask.get(item.taskId) ?? []), item]);
	return byTask;
}
