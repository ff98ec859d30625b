import { NO_RETRIES } from '../../shared/send/retry';
import type { Call } from '../../shared/run/call';
import { logWarning } from '../../shared/run/exits';
import type { LinkedResult } from '../../shared/run/operation';
import { groupBy } from '../../shared/plain/values';
import type { WaitSettings } from '../fields';
import { queryTask } from './queryTask';
import { resultsOf } from './results';
import { TrackFiles } from './trackFiles';
import { waitForTasks, type TaskWait } from './waitForTasks';

/** An item whose task the node waits for. */
export interface AwaitedItem {
	call: Call;
	taskId: string;
	settings: WaitSettings;
	/** Called when the gateway could not finish the task, so that a retry submits it again. */
	onFailed?: () => void;
}

/**
 * Waits for the tasks of many items together. A task that several items name is polled only once. The tracks of an item
 * are downloaded as soon as its task is finished.
 *
 * @param items the wait settings of the first apply to all
 * @param polling see {@link TaskWait}
 * @returns the results of each item
 */
export async function awaitTasks(
	items: AwaitedItem[],
	polling: Pick<TaskWait, 'pollsImmediately' | 'toleratedRefusals'>,
): Promise<Map<AwaitedItem, LinkedResult[]>> {
	const results = new Map<AwaitedItem, LinkedResult[]>();
	if (items.length === 0) return results;
	const [{ call, settings }] = items;
	const files = new TrackFiles();
	const itemsOfTask = new Map(
		groupBy(items, ({ taskId }) => taskId).map((group) => [group[0].taskId, group]),
	);
	await waitForTasks([...itemsOfTask.keys()], {
		...polling,
		...settings.times,
		clock: call.client.clock,
		signal: call.signal,
		query: async (taskId, signal) => {
			const [first] = itemsOfTask.get(taskId)!;
			// The next tick repeats a failed poll.
			return await queryTask(first.call.client, taskId, { ...first.settings.query, ...NO_RETRIES, signal });
		},
		onOutcome: async (taskId, outcome) => {
			await Promise.all(
				itemsOfTask.get(taskId)!.map(async (item) => {
					if (outcome.kind === 'finished' && outcome.task.state === 'failed') item.onFailed?.();
					const linked = await resultsOf(item.call, taskId, outcome, item.settings.output, files);
					results.set(item, linked);
					item.call.progress.ended(item.call.itemIndex, linked);
				}),
			);
		},
	});
	return results;
}

/** Writes the IDs of the tasks that may continue at the gateway to n8n's log if the execution was stopped. */
export async function logUnfinishedTasks(call: Call, taskIds: string[]): Promise<void> {
	if (!call.signal?.aborted || taskIds.length === 0) return;
	const ids = [...new Set(taskIds)];
	await logWarning(
		call,
		`The execution was stopped. Music tasks that were submitted continue at the gateway: ${ids.join(', ')}`,
		{ taskIds: ids },
	);
}
